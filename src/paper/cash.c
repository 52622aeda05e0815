/*
 * The cash ledger: rows by day, and the endpoint that returns them in pages. A trade has no row, since orders change
 * only the account's figures.
 */
#include "paper/cash.h"

#include "base/time.h"
#include "paper/call.h"
#include "paper/db.h"
#include "paper/pagination.h"
#include "wire/documents.h"

#define USUAL_DAYS 30
#define MOST_ROWS  10000
#define DAY        (86400 * OG_NS_PER_S)

static int64_t today(int64_t now)
{
    struct og_eastern e;

    og_eastern_from(now, &e);
    return og_days_from_civil(e.year, e.month, e.day);
}

bool og_paper_cash_restore(struct og_paper *p, struct og_paper_account *account, void *row)
{
    (void)p;
    *(account->last_cash ? &account->last_cash->next : &account->cash) = row;
    account->last_cash = row;
    return true;
}

bool og_paper_cash_fee(struct og_paper *p, struct og_paper_account *account, struct og_str type, int64_t amount,
                       struct og_str note)
{
    struct og_paper_cash *row = og_arena_take(&p->arena, sizeof *row);
    int64_t now = og_paper_clock_now(&p->clock);

    if (!row)
        return false;
    *row = (struct og_paper_cash){
        .number = p->cash_rows + 1,
        .type = type,
        .note = og_arena_copy(&p->arena, note),
        .deposit = amount < 0 ? -amount : 0,
        .withdraw = amount > 0 ? amount : 0,
        .day = today(now),
        .shown = now + p->delays.fee,
    };
    if (!row->note.s)
        return false;
    p->cash_rows++;
    account->figure[OG_FIG_CASH] = og_dec_add(account->figure[OG_FIG_CASH], -amount);
    og_paper_account_gain(account, -amount);
    account->changed = true;
    og_paper_cash_restore(p, account, row);
    og_paper_db_put(p, OG_TABLE_CASH, row, account);
    return true;
}

/* --- GET cash-transactions ---------------------------------------------------------------------------------------- */

static void write_row(struct og_buf *b, const struct og_paper_account *account, const struct og_paper_cash *c)
{
    struct og_wire_time date = og_wire_time_utc(c->day * DAY); /* the day as a date, without a time of day or a time
                                                                * zone */
    struct og_cash_info row = {
        .account = account->id.s,
        .cash_type = c->type.s,
        .currency = "USD",
        .entry_date = date.s,
        .note = c->note.s,
        .deposit = og_dec_money(c->deposit),
        .withdraw = og_dec_money(c->withdraw),
    };

    og_document_write(b, OG_DOCUMENT_CASH, &row);
}

/* Write the rows of the page. Returns how many rows the whole window has. */
static int64_t write_window(struct og_paper_call *call, int64_t from, const struct og_paper_page *page)
{
    int64_t now = og_paper_clock_now(&call->p->clock), total = 0;
    const struct og_paper_cash *c;

    for (c = call->account ? call->account->cash : NULL; c; c = c->next) {
        if (c->day < from || c->day >= from + page->days || c->shown > now)
            continue;
        if (total >= page->offset && total - page->offset < page->limit)
            write_row(call->reply->body, call->account, c);
        total++;
    }
    return total;
}

/* Answer GET cash-transactions. For an account that the key is not allowed to use, the answer is an empty ledger and
 * not an error, as in the service. */
void og_paper_get_cash(struct og_paper_call *call)
{
    struct og_buf *b = call->reply->body;
    struct og_paper_page page;
    int64_t from, total;

    if (!og_paper_page_day(call->item, &from)) {
        og_reply_text(call->reply, 404, "Not found");
        return;
    }
    og_paper_page_read(call->request->query, USUAL_DAYS, MOST_ROWS, &page);
    og_buf_char(b, '{');
    og_member_key(b, "cashHistory");
    og_buf_char(b, '[');
    total = write_window(call, from, &page);
    og_buf_char(b, ']');
    og_paper_page_write(b, &page, total);
    og_buf_char(b, '}');
}
