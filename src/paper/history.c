/*
 * Fill history: rates, rows, and the endpoints GET orders/start-date and orders-with-pagination/start-date.  The time
 * zone of a start date is ignored: the date is taken as a day of New York's calendar.
 */
#include "paper/history.h"

#include <stdio.h>

#include "base/time.h"
#include "paper/call.h"
#include "paper/db.h"
#include "paper/hours.h"
#include "paper/pagination.h"
#include "wire/documents.h"

#define DAY_NS     (86400 * OG_NS_PER_S)
#define WEEK       7  /* number of days that a call without pages covers */
#define USUAL_DAYS 30 /* default number of days that a call with pages covers */
#define MOST_ROWS  100

/* --- charges of a fill -------------------------------------------------------------------------------------------- */

static int64_t traded_value(const struct og_paper_symbol *symbol, int64_t shares, int64_t price)
{
    return og_dec_scale(og_dec_times(shares, price), symbol->option ? 100 : 1);
}

void og_paper_history_charge(const struct og_paper *p, struct og_paper_fill *fill)
{
    int64_t each = fill->symbol->option ? p->rates.contract : p->rates.share;
    int64_t sold = fill->buy ? 0 : traded_value(fill->symbol, fill->shares, fill->price);

    fill->commission = og_dec_round(og_dec_times(fill->shares, each), OG_DEC_CENT);
    fill->fees = og_dec_round(og_dec_times(sold, p->rates.sale), OG_DEC_CENT);
}

/* --- recording fills ---------------------------------------------------------------------------------------------- */

bool og_paper_history_restore(struct og_paper *p, struct og_paper_account *account, void *row)
{
    (void)p;
    *(account->last_trade ? &account->last_trade->next : &account->trades) = row;
    account->last_trade = row;
    return true;
}

void og_paper_history_add(const struct og_paper_order *o, const struct og_paper_fill *fill)
{
    struct og_paper_trade *trade;

    if (o->account->paper || !(trade = og_arena_take(&o->paper->arena, sizeof *trade)))
        return;
    *trade = (struct og_paper_trade){
        .id = ++o->paper->trades,
        .symbol = fill->symbol,
        .buy = fill->buy,
        .quantity = fill->shares / OG_DEC_ONE,
        .price = fill->price,
        .commission = fill->commission,
        .fees = fill->fees,
        .at = og_paper_clock_now(&o->paper->clock),
        .entered = o->started,
        .mleg_id = o->mleg_id,
    };
    og_paper_history_restore(o->paper, o->account, trade);
    og_paper_db_put(o->paper, OG_TABLE_TRADES, trade, o->account);
}

/* --- busts -------------------------------------------------------------------------------------------------------- */

/* Reverse a trade at its price: close the position on the other side, or open a lot if there is none. */
static void reverse_trade(struct og_paper *p, struct og_paper_account *account, const struct og_paper_trade *t)
{
    int64_t shares = OG_DEC(t->quantity), held = og_paper_account_held(account, t->symbol, t->buy);
    enum og_paper_figure counter = t->symbol->option ? OG_FIG_DAY_CONTRACTS : OG_FIG_DAY_SHARES;
    struct og_paper_fill back = {
        .symbol = t->symbol,
        .buy = !t->buy,
        .open = held < shares,
        .shares = shares,
        .price = t->price,
        .commission = -t->commission,
        .fees = -t->fees,
    };

    back.tied = back.open ? traded_value(t->symbol, shares, t->price) : 0;
    og_paper_account_fill(p, account, &back);
    account->figure[counter] = og_dec_add(account->figure[counter], -2 * shares);
}

bool og_paper_history_bust(struct og_paper *p, int64_t id)
{
    struct og_paper_account *account;
    struct og_paper_trade *t;

    for (account = p->accounts; account; account = account->next)
        for (t = account->trades; t; t = t->next)
            if (t->id == id && !t->busted) {
                t->busted = true;
                og_paper_db_put(p, OG_TABLE_TRADES, t, account);
                reverse_trade(p, account, t);
                return true;
            }
    return false;
}

/* --- start dates -------------------------------------------------------------------------------------------------- */

/* Read a number of up to four digits, followed by the end of the text or by a dash. */
static int read_digits(const char **at, const char *end, size_t *len)
{
    const char *start = *at;
    int n = 0;

    for (; *at < end && **at >= '0' && **at <= '9' && *at - start < 5; (*at)++)
        n = n * 10 + (**at - '0');
    *len = (size_t)(*at - start);
    return n;
}

/* Read a date such as 2026-01-02, 2026-1-2 or 01-02-2026: the number with four digits is the year. */
static bool read_day(struct og_str text, int64_t *day)
{
    const char *at = text.s, *end = at + text.len;
    int part[3], i;
    size_t len[3];
    bool year_first;

    for (i = 0; i < 3; i++) {
        if (i > 0 && (at == end || *at++ != '-'))
            return false;
        part[i] = read_digits(&at, end, &len[i]);
        if (len[i] == 0 || (len[i] > 2 && (len[i] != 4 || i == 1)))
            return false;
    }
    year_first = len[0] == 4;
    if (at != end || year_first == (len[2] == 4))
        return false;
    if (!year_first) {
        int year = part[2];

        part[2] = part[1];
        part[1] = part[0];
        part[0] = year;
    }
    if (!og_date_exists(part[0], part[1], part[2]))
        return false;
    *day = og_days_from_civil(part[0], part[1], part[2]);
    return true;
}

/* Returns true if the text after a date is a time of day, perhaps with an offset. This is checked by appending the text
 * to a fixed date, and reading both by og_time_read(). A plus in the path arrives as a blank. */
static bool time_follows(struct og_str rest)
{
    char text[64] = "2000-01-01";
    size_t len = 10 + rest.len;
    char *offset;
    int64_t ns;

    if (rest.s[0] != 'T' || len >= sizeof text)
        return false;
    memcpy(text + 10, rest.s, rest.len);
    offset = strchr(text, ' ');
    if (offset)
        *offset = '+';
    return og_time_read(text, len, &ns);
}

static bool read_start(struct og_str text, int64_t *day)
{
    if (text.len > 10 && memchr(text.s, 'T', text.len))
        return og_paper_page_day((struct og_str){ text.s, 10 }, day) &&
               time_follows((struct og_str){ text.s + 10, text.len - 10 });
    return read_day(text, day);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static struct og_wire_time midnight(int64_t day)
{
    return og_wire_time_utc(day * DAY_NS);
}

static int64_t day_of(int64_t at, struct og_eastern *e)
{
    og_eastern_from(at, e);
    return og_days_from_civil(e->year, e->month, e->day);
}

/* Returns the day on which a trade settles: the day of the next session. */
static int64_t settlement_day(const struct og_paper *p, int64_t day)
{
    do
        day++;
    while (!og_paper_hours_session_day(p, day));
    return day;
}

static void write_trade(struct og_buf *b, const struct og_paper_account *account, const struct og_paper_trade *t)
{
    struct og_eastern e, entry;
    int64_t day = day_of(t->at, &e), gross = traded_value(t->symbol, OG_DEC(t->quantity), t->price),
            s = e.ns_of_day / OG_NS_PER_S;
    struct og_wire_time traded = midnight(day), settled = midnight(settlement_day(account->service, day));
    struct og_wire_time entered = midnight(day_of(t->entered, &entry));
    char time[40], id[24], mleg_id[24];
    struct og_fill_info row = {
        .trade_id = id,
        .account = account->id.s,
        .symbol = t->symbol->name.s,
        .security_type = t->symbol->option ? "Option" : "Stock",
        .side = t->buy ? "Buy" : "Sell",
        .quantity = og_money_from(t->quantity),
        .price = og_dec_money(t->price),
        .commission = og_dec_money(t->commission),
        .total_fees = og_dec_money(t->fees),
        .currency = "USD",
        .trade_date = traded.s,
        .settle_date = settled.s,
        .entry_date = entered.s,
        .exec_time = time,
        .canceled = t->busted,
        .mleg_id = mleg_id,
        .notes = "",
    };

    gross = t->buy ? -gross : gross;
    row.gross_proceeds = og_dec_money(gross);
    row.net_proceeds = og_dec_money(og_dec_add(gross, -og_dec_add(t->fees, t->commission)));
    snprintf(time, sizeof time, "%02d:%02d:%02d", (int)(s / 3600), (int)(s / 60 % 60), (int)(s % 60));
    snprintf(id, sizeof id, "%lld", (long long)t->id);
    snprintf(mleg_id, sizeof mleg_id, "%lld", (long long)t->mleg_id);
    og_document_write(b, OG_DOCUMENT_FILL, &row);
}

/* Returns true if the symbol matches the trade: it is the symbol that was traded or, for an option, its root. An empty
 * symbol matches every trade. */
static bool matches_symbol(const struct og_paper_trade *t, struct og_str symbol)
{
    return !symbol.len || og_str_eq(t->symbol->name, symbol) || og_str_eq(t->symbol->root->name, symbol);
}

/* Write the rows of the page, taken from the days from `day` up to, but not including, day + page->days. Returns how
 * many rows these days have. */
static int64_t write_window(struct og_paper_call *call, int64_t day, const struct og_paper_page *page,
                            struct og_str symbol)
{
    const struct og_paper_trade *t = call->account->paper ? NULL : call->account->trades;
    struct og_eastern e;
    int64_t total = 0, of;

    for (; t; t = t->next) {
        of = day_of(t->at, &e);
        if (of < day || of - day >= page->days || !matches_symbol(t, symbol))
            continue;
        if (total >= page->offset && total - page->offset < page->limit)
            write_trade(call->reply->body, call->account, t);
        total++;
    }
    return total;
}

void og_paper_get_fills(struct og_paper_call *call)
{
    static const struct og_paper_page all = { .days = WEEK, .limit = INT64_MAX };
    int64_t day;

    if (!read_start(call->item, &day)) {
        og_reply_text(call->reply, 404, "Not found");
        return;
    }
    og_buf_text(call->reply->body, "{\"orders\":[");
    write_window(call, day, &all, (struct og_str){ NULL, 0 });
    og_buf_text(call->reply->body, "]}");
}

void og_paper_get_history(struct og_paper_call *call)
{
    struct og_str query = call->request->query;
    struct og_paper_page page;
    int64_t day, total;

    if (!read_start(call->item, &day)) {
        og_reply_text(call->reply, 404, "Not found");
        return;
    }
    og_paper_page_read(query, USUAL_DAYS, MOST_ROWS, &page);
    og_buf_text(call->reply->body, "{\"tradingHistory\":[");
    total = write_window(call, day, &page, og_paper_page_parameter(query, "symbol"));
    og_buf_char(call->reply->body, ']');
    og_paper_page_write(call->reply->body, &page, total);
    og_buf_char(call->reply->body, '}');
}
