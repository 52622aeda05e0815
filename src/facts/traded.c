/*
 * What orders traded, and what working orders may still trade: dollars, shares and contracts, buys and sells alike, in
 * the account and by underlying.  Fills are kept by time, so that any day and any window can be summed.  An order's
 * fills count once, whether they are known from its ticket, from its row in the order list or from the ledger.  What
 * working orders may still trade is part of the aggregates (struct og_aggregates), as are their other amounts.
 */
#include <stdlib.h>
#include <string.h>

#include "base/attributes.h"
#include "base/time.h"
#include "facts/data.h"
#include "order/roots.h"
#include "order/spelling.h"

#define FIRST_ROOM 16

void og_facts_traded_free(struct og_facts *f)
{
    free(f->turnover.row);
    for (struct og_turnover *t = f->turnovers; t; t = t->next)
        free(t->row);
    og_facts_map_clear(&f->underlyings);
    og_facts_map_clear(&f->traded);
}

/* --- what working orders may still trade -------------------------------------------------------------------------- */

static inline struct og_traded *trading_of(struct og_holding_entry *h)
{
    return h->root ? &h->root->trading : &h->trading;
}

static OG_NOINLINE void count_no_more(struct og_aggregates *s, struct og_holding_entry *h, const struct og_traded *t)
{
    og_traded_add(&s->totals.trading, t, -1);
    if (h)
        og_traded_add(trading_of(h), t, -1);
}

/* The sign is a constant where it is used, since products of 128 bits take time. */
void og_facts_count_open(struct og_aggregates *s, struct og_holding_entry *h, const struct og_traded *t, int sign)
{
    if (sign < 0) {
        count_no_more(s, h, t);
        return;
    }
    og_traded_add(&s->totals.trading, t, 1);
    if (h)
        og_traded_add(trading_of(h), t, 1);
}

/* Returns a size as a whole number, rounded up. */
static int64_t whole(struct og_money size)
{
    const int64_t floor = og_money_floor(size);

    return floor + (og_money_cmp(og_money_from(floor), size) < 0);
}

void og_facts_count_open_row(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c, int sign)
{
    struct og_traded t = { .unsized = c->unsized || c->legless };
    int64_t size = 0, one;

    for (int i = 0; i < c->sizes; i++) { /* an order that may open or close has its size under both */
        one = whole(c->size[i].by);
        size = one > size ? one : size;
    }
    *(h->root ? &t.contracts : &t.shares) = size;
    t.unpriced = t.unsized || c->unpriced || c->closes < 0;
    t.cents = (og_wide)c->longs + c->shorts + (c->closes < 0 ? OG_AT_LEAST(c->closes) : c->closes);
    og_facts_count_open(s, h, &t, sign);
}

/* Returns the shares or the contracts of all legs in one unit of a spread. */
static OG_NOINLINE int64_t in_legs(const struct og_order *o, bool contracts)
{
    int64_t sum = 0;

    for (int i = 0; i < o->legs_kept; i++)
        sum += o->leg[i].occ.is == contracts ? o->leg[i].ratio : 0;
    return sum;
}

struct og_traded og_facts_trades_of(const struct og_order *o, int64_t units, int64_t cents)
{
    const int64_t size = units > 0 ? units : 0, part = size ? og_facts_part_worth(cents, units, o->quantity) : 0;
    const bool spread = o->security == OG_MLEG;

    return (struct og_traded){ .cents = part < 0 ? OG_AT_LEAST(part) : part,
                               .unpriced = part < 0,
                               .shares = spread      ? in_legs(o, false) * size
                                         : o->occ.is ? 0
                                                     : size,
                               .contracts = spread      ? in_legs(o, true) * size
                                            : o->occ.is ? size
                                                        : 0 };
}

/* --- what was traded ---------------------------------------------------------------------------------------------- */

/* Returns the underlying of a ticker, root or contract, as the key of its turnover; the text is in `to`, or lives as
 * long as the symbol. */
static struct og_str underlying_of(struct og_str symbol, char to[OG_SYMBOL_FOLDED])
{
    const struct og_root *known;
    struct og_occ occ;

    og_occ_read(symbol, &occ);
    if (occ.is)
        symbol = occ.root;
    if (og_root_is_derived(symbol))
        symbol = og_root_bare(symbol);
    known = og_root_find(symbol);
    return og_spelling_dotted(known ? known->underlying : symbol, to);
}

static struct og_turnover *turnover_of(struct og_facts *f, struct og_str symbol)
{
    char to[OG_SYMBOL_FOLDED];
    const struct og_str key = underlying_of(symbol, to);
    const uint64_t hash = og_facts_map_hash(key);
    struct og_turnover *t = og_facts_map_find(&f->underlyings, key, hash);
    struct og_str kept;

    if (t)
        return t;
    kept = og_arena_copy(&f->arena, key);
    t = kept.s ? og_facts_map_add(&f->underlyings, hash, og_facts_map_first(&f->underlyings, hash), sizeof *t) : NULL;
    if (!t)
        return NULL;
    t->underlying = kept;
    t->next = f->turnovers;
    f->turnovers = t;
    return t;
}

/* Returns how many rows are dated `at` or before. */
static size_t rows_by(const struct og_turnover *t, int64_t at)
{
    size_t low = 0, high = t->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (t->row[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns what was traded at `at` or before, as far as rows are kept. */
static const struct og_traded *sum_by(const struct og_turnover *t, int64_t at)
{
    const size_t rows = rows_by(t, at);

    return rows ? &t->row[rows - 1].sum : &t->before;
}

/* Drop the rows that no day and no window includes any more. */
static void forget_old(struct og_turnover *t)
{
    const size_t old = t->count ? rows_by(t, t->row[t->count - 1].at - OG_TRADED_NS) : 0;

    if (!old)
        return;
    t->before = t->row[old - 1].sum;
    t->count -= old;
    memmove(t->row, t->row + old, t->count * sizeof *t->row);
}

/* Make room for one more row.  Returns false if memory runs out. */
static bool make_room(struct og_turnover *t)
{
    struct og_traded_row *rows;
    size_t room;

    if (t->count < t->room)
        return true;
    forget_old(t);
    if (t->count <= t->room / 2 && t->room)
        return true;
    room = t->room ? 2 * t->room : FIRST_ROOM;
    rows = realloc(t->row, room * sizeof *rows);
    if (!rows)
        return false;
    t->row = rows;
    t->room = room;
    return true;
}

/* Add what was traded at `at`; there is room for a row. */
static void add_row(struct og_turnover *t, int64_t at, const struct og_traded *by)
{
    size_t i;

    if (at == OG_TIME_UNKNOWN) {
        og_traded_add(&t->undated, by, 1);
        return;
    }
    i = rows_by(t, at);
    memmove(t->row + i + 1, t->row + i, (t->count - i) * sizeof *t->row);
    t->row[i] = (struct og_traded_row){ at, i ? t->row[i - 1].sum : t->before };
    t->count++;
    for (; i < t->count; i++)
        og_traded_add(&t->row[i].sum, by, 1);
}

/* Set *more to what `all` has beyond *counted.  Returns false if it has nothing more. */
static bool has_more(const struct og_traded *all, const struct og_traded *counted, struct og_traded *more)
{
    more->cents = all->cents > counted->cents ? all->cents - counted->cents : 0;
    more->shares = all->shares > counted->shares ? all->shares - counted->shares : 0;
    more->contracts = all->contracts > counted->contracts ? all->contracts - counted->contracts : 0;
    more->unpriced = all->unpriced > counted->unpriced;
    more->unsized = all->unsized > counted->unsized;
    return more->cents || more->shares || more->contracts || more->unpriced || more->unsized;
}

/* Returns the record of how much of an order's fills is counted; NULL if memory runs out. */
static struct og_traded *counted_of(struct og_facts *f, const struct og_traded_fills *fills)
{
    const uint64_t hash = fills->id.len ? og_facts_map_hash(fills->id) : 0;
    struct og_traded_order *e = fills->id.len ? og_facts_map_find(&f->traded, fills->id, hash) : NULL;
    struct og_str kept;

    if (!fills->id.len)
        return fills->no_id;
    if (e)
        return &e->counted;
    kept = og_arena_copy(&f->arena, fills->id);
    e = kept.s ? og_facts_map_add(&f->traded, hash, og_facts_map_first(&f->traded, hash), sizeof *e) : NULL;
    if (!e)
        return NULL;
    e->id = kept;
    return &e->counted;
}

enum og_status og_facts_count_fills(struct og_facts *f, const struct og_traded_fills *fills)
{
    struct og_traded *counted = counted_of(f, fills), more;
    struct og_turnover *t = counted ? turnover_of(f, fills->symbol) : NULL;

    if (!t || !make_room(t) || !make_room(&f->turnover))
        return OG_ENOMEM;
    if (!has_more(&fills->all, counted, &more))
        return OG_OK;
    og_traded_add(counted, &more, 1);
    add_row(t, fills->at, &more);
    add_row(&f->turnover, fills->at, &more);
    return OG_OK;
}

/* Returns how much of an order has filled; all of it if the order has ended and its row does not say. */
static struct og_money executed_of(const struct og_known_order *k)
{
    return k->filled == OG_FILLED_UNSAID && k->over && k->terms.quantity.coef > 0 ? k->terms.quantity : k->executed;
}

/* Returns what the order of a row traded. Without an average price its fills count at its limit; if the limit does not
 * bound their value, the value is unknown. */
static struct og_traded traded_by_row(const struct og_known_order *k)
{
    const bool spread = k->terms.security == OG_MLEG;
    const struct og_money executed = executed_of(k);
    struct og_traded t = { .cents = 0 };
    struct og_occ occ;
    int64_t cents = -1;

    og_occ_read(k->traded, &occ);
    if (k->price.coef > 0)
        cents = og_cents_of(executed, k->price, occ.is || spread);
    else if (k->terms.limit.coef > 0 && k->limited)
        cents = og_cents_of(executed, k->terms.limit, occ.is || spread);
    t.cents = cents < 0 ? 0 : cents;
    t.unpriced = cents < 0 || (k->price.coef <= 0 && k->terms.side != OG_BUY);
    t.unsized = spread && !k->legs;
    if (spread)
        t.contracts = (k->legs ? k->legs : OG_LEGS_KEPT) * whole(executed);
    else
        *(occ.is ? &t.contracts : &t.shares) = whole(executed);
    return t;
}

enum og_status og_facts_count_rows(struct og_facts *f, int64_t at)
{
    const struct og_part *p = f->part[OG_AT_ORDERS];
    const struct og_id_entry *e;
    enum og_status s = OG_OK;
    size_t place = 0;

    while (p && !s && (e = og_facts_map_next(&p->map, &place)) != NULL) {
        const struct og_known_order *k = e->use == OG_ID_OTHER_ACCOUNT ? NULL : e->order;
        struct og_traded_fills fills = { .id = og_facts_id_text(e), .at = at };

        for (k = og_facts_owner(f, fills.id) ? NULL : k; k && !s; k = k->other) {
            if (executed_of(k).coef <= 0)
                continue;
            fills.symbol = k->traded;
            fills.all = traded_by_row(k);
            fills.at = k->updated != OG_TIME_UNKNOWN ? k->updated : at;
            s = og_facts_count_fills(f, &fills);
        }
    }
    return s;
}

/* Returns true if something was traded at an unknown time; this is rare. */
static inline bool has_undated(const struct og_turnover *t)
{
    const struct og_traded *u = &t->undated;

    return u->cents || u->shares | u->contracts || u->unpriced | u->unsized;
}

/* Give the time `now` to what was traded at an unknown time. */
static OG_COLD bool date(struct og_turnover *t, int64_t now)
{
    static const struct og_traded none;
    const struct og_traded undated = t->undated;

    if (!make_room(t))
        return false;
    t->undated = none;
    add_row(t, now, &undated);
    return true;
}

enum og_status og_facts_date_fills(struct og_facts *f, int64_t now)
{
    if (has_undated(&f->turnover) && !date(&f->turnover, now))
        return OG_ENOMEM;
    for (struct og_turnover *t = f->turnovers; t; t = t->next)
        if (has_undated(t) && !date(t, now))
            return OG_ENOMEM;
    return OG_OK;
}

/* --- sums --------------------------------------------------------------------------------------------------------- */

static void add_working(const struct og_facts *f, struct og_str name, struct og_traded *sum)
{
    const struct og_holding_entry *stock = og_facts_map_get(&f->sums->holdings, name);
    const struct og_root_entry *contracts = og_facts_map_get(&f->sums->roots, name);

    if (stock)
        og_traded_add(sum, &stock->trading, 1);
    if (contracts)
        og_traded_add(sum, &contracts->trading, 1);
}

/* Add what working orders on an underlying (in its dotted spelling) may still trade: on its stock in every spelling,
 * and on the contracts of every root. */
static void add_working_on(const struct og_facts *f, struct og_str underlying, struct og_traded *sum)
{
    char to[OG_SYMBOL_FOLDED], of[OG_SYMBOL_FOLDED];
    struct og_str name;

    add_working(f, OG_FACTS_ANY, sum); /* an order of unknown symbol may be on this underlying */
    add_working(f, underlying, sum);
    for (const struct og_root *r = og_root_next_on(underlying, NULL); r; r = og_root_next_on(underlying, r))
        if (!og_str_eq(r->root, underlying))
            add_working(f, r->root, sum);
    for (int i = 1; f->sums->spelled && i < OG_SPELLINGS; i++) {
        name = og_spelling(underlying, i, to);
        if (name.len && !og_root_find(name))
            add_working(f, name, sum);
    }
    for (const struct og_root_entry *e = f->sums->derived; e; e = e->next_derived)
        if (og_str_eq(underlying_of(e->is.root, of), underlying))
            add_working(f, e->is.root, sum);
}

/* Set *sum to what working orders may still trade; returns what was traded, or NULL if nothing was. */
static const struct og_turnover *working(const struct og_facts *f, struct og_str root, struct og_traded *sum)
{
    char to[OG_SYMBOL_FOLDED];
    struct og_str underlying;

    if (!root.len) {
        *sum = f->sums->totals.trading;
        return &f->turnover;
    }
    *sum = (struct og_traded){ .cents = 0 };
    underlying = underlying_of(root, to);
    add_working_on(f, underlying, sum);
    return og_facts_map_get(&f->underlyings, underlying);
}

/* Add what was traded after `since`. */
static void add_since(const struct og_turnover *t, int64_t since, struct og_traded *sum)
{
    og_traded_add(sum, &t->undated, 1);
    if (!t->count)
        return;
    og_traded_add(sum, &t->row[t->count - 1].sum, 1);
    og_traded_add(sum, sum_by(t, since), -1);
}

void og_facts_traded_since(const struct og_facts *f, struct og_str root, int64_t since, struct og_traded *sum)
{
    const struct og_turnover *t = working(f, root, sum);

    if (t)
        add_since(t, since, sum);
}

struct og_str og_facts_traded_next(const struct og_facts *f, const struct og_turnover **at)
{
    *at = *at ? (*at)->next : f->turnovers;
    return *at ? (*at)->underlying : (struct og_str){ NULL, 0 };
}

void og_facts_traded_on(const struct og_facts *f, struct og_str root, int date, struct og_traded *sum)
{
    const struct og_turnover *t = working(f, root, sum);
    const struct og_part *gate = root.len ? NULL : f->part[OG_AT_CALLS];
    int64_t since = og_eastern_instant(date / 10000, date / 100 % 100, date % 100, 0) - 1;

    if (gate && gate->gate->has_traded && (gate->as_of == OG_TIME_UNKNOWN || gate->gate->date == date)) {
        og_traded_add(sum, &gate->gate->traded, 1);
        /* the sender's own count includes what was traded until then */
        if (gate->as_of != OG_TIME_UNKNOWN && gate->as_of > since)
            since = gate->as_of;
    }
    if (t)
        add_since(t, since, sum);
}
