/*
 * The tables of the service's fields, in the order and spelling of its document.
 */
#include "wire/documents.h"

#include "base/json_write.h"

#define MUST             OG_WIRE_MUST
#define AT(type, member) offsetof(struct type, member)

#define ACCOUNT(member) AT(og_account_info, member)
static const struct og_wire_field account_fields[] = {
    { "account", "accountId", OG_WIRE_ID, MUST, ACCOUNT(account), 0 },
    { "accountStatus", NULL, OG_WIRE_TEXT, 0, ACCOUNT(status), 0 },
    { "accountType", NULL, OG_WIRE_TEXT, MUST, ACCOUNT(type), 0 },
    { "availableCash", NULL, OG_WIRE_MONEY, MUST, ACCOUNT(available_cash), 0 },
    { "bp", "buyingPower", OG_WIRE_MONEY, MUST, ACCOUNT(buying_power), 0 },
    { "equity", NULL, OG_WIRE_MONEY, MUST, ACCOUNT(equity), 0 },
    { "leverage", NULL, OG_WIRE_MONEY, 0, ACCOUNT(leverage), 0 },
    { "maintenanceDeficit", NULL, OG_WIRE_MONEY, 0, ACCOUNT(maintenance_deficit), 0 },
    { "marginDeficit", NULL, OG_WIRE_MONEY, 0, ACCOUNT(margin_deficit), 0 },
    { "marginRatio", NULL, OG_WIRE_MONEY, 0, ACCOUNT(margin_ratio), 0 },
    { "optContractsTraded", NULL, OG_WIRE_MONEY, 0, ACCOUNT(option_contracts_traded), 0 },
    { "optLevel", "optionTradingLevel", OG_WIRE_INT, 0, ACCOUNT(option_level), 0 },
    { "optionCashTotalBalance", NULL, OG_WIRE_MONEY, 0, ACCOUNT(option_cash_total_balance), 0 },
    { "overnightBp", NULL, OG_WIRE_MONEY, 0, ACCOUNT(overnight_bp), 0 },
    { "realized", NULL, OG_WIRE_MONEY, 0, ACCOUNT(realized), 0 },
    { "sharesTraded", NULL, OG_WIRE_MONEY, 0, ACCOUNT(shares_traded), 0 },
    { "sodEquity", NULL, OG_WIRE_MONEY, 0, ACCOUNT(sod_equity), 0 },
    { "totalCommissions", NULL, OG_WIRE_MONEY, 0, ACCOUNT(total_commissions), 0 },
    { "totalLocateCosts", NULL, OG_WIRE_MONEY, 0, ACCOUNT(total_locate_costs), 0 },
    { "usedLeverage", NULL, OG_WIRE_MONEY, 0, ACCOUNT(used_leverage), 0 },
    OG_WIRE_END,
};

#define PNL(member) AT(og_pnl_detail, member)
static const struct og_wire_field pnl_fields[] = {
    { "accountValue", NULL, OG_WIRE_MONEY, MUST, PNL(account_value), 0 },
    { "allowedLeverage", NULL, OG_WIRE_MONEY, 0, PNL(allowed_leverage), 0 },
    { "availableCash", NULL, OG_WIRE_MONEY, 0, PNL(available_cash), 0 },
    { "dayPnl", NULL, OG_WIRE_MONEY, MUST, PNL(day_pnl), 0 },
    { "dayRealized", NULL, OG_WIRE_MONEY, 0, PNL(day_realized), 0 },
    { "dayUnrealized", NULL, OG_WIRE_MONEY, 0, PNL(day_unrealized), 0 },
    { "equityRatio", NULL, OG_WIRE_MONEY, 0, PNL(equity_ratio), 0 },
    { "exposure", NULL, OG_WIRE_MONEY, 0, PNL(exposure), 0 },
    { "optionCashUsed", NULL, OG_WIRE_MONEY, 0, PNL(option_cash_used), 0 },
    { "sharesTraded", NULL, OG_WIRE_MONEY, 0, PNL(shares_traded), 0 },
    { "totalUnrealized", NULL, OG_WIRE_MONEY, 0, PNL(total_unrealized), 0 },
    { "usedLeverage", NULL, OG_WIRE_MONEY, 0, PNL(used_leverage), 0 },
    OG_WIRE_END,
};

/* Fields of a row of P&L.  The service itself mixes the endings PnL and Pnl.  The stream puts the fields of the second
 * shape into an object of its own, before those of the third. */
#define LOT(member) AT(og_lot_info, member)
static const struct og_wire_field lot_fields[] = {
    { "positionId", NULL, OG_WIRE_ID, OG_WIRE_FIRST | MUST, LOT(position_id), 0 },
    { "symbol", NULL, OG_WIRE_TEXT, OG_WIRE_FIRST, LOT(symbol), 0 },
    { "realizedPnl", NULL, OG_WIRE_MONEY, OG_WIRE_THIRD, LOT(realized), 0 },
    { "dayRealizedPnl", NULL, OG_WIRE_MONEY, OG_WIRE_THIRD, LOT(day_realized), 0 },
    { "unrealizedPnL", NULL, OG_WIRE_MONEY, OG_WIRE_SECOND, LOT(unrealized), 0 },
    { "dayUnrealizedPnL", NULL, OG_WIRE_MONEY, OG_WIRE_SECOND, LOT(day_unrealized), 0 },
    { "pctPnLMove", NULL, OG_WIRE_MONEY, OG_WIRE_SECOND, LOT(pct), 0 },
    { "dayPctPnLMove", NULL, OG_WIRE_MONEY, OG_WIRE_SECOND, LOT(day_pct), 0 },
    { "exposure", NULL, OG_WIRE_MONEY, OG_WIRE_SECOND, LOT(exposure), 0 },
    OG_WIRE_END,
};

/* First shape: a position of REST; second: of the stream, where the id has another key and margins are missing; third:
 * a completed lifecycle, whose id is a number and which has three further figures. */
#define POSITION(member) AT(og_position_info, member)
#define OF_REST          (OG_WIRE_FIRST | OG_WIRE_THIRD)
static const struct og_wire_field position_fields[] = {
    { "accountId", "account", OG_WIRE_ID, 0, POSITION(account), 0 },
    { "positionId", "id", OG_WIRE_ID, OG_WIRE_FIRST | OG_WIRE_SECOND | OG_WIRE_RENAMED | MUST, POSITION(position_id),
      0 },
    { "positionId", "id", OG_WIRE_NUMBER, OG_WIRE_THIRD | MUST, POSITION(position_id), 0 },
    { "symbol", NULL, OG_WIRE_TEXT, MUST, POSITION(symbol), 0 },
    { "tradedSymbol", NULL, OG_WIRE_TEXT, 0, POSITION(traded_symbol), 0 },
    { "rootSymbol", NULL, OG_WIRE_NONE, 0, 0, 0 },
    { "securityType", NULL, OG_WIRE_TEXT, 0, POSITION(security_type), 0 },
    { "side", NULL, OG_WIRE_TEXT, 0, POSITION(side), 0 },
    { "shares", NULL, OG_WIRE_MONEY, MUST, POSITION(shares), 0 },
    { "sharesIn", NULL, OG_WIRE_MONEY, OG_WIRE_THIRD | MUST, POSITION(shares_in), 0 },
    { "sharesOut", NULL, OG_WIRE_MONEY, OG_WIRE_THIRD | MUST, POSITION(shares_out), 0 },
    { "realized", NULL, OG_WIRE_MONEY, OG_WIRE_THIRD | MUST, POSITION(realized), 0 },
    { "priceAvg", NULL, OG_WIRE_MONEY, 0, POSITION(price_avg), 0 },
    { "priceOpen", NULL, OG_WIRE_MONEY, 0, POSITION(price_open), 0 },
    { "priceClose", NULL, OG_WIRE_MONEY, 0, POSITION(price_close), 0 },
    { "priceStrike", NULL, OG_WIRE_MONEY, 0, POSITION(price_strike), 0 },
    { "putCall", NULL, OG_WIRE_TEXT, 0, POSITION(put_call), 0 },
    { "dayOvernight", NULL, OG_WIRE_TEXT, 0, POSITION(day_overnight), 0 },
    { "marginRequirement", NULL, OG_WIRE_MONEY, OF_REST, POSITION(margin_requirement), 0 },
    { "maintenanceRequirement", NULL, OG_WIRE_MONEY, OF_REST, POSITION(maintenance_requirement), 0 },
    { "createdDate", NULL, OG_WIRE_TEXT, 0, POSITION(created), 0 },
    { "updatedDate", NULL, OG_WIRE_TEXT, 0, POSITION(updated), 0 },
    OG_WIRE_END,
};

#define CASH(member) AT(og_cash_info, member)
static const struct og_wire_field cash_fields[] = {
    { "accountId", NULL, OG_WIRE_ID, 0, CASH(account), 0 },
    { "cashType", NULL, OG_WIRE_TEXT, 0, CASH(cash_type), 0 },
    { "currency", NULL, OG_WIRE_TEXT, 0, CASH(currency), 0 },
    { "deposit", NULL, OG_WIRE_MONEY, MUST, CASH(deposit), 0 },
    { "withdraw", NULL, OG_WIRE_MONEY, MUST, CASH(withdraw), 0 },
    { "entryDate", NULL, OG_WIRE_TEXT, 0, CASH(entry_date), 0 },
    { "note", NULL, OG_WIRE_TEXT, 0, CASH(note), 0 },
    OG_WIRE_END,
};

#define FILL(member) AT(og_fill_info, member)
static const struct og_wire_field fill_fields[] = {
    { "tradeId", NULL, OG_WIRE_NUMBER, MUST, FILL(trade_id), 0 },
    { "accountId", NULL, OG_WIRE_ID, 0, FILL(account), 0 },
    { "symbol", NULL, OG_WIRE_TEXT, 0, FILL(symbol), 0 },
    { "securityType", NULL, OG_WIRE_TEXT, 0, FILL(security_type), 0 },
    { "side", NULL, OG_WIRE_TEXT, 0, FILL(side), 0 },
    { "qty", NULL, OG_WIRE_MONEY, MUST, FILL(quantity), 0 },
    { "price", NULL, OG_WIRE_MONEY, MUST, FILL(price), 0 },
    { "grossProceeds", NULL, OG_WIRE_MONEY, 0, FILL(gross_proceeds), 0 },
    { "netProceeds", NULL, OG_WIRE_MONEY, 0, FILL(net_proceeds), 0 },
    { "commission", NULL, OG_WIRE_MONEY, 0, FILL(commission), 0 },
    { "totalFees", NULL, OG_WIRE_MONEY, 0, FILL(total_fees), 0 },
    { "currency", NULL, OG_WIRE_TEXT, 0, FILL(currency), 0 },
    { "tradeDate", NULL, OG_WIRE_TEXT, 0, FILL(trade_date), 0 },
    { "settleDate", NULL, OG_WIRE_TEXT, 0, FILL(settle_date), 0 },
    { "entryDate", NULL, OG_WIRE_TEXT, 0, FILL(entry_date), 0 },
    { "execTime", NULL, OG_WIRE_TEXT, 0, FILL(exec_time), 0 },
    { "canceled", NULL, OG_WIRE_BOOL, 0, FILL(canceled), 0 },
    { "mLegId", NULL, OG_WIRE_NUMBER, 0, FILL(mleg_id), 0 },
    { "spreadType", NULL, OG_WIRE_INT, 0, FILL(spread_type), 0 },
    { "notes", NULL, OG_WIRE_TEXT, 0, FILL(notes), 0 },
    OG_WIRE_END,
};

#define LOCATE(member) AT(og_locate_info, member)
static const struct og_wire_field locate_fields[] = {
    { "accountId", NULL, OG_WIRE_ID, 0, LOCATE(account), 0 },
    { "symbol", NULL, OG_WIRE_TEXT, 0, LOCATE(symbol), 0 },
    { "quoteReqID", NULL, OG_WIRE_ID, MUST, LOCATE(quote_id), 0 },
    { "locateShares", NULL, OG_WIRE_MONEY, 0, LOCATE(shares), 0 },
    { "filledShares", NULL, OG_WIRE_MONEY, 0, LOCATE(filled), 0 },
    { "locateStatus", NULL, OG_WIRE_INT, MUST, LOCATE(status), 0 },
    { "locateType", NULL, OG_WIRE_INT, 0, LOCATE(type), 0 },
    { "locatePrice", NULL, OG_WIRE_MONEY, MUST, LOCATE(price), 0 },
    { "preBorrow", NULL, OG_WIRE_BOOL, 0, LOCATE(pre_borrow), 0 },
    { "locateError", NULL, OG_WIRE_INT, 0, LOCATE(error), 0 },
    { "text", NULL, OG_WIRE_TEXT, 0, LOCATE(text), 0 },
    { "createdDate", NULL, OG_WIRE_TEXT, 0, LOCATE(created), 0 },
    { "updatedDate", NULL, OG_WIRE_TEXT, 0, LOCATE(updated), 0 },
    OG_WIRE_END,
};

#define INVENTORY(member) AT(og_inventory_info, member)
static const struct og_wire_field inventory_fields[] = {
    { "accountId", NULL, OG_WIRE_ID, 0, INVENTORY(account), 0 },
    { "symbol", NULL, OG_WIRE_TEXT, MUST, INVENTORY(symbol), 0 },
    { "available", NULL, OG_WIRE_MONEY, MUST, INVENTORY(available), 0 },
    { "sold", NULL, OG_WIRE_MONEY, 0, INVENTORY(sold), 0 },
    { "toBeSold", NULL, OG_WIRE_MONEY, 0, INVENTORY(to_be_sold), 0 },
    { "unavailable", NULL, OG_WIRE_MONEY, 0, INVENTORY(unavailable), 0 },
    { "locateType", NULL, OG_WIRE_INT, 0, INVENTORY(type), 0 },
    OG_WIRE_END,
};

#define ROUTE(member) AT(og_route_info, member)
static const struct og_wire_field route_fields[] = {
    { "routeName", NULL, OG_WIRE_TEXT, MUST, ROUTE(name), 0 },
    { "securityTypes", NULL, OG_WIRE_WORDS, 0, ROUTE(security_types), 0 },
    { "timesInForce", NULL, OG_WIRE_WORDS, 0, ROUTE(times_in_force), 0 },
    { "orderTypes", NULL, OG_WIRE_WORDS, 0, ROUTE(order_types), 0 },
    { "useDisplayQty", NULL, OG_WIRE_BOOL, 0, ROUTE(use_display_qty), 0 },
    OG_WIRE_END,
};

static const struct {
    const struct og_wire_field *fields;
    size_t size;
    unsigned shapes;
} tables[] = {
    [OG_DOCUMENT_ACCOUNT] = { account_fields, sizeof(struct og_account_info), OG_WIRE_ALL },
    [OG_DOCUMENT_PNL] = { pnl_fields, sizeof(struct og_pnl_detail), OG_WIRE_ALL },
    [OG_DOCUMENT_LOT] = { lot_fields, sizeof(struct og_lot_info), OG_WIRE_ALL },
    [OG_DOCUMENT_POSITION] = { position_fields, sizeof(struct og_position_info), OG_WIRE_FIRST },
    [OG_DOCUMENT_POSITION_PUSH] = { position_fields, sizeof(struct og_position_info), OG_WIRE_SECOND },
    [OG_DOCUMENT_CLOSED] = { position_fields, sizeof(struct og_position_info), OG_WIRE_THIRD },
    [OG_DOCUMENT_CASH] = { cash_fields, sizeof(struct og_cash_info), OG_WIRE_ALL },
    [OG_DOCUMENT_FILL] = { fill_fields, sizeof(struct og_fill_info), OG_WIRE_ALL },
    [OG_DOCUMENT_LOCATE] = { locate_fields, sizeof(struct og_locate_info), OG_WIRE_ALL },
    [OG_DOCUMENT_INVENTORY] = { inventory_fields, sizeof(struct og_inventory_info), OG_WIRE_ALL },
    [OG_DOCUMENT_ROUTE] = { route_fields, sizeof(struct og_route_info), OG_WIRE_ALL },
    [OG_DOCUMENT_ORDER] = { NULL, sizeof(struct og_order_info), 0 },
};

size_t og_document_size(enum og_document what)
{
    return tables[what].size;
}

bool og_document_read(enum og_document what, const cJSON *object, struct og_arena *arena, void *row,
                      const char **missing)
{
    return og_wire_fields_read(tables[what].fields, tables[what].shapes, object, arena, row, missing);
}

void og_document_members(struct og_buf *b, enum og_document what, const void *row)
{
    og_wire_fields_write(b, tables[what].fields, tables[what].shapes, row);
}

void og_document_write(struct og_buf *b, enum og_document what, const void *row)
{
    og_member_key(b, NULL);
    og_buf_char(b, '{');
    og_document_members(b, what, row);
    og_buf_char(b, '}');
}

void og_lot_push_write(struct og_buf *b, const struct og_lot_info *row)
{
    og_member_key(b, NULL);
    og_buf_char(b, '{');
    og_wire_fields_write(b, lot_fields, OG_WIRE_FIRST, row);
    og_member_key(b, "pnlCalc");
    og_buf_char(b, '{');
    og_wire_fields_write(b, lot_fields, OG_WIRE_SECOND, row);
    og_buf_char(b, '}');
    og_wire_fields_write(b, lot_fields, OG_WIRE_THIRD, row);
    og_buf_char(b, '}');
}

void og_document_schema(struct og_buf *b, enum og_document what)
{
    og_buf_char(b, '{');
    og_wire_fields_schema(b, tables[what].fields, tables[what].shapes);
    og_buf_char(b, '}');
}
