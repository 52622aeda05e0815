/*
 * What the written contracts of one root and type can lose in all: as they are held, and after an order has filled.
 */
#include "facts/data.h"
#include "facts/written.h"
#include "order/roots.h"

/* Returns how an order (NULL if there is none) changes a contract. A sale may close longs; an order that only closes
 * buys shorts back. Calls that a leg opens count too: a call that is bought covers others, and a call that is written
 * is covered by held ones. Puts that a leg writes do not: the order's own worth counts them, and assumes no such
 * cover. */
static struct changed changes_of(const struct og_order *o, struct og_str traded, int type)
{
    struct changed by = { 0, 0, 0, false };

    for (int i = 0; o && i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if ((t.opens > 0 && type == WRITTEN_PUTS) || !og_str_eq(t.symbol, traded))
            continue;
        by.either = by.either || (t.side == OG_SELL && t.opens < 0 && type == WRITTEN_CALLS);
        if (t.side == OG_SELL && t.opens > 0)
            by.shorts += t.size;
        else if (t.side == OG_SELL)
            by.sold += t.size;
        else if (t.side == OG_BUY && t.opens > 0)
            by.longs += t.size;
        else if (t.side == OG_BUY && t.opens == 0)
            by.shorts -= t.size;
    }
    return by;
}

/* Returns the shares of a ticker that an order sells. */
static int64_t shares_sold(const struct og_order *o, struct og_str ticker)
{
    int64_t sold = 0;

    for (int i = 0; o && i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        sold += !t.occ->is && t.side == OG_SELL && og_str_eq(t.symbol, ticker) ? t.size : 0;
    }
    return sold;
}

static int64_t whole_up(struct og_money shares)
{
    const int64_t floor = og_money_floor(shares);

    return floor + (og_money_cmp(og_money_from(floor), shares) < 0);
}

int64_t og_facts_shares_held(const struct og_aggregates *s, struct og_str root, enum others others)
{
    const struct og_str ticker = og_root_shares(root);
    const struct og_holding_entry *h = ticker.len ? og_facts_map_get(&s->holdings, ticker) : NULL;
    int64_t shares, shorts;

    if (!h)
        return 0;
    shares = og_money_floor(h->is.held_long) - (others != OTHERS_WAIT ? whole_up(h->is.closing_sells) : 0);
    shorts = whole_up(h->is.held_short) +
             (others == OTHERS_WAIT ? -whole_up(h->is.closing_buys) : whole_up(h->is.opening_sell_leaves));
    shares -= shorts > 0 ? shorts : 0;
    return shares > 0 ? shares : 0;
}

void og_facts_add_lot(struct lots *l, const struct og_occ *occ, int64_t shorts, int64_t longs, int64_t sold)
{
    sold = sold < longs ? sold : longs;
    if (l->count < OG_LOTS)
        l->lot[l->count] = (struct og_lot){ occ->strike, occ->expiry, shorts > 0 ? shorts : 0, longs - sold, sold };
    l->count++;
}

/* --- calls that working orders sell or buy back ------------------------------------------------------------------- */

/* Returns how many longs of a contract working orders sell that certainly close. A sale that may open instead is a
 * leaner, and loses as much. */
static int64_t longs_sold(const struct at_work *w, const struct og_holding_entry *e)
{
    const int64_t sold = w->sales ? og_money_floor(e->is.closing_sells) - og_money_floor(e->is.either_sells) : 0;

    return sold <= 0 ? 0 : sold < e->longs ? sold : e->longs;
}

/* Returns how many shorts of a contract working orders may buy back. */
static int64_t bought_back(const struct og_holding_entry *e)
{
    const int64_t bought = og_money_floor(e->is.closing_buys);

    return bought <= 0 ? 0 : bought < e->shorts ? bought : e->shorts;
}

static int64_t calls_at_work(const struct at_work *w, const struct og_holding_entry *e)
{
    return type_of(&e->is.occ) == WRITTEN_CALLS ? e->leaners + longs_sold(w, e) + bought_back(e) : 0;
}

/* Returns how many calls can be left out at the highest strike below `below`. */
static int64_t out_at_next(const struct at_work *w, const struct og_root_entry *root, int64_t below, int64_t *strike)
{
    int64_t sum = 0, calls;

    *strike = -1;
    for (const struct og_holding_entry *e = first_contract(root); e; e = next_contract(e)) {
        calls = calls_at_work(w, e);
        if (!calls || e->is.occ.strike >= below || e->is.occ.strike < *strike)
            continue;
        sum = e->is.occ.strike > *strike ? calls : sum + calls;
        *strike = e->is.occ.strike;
    }
    return sum;
}

int64_t og_facts_all_at_work(const struct at_work *w, const struct og_root_entry *root)
{
    int64_t sum = 0;

    for (const struct og_holding_entry *e = first_contract(root); e; e = next_contract(e))
        sum += calls_at_work(w, e);
    return sum;
}

void og_facts_leave_out(struct at_work *w, const struct og_root_entry *root, int64_t count)
{
    int64_t calls, strike;

    w->strike = ANY_STRIKE;
    w->out = 0;
    while (count > 0 && (calls = out_at_next(w, root, w->strike, &strike)) > 0) {
        w->strike = strike;
        w->out = calls < count ? calls : count;
        count -= w->out;
    }
}

static int64_t less_out(struct at_work *w, int64_t calls)
{
    const int64_t out = w->out < calls ? w->out : calls;

    w->out -= out;
    return calls - out;
}

struct fills og_facts_at_work(struct at_work *w, const struct og_holding_entry *e)
{
    struct fills f = { e->shorts, 0, 0 };
    int64_t bought;

    if (w->strike == NO_STRIKE)
        return f;
    bought = w->strike == ANY_STRIKE ? 0 : bought_back(e);
    if (e->is.occ.strike > w->strike) {
        f.shorts -= bought;
        return f;
    }
    f.leaners = e->leaners;
    f.sold = longs_sold(w, e);
    if (e->is.occ.strike < w->strike)
        return f;
    f.leaners = less_out(w, f.leaners);
    f.sold = less_out(w, f.sold);
    f.shorts -= bought - less_out(w, bought);
    return f;
}

/* --- what counts already ------------------------------------------------------------------------------------------ */

/* Calls, or puts, that count already: at their premium, and at all, as in struct counted. */
struct calls_counted {
    int64_t calls;
    og_wide premium, counts;
};

static og_wide part_of(og_wide cents, int64_t calls, int64_t all)
{
    return calls == all ? cents : calls ? cents * calls / all : 0;
}

/* Return what counts of a contract: the shorts that stay, and the leaners that fill. */
static struct calls_counted shorts_counted(const struct og_holding_entry *e, struct fills f)
{
    return (struct calls_counted){ f.shorts, part_of(e->premium, f.shorts, e->shorts),
                                   part_of(e->premium + e->counts, f.shorts, e->shorts) };
}

static struct calls_counted leaners_counted(const struct og_holding_entry *e, struct fills f)
{
    return (struct calls_counted){ f.leaners, part_of(e->leaning_brings, f.leaners, e->leaners),
                                   part_of(e->leaning, f.leaners, e->leaners) };
}

static void count(struct counted *sum, struct calls_counted of)
{
    sum->premium += of.premium;
    sum->counts += of.counts;
}

static bool is_cheaper(const struct calls_counted *a, const struct calls_counted *b)
{
    return a->counts * b->calls < b->counts * a->calls;
}

/* Insert calls into a list in order of what one of them counts at. If there is no room, only *count grows. */
static void insert(struct calls_counted *list, int *count, struct calls_counted of)
{
    int at = (*count)++;

    if (at >= OG_LOTS)
        return;
    for (; at > 0 && is_cheaper(&of, &list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = of;
}

/* Some calls have no cover, and count at their price beside what the others lose. It is open which ones these are, so
 * only what the cheapest of them count at is part of the loss. covered: calls with cover, in shares. */
static OG_NOINLINE void count_cheapest(struct counted *sum, const struct og_root_entry *root, bool write,
                                       struct at_work at_work, int64_t covered)
{
    struct calls_counted list[OG_LOTS];
    int number = 0;

    sum->premium = sum->counts = 0;
    for (const struct og_holding_entry *e = first_contract(root); e; e = next_contract(e)) {
        struct fills f = { e->shorts, 0, 0 };

        if (type_of(&e->is.occ) != WRITTEN_CALLS)
            continue;
        if (write)
            f = og_facts_at_work(&at_work, e);
        if (f.shorts > 0)
            insert(list, &number, shorts_counted(e, f));
        if (f.leaners > 0)
            insert(list, &number, leaners_counted(e, f));
    }
    for (int i = 0; number <= OG_LOTS && i < number && covered > 0; i++) {
        const int64_t all = list[i].calls * 100, some = all < covered ? all : covered;

        sum->premium += part_of(list[i].premium, some, all);
        sum->counts += part_of(list[i].counts, some, all);
        covered -= some;
    }
}

/* Returns true if the contract is held, or counts since working orders will write or buy it. */
static bool is_there(const struct og_holding_entry *e, enum others others)
{
    return e->shorts || e->longs || (others == OTHERS_WRITE && (e->leaners || e->beside));
}

int64_t og_facts_may_close(const struct og_holding_entry *e, int64_t leaners)
{
    const int64_t either = og_money_floor(e->is.either_sells);

    return leaners < either ? leaners : either;
}

/* Returns how many calls the order writes because the others leave too few longs to close. gone: longs that the others
 * certainly sell. */
static int64_t rest_of(const struct og_holding_entry *e, struct changed by, enum others others, int64_t leaners,
                       int64_t gone)
{
    int64_t left = e->longs - gone - og_facts_may_close(e, leaners);

    if (!by.either)
        return 0;
    if (others == OTHERS_FILL)
        left = e->longs - og_money_floor(e->is.closing_sells);
    left = left > 0 ? left : 0;
    return by.sold > left ? by.sold - left : 0;
}

/* Add a contract as it is after an order; `rest` and *written as in og_facts_lose_on(). */
static void add_lot_of(struct lots *l, const struct og_holding_entry *e, struct changed by, enum others others,
                       bool sales, struct fills f, bool rest, int64_t *written)
{
    const int64_t longs = e->longs + by.longs;
    const bool write = others == OTHERS_WRITE;
    int64_t closing = others == OTHERS_WAIT ? 0 : og_money_floor(e->is.closing_sells), more, sold;

    more = rest_of(e, by, others, f.leaners, f.sold);
    *written += more;
    if (rest && more > 0) { /* a leaner that closes leaves as many longs for the order as one that writes */
        by.shorts += more;
        by.sold -= more;
        closing -= og_facts_may_close(e, f.leaners);
    }
    sold = (closing > 0 ? closing : 0) + by.sold;
    if (sales) { /* the sales of longs are certain: these cover nothing any more */
        f.sold = f.sold + by.sold < longs ? f.sold + by.sold : longs;
        sold = 0;
    }
    by.shorts += f.shorts;
    og_facts_add_lot(l, &e->is.occ, (by.shorts > 0 ? by.shorts : 0) + f.leaners,
                     longs - f.sold + (write ? e->beside : 0), sold < longs ? sold : longs);
}

/* Add the calls that an order opens in contracts for which is_there() is false, and which are thus not in the lots
 * yet. */
static void add_new(struct lots *l, const struct og_aggregates *s, const struct og_root_entry *root,
                    const struct og_order *o, enum others others)
{
    for (int i = 0; o && i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);
        const struct og_holding_entry *h;

        if (t.opens <= 0 || !t.occ->is || type_of(t.occ) != WRITTEN_CALLS || !og_str_eq(t.occ->root, root->is.root))
            continue;
        h = og_facts_map_get(&s->holdings, t.symbol);
        if (!h || !is_there(h, others))
            og_facts_add_lot(l, t.occ, t.side == OG_SELL ? t.size : 0, t.side == OG_BUY ? t.size : 0, 0);
    }
}

og_wide og_facts_calls_lose(struct lots *lots, int64_t sold, struct by_shares *by)
{
    for (int i = 0; i < lots->count; i++) {
        lots->lot[i].shorts *= 100;
        lots->lot[i].longs *= 100;
        lots->lot[i].maybe *= 100;
    }
    return (og_calls_lose(lots->lot, lots->count, by->held > sold ? by->held - sold : 0, &by->bare) + 99) / 100;
}

og_wide og_facts_lose_on(const struct og_aggregates *s, const struct og_root_entry *root, int type,
                         const struct og_order *o, enum others others, const struct at_work *at_work, bool rest,
                         struct counted *counted)
{
    const struct at_work all = { .strike = ANY_STRIKE };
    const bool write = others == OTHERS_WRITE;
    struct by_shares shares;
    struct lots lots;
    og_wide cents = 0;
    struct at_work work = at_work ? *at_work : all;
    int64_t sold, calls = 0;

    lots.count = 0;
    *counted = (struct counted){ .cover = INT64_MAX };
    for (const struct og_holding_entry *e = first_contract(root); e; e = next_contract(e)) {
        struct fills f = { e->shorts, 0, 0 };

        if (type_of(&e->is.occ) != type || !is_there(e, others))
            continue;
        cents += type == WRITTEN_PUTS ? og_put_strikes(e->is.occ.strike, e->shorts) : 0;
        if (write)
            f = og_facts_at_work(&work, e);
        count(counted, shorts_counted(e, f));
        count(counted, leaners_counted(e, f));
        calls += f.shorts + f.leaners;
        add_lot_of(&lots, e, changes_of(o, e->is.traded, type), others, work.sales, f, rest, &counted->rest);
    }
    if (type == WRITTEN_CALLS)
        add_new(&lots, s, root, o, others);
    if (lots.count > OG_LOTS)
        return cents;
    if (type == WRITTEN_PUTS)
        return og_puts_lose(lots.lot, lots.count);
    shares.held = og_facts_shares_held(s, root->is.root, others);
    sold = shares_sold(o, og_root_shares(root->is.root));
    cents = og_facts_calls_lose(&lots, sold, &shares);
    counted->cover = shares.held > shares.bare ? shares.held - shares.bare : 0;
    if (shares.bare > shares.held) /* if only the shares that the order sells are missing, a part of it may fill */
        count_cheapest(counted, root, write, at_work ? *at_work : all, calls * 100 - (shares.bare - shares.held));
    sold = sold < shares.held ? sold : shares.held;
    counted->bare = shares.bare > shares.held - sold ? (shares.bare - shares.held + sold + 99) / 100 : 0;
    return cents;
}
