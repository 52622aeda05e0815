/*
 * The states of a locate: quoted, offered, accepted or expired; and of a credit: queued, cleared or undone. The callers
 * check that quantities are in range and that accounts exist. A quote that the account cannot get becomes a rejected
 * row.
 *
 * The cooldown begins with each quote, whatever its result. But a quote that is rejected because of the cooldown, or
 * because another quote is still open, does not restart the cooldown; otherwise a client that asks too often would
 * never get an offer.
 */
#include "paper/locate.h"

#include <stdio.h>

#include "base/timeouts.h"
#include "paper/cash.h"
#include "paper/db.h"
#include "paper/paper.h"
#include "wire/documents.h"

#define COOLDOWN    (30 * OG_NS_PER_S)
#define MOST_LISTED 1000
#define SIBLING     ".SU"

struct reason {
    int error;
    const char *text;
};
static const struct reason easy = { 56, "R56: Symbol is easy to borrow, no locate needed" };
static const struct reason restricted = { 4, "R06: Symbol restricted from trading at this price" };
static const struct reason odd_lot = { 67, "R67: Quantity is not a multiple of 100" };
static const struct reason no_shares = { 11, "11 No shares available" };
static const struct reason pending = { 14, "14 Locate already pending for the symbol" };
static const struct reason insufficient = { 16, "16 Insufficient shares" };
static const struct reason broken = { 1, "1 System error" };

/* --- rows --------------------------------------------------------------------------------------------------------- */

static bool is_open(const struct og_paper_locate *row)
{
    return row->status == OG_LS_QUOTING || row->status == OG_LS_PENDING || row->status == OG_LS_OFFERED;
}

static void store_row(struct og_paper_locate *row)
{
    og_paper_db_put(row->paper, OG_TABLE_LOCATES, row, row->account);
}

static void schedule(struct og_paper_locate *row, int64_t time)
{
    row->due = og_paper_clock_now(&row->paper->clock) + time;
    og_paper_clock_set(&row->paper->clock, &row->timer, row->due);
}

static void set_status(struct og_paper_locate *row, enum og_paper_locate_status status, const char *text)
{
    row->status = status;
    row->text = text;
    row->error = 0;
    row->updated = og_paper_clock_now(&row->paper->clock);
    if (!is_open(row)) {
        row->due = 0;
        og_paper_clock_unset(&row->paper->clock, &row->timer);
    }
    store_row(row);
}

static void on_timer(void *with);

static void add_to_list(struct og_paper_locate *row)
{
    row->timer = (struct og_paper_timer){ .fire = on_timer, .with = row };
    row->older = row->account->locates;
    row->account->locates = row;
}

static struct og_paper_locate *new_row(struct og_paper *p, struct og_paper_account *account, struct og_str name,
                                       struct og_str id, int64_t shares)
{
    struct og_paper_locate *row = og_arena_take(&p->arena, sizeof *row);

    if (!row)
        return NULL;
    *row = (struct og_paper_locate){
        .paper = p,
        .account = account,
        .symbol = og_paper_market_get(&p->market, name),
        .name = og_arena_copy(&p->arena, name),
        .id = og_arena_copy(&p->arena, id),
        .number = p->locates + 1,
        .shares = shares,
        .status = OG_LS_QUOTING,
        .created = og_paper_clock_now(&p->clock),
    };
    row->updated = row->created;
    if (!row->name.s || !row->id.s)
        return NULL;
    p->locates++;
    add_to_list(row);
    return row;
}

static bool reject(struct og_paper_locate *row, const struct reason *why)
{
    if (!row)
        return false;
    row->type = OG_PAPER_LOCATE_NONE;
    set_status(row, OG_LS_REJECTED, why->text);
    row->error = why->error;
    store_row(row);
    return true;
}

bool og_paper_locate_restore(struct og_paper *p, struct og_paper_account *account, void *of)
{
    struct og_paper_locate *row = of;

    row->paper = p;
    row->account = account;
    row->symbol = og_paper_market_get(&p->market, row->name);
    add_to_list(row);
    return !row->due || og_paper_clock_set(&p->clock, &row->timer, row->due);
}

/* --- stock of the market ------------------------------------------------------------------------------------------ */

static int64_t *stock_of(struct og_paper_symbol *symbol, enum og_paper_locate_type type)
{
    return type == OG_PAPER_LOCATE_SINGLE_USE ? &symbol->available_single : &symbol->available;
}

static int64_t price_of(const struct og_paper_symbol *symbol, enum og_paper_locate_type type)
{
    int64_t usual = symbol->locate_price > 0 ? symbol->locate_price : OG_DEC_CENT;

    if (type == OG_PAPER_LOCATE_SINGLE_USE && symbol->single_price > 0 && symbol->single_price < usual)
        return symbol->single_price; /* single-use shares are never more expensive than the reusable shares of the
                                      * same quote */
    return usual;
}

/* Take accepted shares from the market's stock of shares to lend. An offer is firm: it is filled even if other accounts
 * have taken the shares meanwhile. */
static void draw_stock(struct og_paper *p, struct og_paper_symbol *symbol, enum og_paper_locate_type type,
                       int64_t shares)
{
    int64_t *stock = stock_of(symbol, type);

    *stock = *stock - shares > 0 ? *stock - shares : 0;
    og_paper_db_put(p, OG_TABLE_SYMBOLS, symbol, NULL);
}

/* --- timers ------------------------------------------------------------------------------------------------------- */

static void offer(struct og_paper_locate *row)
{
    if (*stock_of(row->symbol, row->type) >= row->shares) {
        row->price = price_of(row->symbol, row->type);
        set_status(row, OG_LS_OFFERED, "");
    } else {
        set_status(row, OG_LS_PENDING, no_shares.text);
        row->error = no_shares.error;
    }
    schedule(row, OG_SERVICE_OFFER_NS);
    store_row(row);
}

static void describe(char *note, size_t size, const char *what, const struct og_paper_locate *row)
{
    snprintf(note, size, "%s %.*s %lld", what, row->name.len > 20 ? 20 : (int)row->name.len, row->name.s,
             (long long)(row->shares < 0 ? -row->shares : row->shares));
}

/* Complete a credit: return the shares to the market's stock, and refund the price that was paid for them. */
static void complete_credit(struct og_paper_locate *row)
{
    int64_t shares = -row->shares,
            back = og_paper_inventory_clear(row->paper, row->account, row->symbol, row->type, shares);
    char note[80];

    row->filled = row->shares;
    set_status(row, OG_LS_FILLED, "");
    *stock_of(row->symbol, row->type) += shares;
    og_paper_db_put(row->paper, OG_TABLE_SYMBOLS, row->symbol, NULL);
    if (back <= 0)
        return;
    describe(note, sizeof note, "Locate credit", row);
    row->account->figure[OG_FIG_DAY_LOCATE_COSTS] = og_dec_add(row->account->figure[OG_FIG_DAY_LOCATE_COSTS], -back);
    og_paper_cash_fee(row->paper, row->account, OG_STR("Locate Fees"), -back, og_str_of(note));
}

static void on_timer(void *with)
{
    struct og_paper_locate *row = with;

    if (row->shares < 0)
        complete_credit(row);
    else if (row->status == OG_LS_QUOTING)
        offer(row);
    else
        set_status(row, OG_LS_EXPIRED, "Quote expired.");
}

/* --- quote -------------------------------------------------------------------------------------------------------- */

static const struct og_paper_locate *find_newest(const struct og_paper_account *account, struct og_str id,
                                                 bool still_open)
{
    const struct og_paper_locate *row = account->locates;

    while (row && (!og_str_eq(row->id, id) || (still_open && !is_open(row))))
        row = row->older;
    return row;
}

/* Returns true if a quote of the symbol is still open, or the cooldown after the latest quote is not over. */
static bool is_too_soon(const struct og_paper_account *account, const struct og_paper_symbol *symbol, int64_t now)
{
    const struct og_paper_locate *row;

    for (row = account->locates; row; row = row->older)
        if (row->symbol == symbol && row->shares > 0 && row->error != pending.error &&
            (is_open(row) || now - row->created < COOLDOWN))
            return true;
    return false;
}

static const struct reason *unavailable(struct og_paper_symbol *symbol, int64_t shares)
{
    int64_t most = symbol->available;

    if (symbol->borrow == OG_BORROW_THRESHOLD && symbol->available_single > most)
        most = symbol->available_single;
    return most >= shares ? NULL : most > 0 ? &insufficient : &no_shares;
}

/* Returns why the account gets no quote for so many shares; NULL if it gets one. */
static const struct reason *rejection_reason(struct og_paper *p, const struct og_paper_account *account,
                                             struct og_str name, int64_t shares, struct og_str id)
{
    struct og_paper_symbol *symbol = og_paper_market_get(&p->market, name);

    if (find_newest(account, id, false))
        return find_newest(account, id, true) ? &pending : &broken;
    if (shares % OG_PAPER_LOCATE_LOT != 0)
        return &odd_lot;
    if (account->paper)
        return &easy;
    if (!symbol || symbol->option)
        return &no_shares;
    if (symbol->borrow == OG_BORROW_EASY)
        return &easy;
    if (symbol->borrow == OG_BORROW_RESTRICTED)
        return &restricted;
    if (is_too_soon(account, symbol, og_paper_clock_now(&p->clock)))
        return &pending;
    return unavailable(symbol, shares);
}

static bool quote_row(struct og_paper *p, struct og_paper_account *account, struct og_str name, int64_t shares,
                      struct og_str id, enum og_paper_locate_type type, int64_t pair)
{
    struct og_paper_locate *row = new_row(p, account, name, id, shares);

    if (!row)
        return false;
    row->type = type;
    row->pair = pair;
    schedule(row, p->delays.offer);
    store_row(row);
    return true;
}

/* Add two rows: the base row for reusable shares, and a second one for single-use shares. The market's stock decides
 * which of the two gets an offer. */
static bool quote_pair(struct og_paper *p, struct og_paper_account *account, struct og_str name, int64_t shares,
                       struct og_str id)
{
    int64_t pair = p->locates + 1;
    struct og_buf b;
    bool ok;

    og_buf_init(&b, 0);
    og_buf_str(&b, id);
    og_buf_text(&b, SIBLING);
    ok = !b.bad && quote_row(p, account, name, shares, id, OG_PAPER_LOCATE_PRE_BORROW, pair) &&
         quote_row(p, account, name, shares, (struct og_str){ b.s, b.len }, OG_PAPER_LOCATE_SINGLE_USE, pair);
    og_buf_clear(&b);
    return ok;
}

bool og_paper_locate_quote(struct og_paper *p, struct og_paper_account *account, struct og_str name, int64_t shares,
                           struct og_str id)
{
    const struct reason *why = rejection_reason(p, account, name, shares, id);

    if (why)
        return reject(new_row(p, account, name, id, shares), why);
    if (og_paper_market_get(&p->market, name)->borrow == OG_BORROW_THRESHOLD)
        return quote_pair(p, account, name, shares, id);
    return quote_row(p, account, name, shares, id, OG_PAPER_LOCATE_STANDARD, 0);
}

/* --- accept ------------------------------------------------------------------------------------------------------- */

static bool charge(struct og_paper_locate *row)
{
    int64_t cost = og_dec_scale(row->price, row->shares);
    char note[80];

    describe(note, sizeof note, "Locate", row);
    row->account->figure[OG_FIG_DAY_LOCATE_COSTS] = og_dec_add(row->account->figure[OG_FIG_DAY_LOCATE_COSTS], cost);
    return og_paper_inventory_add(row->paper, row->account, row->symbol, row->type, row->shares, cost) &&
           og_paper_cash_fee(row->paper, row->account, OG_STR("Locate Fees"), cost, og_str_of(note));
}

static void expire_sibling(const struct og_paper_locate *row)
{
    struct og_paper_locate *other;

    for (other = row->account->locates; other && other->number >= row->pair; other = other->older)
        if (row->pair && other->pair == row->pair && other != row && is_open(other))
            set_status(other, OG_LS_EXPIRED, "Quote expired.");
}

bool og_paper_locate_accept(struct og_paper *p, struct og_paper_account *account, struct og_str id)
{
    struct og_paper_locate *row = account->locates;

    while (row && (row->status != OG_LS_OFFERED || !og_str_eq(row->id, id)))
        row = row->older;
    if (!row)
        return true;
    row->filled = row->shares;
    set_status(row, OG_LS_FILLED, "");
    expire_sibling(row);
    draw_stock(p, row->symbol, row->type, row->shares);
    return charge(row);
}

/* --- cancel and sell ---------------------------------------------------------------------------------------------- */

void og_paper_locate_cancel(struct og_paper *p, struct og_paper_account *account, struct og_str id)
{
    struct og_paper_locate *row = account->locates;

    while (row && (!is_open(row) || !og_str_eq(row->id, id)))
        row = row->older;
    if (!row)
        return;
    if (row->shares < 0)
        og_paper_inventory_undo(p, account, row->symbol, row->type, -row->shares);
    set_status(row, OG_LS_CANCELED, row->status == OG_LS_OFFERED ? "Quote canceled." : NULL);
}

static const struct og_paper_locate *find_filled(const struct og_paper_account *account, struct og_str id)
{
    const struct og_paper_locate *row = account->locates;

    while (row && (row->status != OG_LS_FILLED || row->shares < 0 || !og_str_eq(row->id, id)))
        row = row->older;
    return row;
}

bool og_paper_locate_sell(struct og_paper *p, struct og_paper_account *account, struct og_str name,
                          enum og_paper_locate_type type, int64_t shares, struct og_str id)
{
    const struct og_paper_locate *quote = find_filled(account, id);
    struct og_paper_locate *row = new_row(p, account, name.s ? name : quote ? quote->name : OG_STR(""), id, -shares);
    struct og_paper_inventory *pool;

    if (!row)
        return false;
    if (shares % OG_PAPER_LOCATE_LOT != 0)
        return reject(row, &odd_lot);
    if (!name.s && !quote)
        return reject(row, &broken);
    if (!name.s && type == OG_PAPER_LOCATE_NONE)
        type = quote->type;
    pool = row->symbol ? og_paper_inventory_creditable(p, account, row->symbol, type, shares) : NULL;
    if (!pool)
        return reject(row, &insufficient);
    og_paper_inventory_queue(p, account, pool, shares);
    row->type = pool->type;
    set_status(row, OG_LS_PENDING, NULL);
    schedule(row, p->delays.credit);
    store_row(row);
    return true;
}

/* --- the history -------------------------------------------------------------------------------------------------- */

static void write_row(const struct og_paper_locate *l, struct og_buf *b)
{
    struct og_wire_time created = og_wire_time_utc(l->created), updated = og_wire_time_utc(l->updated);
    struct og_locate_info row = {
        .account = l->account->id.s,
        .symbol = l->name.s,
        .quote_id = l->id.s,
        .shares = og_money_from(l->shares),
        .filled = og_money_from(l->filled),
        .status = l->status,
        .type = l->type,
        .price = og_dec_money(l->price),
        .pre_borrow = l->type == OG_PAPER_LOCATE_PRE_BORROW || l->type == OG_PAPER_LOCATE_SINGLE_USE,
        .error = l->error,
        .text = l->text,
        .created = created.s,
        .updated = updated.s,
    };

    og_document_write(b, OG_DOCUMENT_LOCATE, &row);
}

void og_paper_locate_write(const struct og_paper_account *account, struct og_buf *b)
{
    const struct og_paper_locate *rows[MOST_LISTED], *row;
    size_t count = 0;

    for (row = account->locates; row && count < MOST_LISTED; row = row->older)
        rows[count++] = row;
    while (count > 0)
        write_row(rows[--count], b);
}
