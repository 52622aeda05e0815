/*
 * The position and realized P&L of each strategy (tag), by average cost, from the fills that the ledger has of all
 * runs. What others traded, expiries, assignments and splits are not on record. Only the cost of a part of a position
 * is rounded, to a hundredth of a cent, and the difference stays in the cost of the rest: the sum of cost and realized
 * P&L is exact. A spread's fill has a single net price, so the quantities of its legs are known, but their cost is not.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/account_id.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/money.h"
#include "base/time.h"
#include "ledger/inside.h"
#include "ledger/view.h"
#include "order/occ.h"
#include "ordergate/time.h"
#include "text/doc.h"

/* The fills of every order, the oldest first. Each row also has the quantity and price before the fill. */
#define FILLS                                                                                                      \
    "SELECT r.account, i.tag, i.detail, r.at, r.executed, r.price_avg,"                                            \
    " coalesce(lag(r.executed) OVER of_order, '0'), coalesce(lag(r.price_avg) OVER of_order, '0')"                 \
    " FROM rows r JOIN (SELECT r.account, r.id, r.tag, r.detail, max(r.seq) FROM rows r WHERE r.record = 'intent'" \
    " GROUP BY r.account, r.id) i ON i.account = r.account AND i.id = r.id"                                        \
    " WHERE r.executed <> '0' AND r.record NOT IN ('decision', " OG_LEDGER_BESIDE ")"                              \
    " AND (?1 IS NULL OR r.account = ?1 COLLATE NOCASE)"                                                           \
    " WINDOW of_order AS (PARTITION BY r.account, r.id ORDER BY r.seq) ORDER BY r.seq"
enum { ACCOUNT, TAG, BODY, AT, EXECUTED, PRICE, EXECUTED_BEFORE, PRICE_BEFORE };

/* The position of a strategy in a symbol. */
struct position {
    struct og_str account, tag, symbol;
    int64_t quantity;     /* shares or contracts; below 0 if short */
    struct og_money cost; /* dollars paid for the quantity; for a short position, minus the dollars that it was sold
                           * for */
    struct og_money realized, realized_last_day;
    int last_day; /* day of the newest fill in New York, as yyyymmdd */
    bool option;
    bool unpriced; /* cost and P&L are not known: a spread, an unknown price, or an amount out of range */
};

struct fill {
    struct og_str account, tag;
    int64_t units;
    struct og_money worth; /* dollars for all units; for options, not yet multiplied by the 100 shares of a contract */
    bool priced;
    int day;
};

struct summing {
    struct og_arena arena;
    struct position *position;
    size_t count, room;
};

/* --- sums --------------------------------------------------------------------------------------------------------- */

static struct position *position_of(struct summing *s, const struct fill *f, struct og_str symbol)
{
    struct og_occ occ;
    struct position *p;

    for (size_t i = 0; i < s->count; i++)
        if (og_str_eq(s->position[i].symbol, symbol) && og_str_eq(s->position[i].tag, f->tag) &&
            og_same_account(s->position[i].account, f->account))
            return &s->position[i];
    if (!OG_GROW(s->position, s->count, s->room, 64))
        return NULL;
    og_occ_read(symbol, &occ);
    p = &s->position[s->count];
    *p = (struct position){ .account = og_arena_copy(&s->arena, f->account),
                            .tag = f->tag.len > 0 ? og_arena_copy(&s->arena, f->tag) : (struct og_str){ NULL, 0 },
                            .symbol = og_arena_copy(&s->arena, symbol),
                            .option = occ.is };
    if (!p->account.s || !p->symbol.s || (f->tag.len > 0 && !p->tag.s))
        return NULL;
    s->count++;
    return p;
}

/* Set *part to the share of m for `units` of `all` units, rounded to a hundredth of a cent. */
static bool part_of(struct og_money m, int64_t units, int64_t all, struct og_money *part)
{
    __int128 coef = m.coef;
    int scale = m.scale;

    if (units == all) {
        *part = m;
        return true;
    }
    for (; scale < 4; scale++)
        coef *= 10;
    coef = coef * units / all;
    for (; scale > 4; scale--)
        coef /= 10;
    *part = (struct og_money){ (int64_t)coef, scale };
    return coef <= INT64_MAX && coef >= INT64_MIN && og_money_add(*part, og_money_from(0), part);
}

static bool realize(struct position *p, struct og_money dollars)
{
    return og_money_add(p->realized, dollars, &p->realized) &&
           og_money_add(p->realized_last_day, dollars, &p->realized_last_day);
}

/* Add a fill (a sale if units is below 0) whose units all have the same price. Returns false if a sum is out of
 * range. */
static bool add_priced(struct position *p, int64_t units, struct og_money worth)
{
    const int64_t held = p->quantity, size = llabs(units),
                  closes = (held > 0) != (units > 0) && held ? (llabs(held) < size ? llabs(held) : size) : 0;
    struct og_money dollars, closing, of_held, gain;

    if (!og_money_times(worth, p->option ? 100 : 1, &dollars) ||
        (units < 0 && !og_money_times(dollars, -1, &dollars)) || !part_of(dollars, closes, size, &closing) ||
        !og_money_sub(dollars, closing, &dollars))
        return false;
    if (closes > 0 && (!part_of(p->cost, closes, llabs(held), &of_held) || !og_money_sub(p->cost, of_held, &p->cost) ||
                       !og_money_add(of_held, closing, &gain) || !og_money_times(gain, -1, &gain) || !realize(p, gain)))
        return false;
    return og_money_add(p->cost, dollars, &p->cost);
}

static bool add(struct summing *s, const struct fill *f, struct og_str symbol, int64_t units, bool single)
{
    struct position *p = position_of(s, f, symbol);

    if (!p)
        return false;
    if (p->last_day != f->day)
        p->realized_last_day = og_money_from(0);
    p->last_day = f->day;
    p->unpriced = p->unpriced || !single || !f->priced || !add_priced(p, units, f->worth);
    p->quantity += units;
    return true;
}

/* --- fills -------------------------------------------------------------------------------------------------------- */

static struct og_money money_in(sqlite3_stmt *s, int at)
{
    struct og_str text = og_ledger_column(s, at);
    struct og_money m;

    return og_money_read(text.s, text.len, &m) ? m : og_money_from(0);
}

static int day_in(sqlite3_stmt *s)
{
    struct og_str text = og_ledger_column(s, AT);
    struct og_eastern when;
    int64_t at;

    if (!og_time_read(text.s, text.len, &at))
        return 0;
    og_eastern_from(at, &when);
    return when.date;
}

/* Read what has filled since the order's previous record. Returns false if nothing has. */
static bool read_fill(sqlite3_stmt *s, struct fill *f)
{
    const struct og_money executed = money_in(s, EXECUTED), before = money_in(s, EXECUTED_BEFORE),
                          price = money_in(s, PRICE), price_before = money_in(s, PRICE_BEFORE);
    struct og_money was;

    *f = (struct fill){ .account = og_ledger_column(s, ACCOUNT),
                        .tag = og_ledger_column(s, TAG),
                        .units = og_money_floor(executed) - og_money_floor(before),
                        .day = day_in(s) };
    f->priced = price.coef > 0 && (price_before.coef > 0 || before.coef == 0) && executed.scale == 0 &&
                before.scale == 0 && og_money_mul(executed, price, &f->worth) &&
                og_money_mul(before, price_before, &was) && og_money_sub(f->worth, was, &f->worth);
    return f->units > 0;
}

static bool sells(const cJSON *of)
{
    struct og_str side;

    return og_doc_str(of, "side", &side) && og_str_is(side, "Sell");
}

static bool add_legs(struct summing *s, const struct fill *f, const cJSON *legs)
{
    const cJSON *leg;
    struct og_str symbol;
    struct og_money ratio;

    cJSON_ArrayForEach (leg, legs)
        if (og_doc_str(leg, "symbol", &symbol) && og_doc_money(leg, "ratio", &ratio) &&
            !add(s, f, symbol, f->units * og_money_floor(ratio) * (sells(leg) ? -1 : 1), false))
            return false;
    return true;
}

static enum og_status add_row(struct summing *s, sqlite3_stmt *row, struct og_error *err)
{
    struct og_str body = og_ledger_column(row, BODY), symbol;
    cJSON *doc = NULL;
    struct fill f;
    enum og_status status;
    bool ok = true;

    if (!read_fill(row, &f) || body.len == 0)
        return OG_OK;
    status = og_doc_read(body.s, body.len, "body", &doc, NULL);
    ok = status != OG_ENOMEM;
    if (status == OG_OK) {
        if (og_doc_get(doc, "legs"))
            ok = add_legs(s, &f, og_doc_get(doc, "legs"));
        else if (og_doc_str(doc, "symbol", &symbol))
            ok = add(s, &f, symbol, sells(doc) ? -f.units : f.units, true);
    }
    cJSON_Delete(doc);
    return ok ? OG_OK : og_fail(err, OG_ENOMEM, "out of memory");
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static void write_money_or_null(struct og_buf *b, const char *key, bool known, struct og_money m)
{
    if (known)
        og_member_money(b, key, m);
    else
        og_member_str(b, key, (struct og_str){ NULL, 0 });
}

static void write_position(struct og_buf *b, const struct position *p)
{
    struct og_money average = { 0, 0 };
    const int64_t shares = p->quantity * (p->option ? 100 : 1);
    char day[16] = "";

    og_buf_text(b, "{\"accountId\":");
    og_buf_json_str(b, p->account);
    og_member_str(b, "tag", p->tag.len > 0 ? p->tag : (struct og_str){ NULL, 0 });
    og_member_str(b, "symbol", p->symbol);
    og_member_money(b, "quantity", og_money_from(p->quantity));
    write_money_or_null(b, "priceAvg", !p->unpriced && shares && part_of(p->cost, 1, shares, &average), average);
    write_money_or_null(b, "cost", !p->unpriced, p->cost);
    write_money_or_null(b, "realizedPnl", !p->unpriced, p->realized);
    if (p->last_day)
        snprintf(day, sizeof day, "%04d-%02d-%02d", p->last_day / 10000, p->last_day / 100 % 100, p->last_day % 100);
    og_member_str(b, "lastDay", p->last_day ? og_str_of(day) : (struct og_str){ NULL, 0 });
    write_money_or_null(b, "realizedLastDay", !p->unpriced, p->realized_last_day);
    og_buf_char(b, '}');
}

static enum og_status tell(const struct summing *s, og_ledger_listener *line, void *with, struct og_error *err)
{
    enum og_status status = OG_OK;
    struct og_buf b;

    og_buf_init(&b, 0);
    for (size_t i = 0; i < s->count && status == OG_OK; i++) {
        write_position(&b, &s->position[i]);
        status = og_ledger_tell(&b, line, with, err);
    }
    og_buf_clear(&b);
    return status;
}

enum og_status og_ledger_positions(struct og_ledger *l, const char *account, og_ledger_listener *line, void *with,
                                   struct og_error *err)
{
    struct summing s = { .count = 0 };
    enum og_status status = OG_OK;
    sqlite3_stmt *rows;

    if (!l)
        return og_missing(err);
    og_arena_init(&s.arena, 0);
    rows = og_ledger_query(l, FILLS, err);
    og_ledger_bind(rows, 1, og_str_of(account));
    while (status == OG_OK && og_ledger_next(l, rows, &status, err))
        status = add_row(&s, rows, err);
    sqlite3_finalize(rows);
    if (status == OG_OK)
        status = tell(&s, line, with, err);
    free(s.position);
    og_arena_clear(&s.arena);
    return status;
}
