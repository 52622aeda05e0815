/*
 * Writers of the rows of locates and cash, with the keys in the document's order and spelling.
 */
#include "wire/locate.h"

void og_locate_row_write(struct og_buf *b, const struct og_locate_row *row)
{
    og_buf_char(b, '{');
    og_member_str(b, "accountId", row->account_id);
    og_member_str(b, "symbol", row->symbol);
    og_member_str(b, "quoteReqID", row->quote_id);
    og_member_int(b, "locateShares", row->shares);
    og_member_int(b, "filledShares", row->filled);
    og_member_int(b, "locateStatus", row->status);
    og_member_int(b, "locateType", row->type);
    og_member_money(b, "locatePrice", row->price);
    og_member_bool(b, "preBorrow", row->pre_borrow);
    og_member_int(b, "locateError", row->error);
    og_member_str(b, "text", row->text);
    og_member_str(b, "createdDate", row->created);
    og_member_str(b, "updatedDate", row->updated);
    og_buf_char(b, '}');
}

void og_inventory_row_write(struct og_buf *b, const struct og_inventory_row *row)
{
    og_buf_char(b, '{');
    og_member_str(b, "accountId", row->account_id);
    og_member_str(b, "symbol", row->symbol);
    og_member_int(b, "available", row->available);
    og_member_int(b, "sold", row->sold);
    og_member_int(b, "toBeSold", row->to_be_sold);
    og_member_int(b, "unavailable", row->unavailable);
    og_member_int(b, "locateType", row->type);
    og_buf_char(b, '}');
}

void og_cash_row_write(struct og_buf *b, const struct og_cash_row *row)
{
    og_buf_char(b, '{');
    og_member_str(b, "accountId", row->account_id);
    og_member_str(b, "cashType", row->type);
    og_member_str(b, "currency", row->currency);
    og_member_money(b, "deposit", row->deposit);
    og_member_money(b, "withdraw", row->withdraw);
    og_member_str(b, "entryDate", row->date);
    og_member_str(b, "note", row->note);
    og_buf_char(b, '}');
}
