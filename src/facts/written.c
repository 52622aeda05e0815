/*
 * Keeps the possible loss of options held short up to date, root by root and type by type, and says how much an order
 * uncovers; written_loss.c computes one such loss. Each option counts at the most that it can lose when its cover is
 * taken into account, less its average price, and never at less than when it was written. A long contract of any strike
 * is cover; so are shares for calls. Each share covers its part of a call, so that the sale of some shares never makes
 * the loss larger than what is counted. A call that nothing covers has no bound and counts at its price. Orders that
 * filled after positions were read keep the value that they had as orders. Contracts and shares that a working order
 * may sell are not cover.
 */
#include "facts/written.h"

#include "facts/data.h"
#include "order/roots.h"

#define CONTRACTS_MOST INT64_C(1000000000000)
#define WIDE_MOST      ((og_wide)1 << 120)

/* Returns true if some trade of the order closes, or may close; a short sale of shares that are held counts as a trade
 * that may. */
static bool may_close(const struct og_order *o)
{
    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (og_trade_may_close(&t) || (!t.occ->is && t.side == OG_SELL))
            return true;
    }
    return false;
}

/* The lowest strike of short calls, and the highest strike of short puts. */
struct short_strikes {
    int64_t call, put;
    int expiry;
    bool several; /* expiries */
};

static const struct short_strikes no_shorts = { INT64_MAX, 0, 0, false };

static void add_short(struct short_strikes *s, const struct og_occ *occ)
{
    s->several = s->several || (s->expiry && s->expiry != occ->expiry);
    s->expiry = occ->expiry;
    if (type_of(occ) == WRITTEN_CALLS)
        s->call = occ->strike < s->call ? occ->strike : s->call;
    else
        s->put = occ->strike > s->put ? occ->strike : s->put;
}

/* Returns true if the short calls and the short puts of a root cannot both lose: all expire together, and no call's
 * strike is below a put's, so that no price of the underlying is above a call's strike and below a put's. */
static bool is_either(const struct og_root_entry *root, struct short_strikes s)
{
    for (const struct og_holding_entry *e = first_contract(root); e; e = next_contract(e))
        if (e->shorts || e->leaners)
            add_short(&s, &e->is.occ);
    return !s.several && s.call >= s.put;
}

bool og_facts_loses_once(const struct og_facts *f, const struct og_order *o)
{
    struct short_strikes s = no_shorts;
    struct og_str root = { NULL, 0 };

    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (t.side != OG_SELL || t.opens == 0 || !t.occ->is)
            continue;
        if (root.len && !og_str_eq(root, t.occ->root))
            return false;
        root = t.occ->root;
        add_short(&s, t.occ);
    }
    return is_either(og_facts_map_get(&f->sums->roots, root), s);
}

static og_wide both(bool either, og_wide calls, og_wide puts)
{
    return !either ? calls + puts : calls > puts ? calls : puts;
}

/* Returns true if working orders write calls that long calls held may cover. */
static bool leans(const struct og_written *of)
{
    return of->leaners > 0 && of->longs > 0;
}

/* Returns true if the loss depends on which calls of working orders are there: some lean, or some that are held have
 * no cover, and may get it once others are bought back. */
static bool depends_on_others(const struct og_written *of, const struct counted *held)
{
    return of->longs > 0 && (of->leaners > 0 || held->bare > 0);
}

/* Leave out as many calls as have no cover if all that working orders sell are sold: only calls with cover have a
 * bounded loss, so fewer calls may mean a larger loss. Returns false if there is nothing to leave out. */
static bool leave_bare(struct at_work *at_work, const struct og_root_entry *root, int64_t bare)
{
    const int64_t all = og_facts_all_at_work(at_work, root);

    og_facts_leave_out(at_work, root, bare < all ? bare : all);
    return bare > 0 && all > 0;
}

/* Returns the part of the loss that no position or order counts: the larger of two cases, that all leaners fill and no
 * short is bought back, or that as many are left out as leave every call covered. */
static og_wide lose_by_others(const struct og_aggregates *s, const struct og_root_entry *root)
{
    const struct og_written *of = &root->written[WRITTEN_CALLS];
    struct at_work at_work = { .strike = ANY_STRIKE };
    struct counted counted;
    og_wide most = 0, loss;
    bool again = false;

    do {
        loss = og_facts_lose_on(s, root, WRITTEN_CALLS, NULL, OTHERS_WRITE, &at_work, false, &counted);
        most = more_of(most, beyond(loss, counted.counts + of->filled));
        again = !again && leave_bare(&at_work, root, counted.bare);
    } while (again);
    return most;
}

/* Compute what the contracts of a type can lose. filled: the cents of the growth since the last computation that are
 * already counted, by the order that filled. */
static void work_out_type(struct og_aggregates *s, struct og_root_entry *root, int type, og_wide filled)
{
    struct og_written *of = &root->written[type];
    struct counted counted = { 0 };
    const og_wide loss = of->shorts ? og_facts_lose_on(s, root, type, NULL, OTHERS_FILL, NULL, false, &counted) : 0;
    const og_wide grown = beyond(loss, of->loss);

    of->filled += grown < filled ? grown : filled;
    if (type == WRITTEN_PUTS)
        s->totals.puts_lose += loss - of->loss;
    of->loss = loss;
    of->lose = beyond(loss, counted.counts + of->filled);
    if (depends_on_others(of, &counted))
        of->lose = more_of(of->lose, lose_by_others(s, root));
}

/* Returns true if contracts of the root are held short, or working orders write calls that only long calls held can
 * cover. */
static bool has_shorts(const struct og_root_entry *root)
{
    const struct og_written *calls = &root->written[WRITTEN_CALLS], *puts = &root->written[WRITTEN_PUTS];

    return calls->shorts || calls->leaners || puts->shorts;
}

/* Returns how much of what the working closes of the root's written puts will pay comes from the strikes that they
 * free. If long puts are held, a close may free less than the strike, so nothing counts then. */
static og_wide freed_by(const struct og_root_entry *root)
{
    og_wide sum = 0;

    for (const struct og_holding_entry *e = first_contract(root); e; e = next_contract(e)) {
        const int64_t closing = og_money_floor(e->is.closing_buys);
        og_wide strikes;

        if (type_of(&e->is.occ) != WRITTEN_PUTS)
            continue;
        if (e->longs)
            return 0;
        strikes = og_put_strikes(e->is.occ.strike, closing < e->shorts ? closing : e->shorts);
        sum += e->buys_back < strikes ? e->buys_back : strikes;
    }
    return sum;
}

static void work_out(struct og_aggregates *s, struct og_root_entry *root, og_wide calls_filled, og_wide puts_filled)
{
    const og_wide was = root->lose, frees = root->buys_back ? freed_by(root) : 0;

    root->stale = false;
    work_out_type(s, root, WRITTEN_CALLS, calls_filled);
    work_out_type(s, root, WRITTEN_PUTS, puts_filled);
    root->either = !has_shorts(root) || is_either(root, no_shorts);
    root->lose = both(root->either, root->written[WRITTEN_CALLS].lose, root->written[WRITTEN_PUTS].lose);
    s->totals.lose += root->lose - was;
    s->totals.buying -= frees - root->frees;
    root->frees = frees;
}

/* Returns true for a row of the document of positions; the other changes of held contracts are fills of orders. */
static bool is_position(const struct og_change *c)
{
    return c->lots && c->loose.coef;
}

/* Count a change in the number of contracts held short. */
static void count_shorts(struct og_aggregates *s, struct og_holding_entry *h, int64_t contracts)
{
    const int type = type_of(&h->is.occ);

    h->shorts += contracts;
    h->root->written[type].shorts += contracts;
    s->totals.written += contracts;
    s->totals.calls_written += type == WRITTEN_CALLS ? contracts : 0;
}

static void count_longs(struct og_holding_entry *h, int64_t contracts)
{
    h->longs += contracts;
    h->root->written[type_of(&h->is.occ)].longs += contracts;
}

/* Some of the held contracts were closed: count that. The remaining shorts keep their part of the premium and of the
 * value, rounded down. */
static void close_some(struct og_aggregates *s, struct og_holding_entry *h, bool shorts, int64_t contracts)
{
    const int64_t held = shorts ? h->shorts : h->longs, closed = contracts < held ? contracts : held;

    if (closed <= 0)
        return;
    if (!shorts) {
        count_longs(h, -closed);
        return;
    }
    h->premium = h->premium * (held - closed) / held;
    h->counts = h->counts * (held - closed) / held;
    count_shorts(s, h, -closed);
}

/* Returns the contracts of a change, at most CONTRACTS_MOST: sums of that many never overflow, and nobody holds
 * more. */
static int64_t contracts_of(struct og_money by)
{
    const int64_t contracts = og_money_floor(by);

    return contracts < CONTRACTS_MOST ? contracts : CONTRACTS_MOST;
}

/* Contracts that shares may cover have two roots where the ticker is that of a class share: its own root (BRKB), and
 * one that is spelled like the ticker (BRK.B). */
enum { ROOTS_ON_SHARES = 2 };

/* Returns the i-th root of contracts that shares of a ticker may cover; empty if there is none. */
static struct og_str root_on_shares(struct og_str ticker, int i)
{
    const struct og_str root = og_root_on(ticker);

    return i == 0 ? root : og_str_eq(root, ticker) ? (struct og_str){ NULL, 0 } : ticker;
}

/* Returns the i-th root whose written contracts must be computed anew after a change of the holding; NULL if there is
 * none. */
static struct og_root_entry *concerned(struct og_aggregates *s, const struct og_holding_entry *h, int i)
{
    struct og_str root;

    if (h->root || (!s->totals.calls_written && !s->totals.calls_leaning))
        return i == 0 ? h->root : NULL;
    root = root_on_shares(h->is.traded, i);
    return root.len ? og_facts_map_get(&s->roots, root) : NULL;
}

static void changed(struct og_aggregates *s, struct og_root_entry *root)
{
    root->stale = true;
    if (!s->written_later)
        work_out(s, root, 0, 0);
}

void og_facts_count_written(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c, int sign)
{
    for (int i = 0; i < c->sizes; i++) {
        const bool shorts = c->size[i].of == OG_HELD_SHORT;
        const int64_t contracts = contracts_of(c->size[i].by);

        if (!shorts && c->size[i].of != OG_HELD_LONG)
            continue;
        if (sign < 0)
            close_some(s, h, shorts, contracts);
        else if (shorts)
            count_shorts(s, h, contracts);
        else
            count_longs(h, contracts);
        if (shorts && is_position(c)) {
            h->premium += c->least;
            h->counts += c->shorts;
        }
    }
    changed(s, h->root);
}

void og_facts_count_shares(struct og_aggregates *s, struct og_holding_entry *h)
{
    for (int i = 0; i < ROOTS_ON_SHARES; i++) {
        struct og_root_entry *root = concerned(s, h, i);

        if (root && (root->written[WRITTEN_CALLS].shorts || leans(&root->written[WRITTEN_CALLS])))
            changed(s, root);
    }
}

void og_facts_count_leaning(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c, int sign)
{
    struct og_written *of = &h->root->written[WRITTEN_CALLS];

    for (int i = 0; i < c->sizes; i++) {
        const int64_t contracts = sign * contracts_of(c->size[i].by);

        if (c->size[i].of == OG_OPENING_SELL_LEAVES) {
            h->leaners += contracts;
            of->leaners += contracts;
            s->totals.calls_leaning += contracts;
        } else if (c->size[i].of == OG_OPENING_BUY_LEAVES) {
            h->beside += contracts;
        }
    }
    h->leaning += sign * c->leaning;
    h->leaning_brings += sign * c->brings;
    if (of->longs)
        changed(s, h->root);
}

void og_facts_written_settle(struct og_aggregates *s)
{
    struct og_root_entry *root;
    size_t at = 0;

    s->written_later = false;
    while ((root = og_facts_map_next(&s->roots, &at)) != NULL)
        if (root->stale)
            work_out(s, root, 0, 0);
}

/* Returns how many cents of the loss of written calls the filled units of an order already count. For a spread
 * this is all of the loss; for a single contract it is the order's value plus its limit: the premium was received, so
 * it is not lost. */
static og_wide calls_counted(const struct og_order *o, int64_t units, int64_t value)
{
    const bool limited = og_order_wants_limit(o) && o->limit.coef > 0;
    const int64_t premium = limited ? og_cents_of(og_money_from(units), o->limit, true) : 0;

    if (o->security == OG_MLEG)
        return WIDE_MOST;
    return o->side != OG_SELL ? 0 : (og_wide)(value < 0 ? OG_AT_LEAST(value) : value) + (premium > 0 ? premium : 0);
}

void og_facts_written_filled(struct og_aggregates *s, struct og_holding_entry *h, const struct og_order *o,
                             int64_t units, int64_t cents)
{
    og_wide counted = calls_counted(o, units, cents);

    for (int i = 0; i < ROOTS_ON_SHARES; i++) {
        struct og_root_entry *root = concerned(s, h, i);
        const og_wide was = root ? root->written[WRITTEN_CALLS].filled : 0;

        if (!root || !root->stale)
            continue;
        work_out(s, root, counted, WIDE_MOST);
        counted -= root->written[WRITTEN_CALLS].filled - was;
    }
}

/* Returns a root of which the order may sell cover; NULL: none. Each trade has ROOTS_ON_SHARES places. */
static const struct og_root_entry *cover_sold(const struct og_facts *f, const struct og_order *o, int place)
{
    const struct og_trade t = og_order_trade(o, place / ROOTS_ON_SHARES);
    const int i = place % ROOTS_ON_SHARES;
    struct og_str root;

    if (t.side != OG_SELL || !t.symbol.len || (t.occ->is && ((t.occ->type == 'P' && t.opens > 0) || i > 0)))
        return NULL;
    root = t.occ->is ? t.occ->root : root_on_shares(t.symbol, i);
    return root.len ? og_facts_map_get(&f->sums->roots, root) : NULL;
}

/* How much the contracts of a type can lose beyond the amounts already counted: before the order, and after it. */
struct loss {
    og_wide before, after;
};

/* Returns true if some trade of the order writes calls of the root. */
static bool writes_calls(const struct og_order *o, struct og_str root)
{
    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (t.side == OG_SELL && t.opens != 0 && t.occ->is && type_of(t.occ) == WRITTEN_CALLS &&
            og_str_eq(t.occ->root, root))
            return true;
    }
    return false;
}

/* Returns `loss`, or what calls lose after an order if the calls that it writes since too few longs are left to close
 * (counted.rest) are included, less what these are sold for, if that is more. */
static og_wide with_rest(const struct og_facts *f, const struct og_root_entry *root, const struct og_order *o,
                         enum others others, const struct at_work *at_work, og_wide loss, struct counted counted)
{
    const bool limited = og_order_wants_limit(o) && o->limit.coef > 0;
    og_wide full;
    int64_t premium;

    if (counted.rest <= 0)
        return loss;
    premium = limited ? og_cents_of(og_money_from(counted.rest), o->limit, true) : 0;
    full = og_facts_lose_on(f->sums, root, WRITTEN_CALLS, o, others, at_work, true, &counted);
    return more_of(loss, premium > 0 ? beyond(full, premium) : full);
}

/* Raise *lost to what is lost beside leaners that fill: all, or as many left out as leave every call covered. Returns
 * the growth as lose_by() counts it; with `sales` it is the growth beside sales of long calls that fill too, and *lost
 * stays. */
static og_wide lose_beside(const struct og_facts *f, const struct og_root_entry *root, const struct og_order *o,
                           bool sales, struct loss *lost, struct og_uncovered *u)
{
    struct at_work at_work = { .sales = sales, .strike = ANY_STRIKE };
    struct counted counted;
    og_wide was, loss, worth = 0;
    bool again = false;

    do {
        was = og_facts_lose_on(f->sums, root, WRITTEN_CALLS, NULL, OTHERS_WRITE, &at_work, false, &counted);
        loss = og_facts_lose_on(f->sums, root, WRITTEN_CALLS, o, OTHERS_WRITE, &at_work, false, &counted);
        worth = more_of(
            worth, beyond(with_rest(f, root, o, OTHERS_WRITE, &at_work, loss, counted), more_of(counted.premium, was)));
        if (!sales)
            lost->after = more_of(lost->after, beyond(loss, counted.counts + root->written[WRITTEN_CALLS].filled));
        u->shares = counted.cover < u->shares ? counted.cover : u->shares;
        again = !again && leave_bare(&at_work, root, counted.bare);
    } while (again);
    return worth;
}

/* Returns what the contracts of a type can lose. Adds the growth to u->worth as if the contracts were written now: at
 * most the loss less what they were sold for. */
static struct loss lose_by(const struct og_facts *f, const struct og_root_entry *root, int type,
                           const struct og_order *o, enum others others, struct og_uncovered *u)
{
    const struct og_written *of = &root->written[type];
    struct counted counted;
    struct loss lost = { of->lose, 0 }; /* others == OTHERS_FILL */
    og_wide was = of->loss, loss, worth;

    if (!of->shorts && !leans(of) && (type == WRITTEN_PUTS || !writes_calls(o, root->is.root)))
        return (struct loss){ 0, 0 };
    if (others != OTHERS_FILL) {
        was = og_facts_lose_on(f->sums, root, type, NULL, others, NULL, false, &counted);
        lost.before = beyond(was, counted.counts + of->filled);
    }
    loss = og_facts_lose_on(f->sums, root, type, o, others, NULL, false, &counted);
    worth = beyond(with_rest(f, root, o, others, NULL, loss, counted), more_of(counted.premium, was));
    lost.after = beyond(loss, counted.counts + of->filled);
    if (type == WRITTEN_CALLS && counted.cover < u->shares)
        u->shares = counted.cover;
    if (others == OTHERS_FILL && type == WRITTEN_CALLS && depends_on_others(of, &counted)) {
        worth = more_of(worth, lose_beside(f, root, o, false, &lost, u));
        worth = more_of(worth, lose_beside(f, root, o, true, &lost, u));
    }
    u->worth += worth;
    return lost;
}

/* Returns what the order uncovers if every other working order has filled, or if none has. */
static struct og_uncovered uncovers(const struct og_facts *f, const struct og_order *o, enum others others)
{
    struct og_uncovered u = { 0, 0, INT64_MAX };

    for (int i = 0; i < og_order_trades(o) * ROOTS_ON_SHARES; i++) {
        const struct og_root_entry *root = cover_sold(f, o, i);
        bool again = false;
        struct loss calls, puts;

        for (int k = 0; root && k < i; k++) /* skip a root that an earlier place of the order has */
            again = again || cover_sold(f, o, k) == root;
        if (!root || again)
            continue;
        calls = lose_by(f, root, WRITTEN_CALLS, o, others, &u);
        puts = lose_by(f, root, WRITTEN_PUTS, o, others, &u);
        u.more += beyond(both(root->either, calls.after, puts.after), both(root->either, calls.before, puts.before));
    }
    return u;
}

bool og_facts_uncovers(const struct og_facts *f, const struct og_order *o, struct og_uncovered *filled,
                       struct og_uncovered *waiting)
{
    if (!may_close(o)) { /* the calls that it writes count at its own worth: og_facts_writes() */
        *filled = *waiting = (struct og_uncovered){ 0, 0, 0 };
        return false;
    }
    *filled = uncovers(f, o, OTHERS_FILL);
    *waiting = uncovers(f, o, OTHERS_WAIT);
    return filled->more > 0 || waiting->more > 0;
}
