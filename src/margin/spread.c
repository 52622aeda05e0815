/*
 * The worst-case worth of a spread, and the value with which its legs will count once they are positions.
 */
#include "base/attributes.h"
#include "margin/amounts.h"

static const struct og_quote *leg_quote(const struct og_leg *l, const struct og_market *m)
{
    const bool contract = l->occ.is && !l->symbol_bytes;
    const struct og_quote *q = !m->facts  ? NULL
                               : contract ? og_facts_contract_quote(m->facts, l->symbol)
                                          : og_facts_quote(m->facts, l->symbol);

    if (!q || !og_fact_is_fresh(q->as_of, m->now, m->quote_age))
        return NULL;
    return (l->side == OG_BUY ? q->has_ask : q->has_bid) ? q : NULL;
}

/* Returns the shares that one unit of the spread has in this leg. */
static int64_t leg_shares(const struct og_leg *l)
{
    return l->ratio * (l->occ.is ? CONTRACT_SHARES : 1);
}

/* Set *net to the cost of a unit by the quotes of its legs: bought legs at the ask plus slippage, sold legs at the bid.
 * *sold: the highest quoted value of the sold legs. */
static enum og_worth by_legs(const struct og_order *o, const struct og_market *m, struct og_money *net,
                             struct og_money *sold)
{
    struct og_money price;

    *net = *sold = zero;
    if (!o->legs_kept || o->legs_kept != o->leg_count)
        return OG_WORTH_NONE;
    for (int i = 0; i < o->legs_kept; i++) {
        const struct og_leg *l = &o->leg[i];
        const struct og_quote *q = leg_quote(l, m);

        if (!q)
            return OG_WORTH_NEEDS_QUOTE;
        if (l->side == OG_BUY) {
            price = q->ask;
            raise_to(&price, q->has_last, q->last);
            if ((m->slippage && !og_money_share(price, BASIS_POINTS + m->slippage, &price)) ||
                !og_money_times(price, leg_shares(l), &price) || !og_money_add(*net, price, net))
                return OG_WORTH_TOO_LARGE;
        } else if (!og_money_times(q->bid, leg_shares(l), &price) || !og_money_sub(*net, price, net) ||
                   !og_money_times(og_quote_most(q), leg_shares(l), &price) || !og_money_add(*sold, price, sold)) {
            return OG_WORTH_TOO_LARGE;
        }
    }
    return OG_WORTH_KNOWN;
}

/* Set *dollars to the loss if a unit costs `net` and its legs pay the least possible at expiry; *dollars does not
 * change if there is no loss. */
static enum og_worth loss_of(const struct og_order *o, const struct og_mleg_payoff *r, struct og_money cost,
                             struct og_money *dollars)
{
    struct og_money pays;

    if (!og_money_mul(og_money_from(r->least), (struct og_money){ 1, 3 }, &pays) || !og_money_sub(cost, pays, &cost) ||
        !og_money_times(cost, o->quantity, &cost))
        return OG_WORTH_TOO_LARGE;
    if (cost.coef > 0)
        *dollars = cost;
    return OG_WORTH_KNOWN;
}

static enum og_worth all_units(const struct og_order *o, struct og_money unit, struct og_money *dollars)
{
    if (unit.coef < 0 && !og_money_sub(zero, unit, &unit))
        return OG_WORTH_TOO_LARGE;
    return og_money_times(unit, o->quantity, dollars) ? OG_WORTH_KNOWN : OG_WORTH_TOO_LARGE;
}

/* Returns true if a leg is stock: its shares then count at their full price, even if a put limits the loss. */
static bool trades_stock(const struct og_order *o)
{
    for (int i = 0; i < o->legs_kept; i++)
        if (!o->leg[i].occ.is)
            return true;
    return false;
}

/* Set the worth of a spread without a limit: by the quotes of its legs. */
static enum og_worth spread_at_market(const struct og_order *o, const struct og_market *m, struct og_money *dollars)
{
    struct og_money net, sold;
    enum og_worth known = by_legs(o, m, &net, &sold);

    if (known != OG_WORTH_KNOWN)
        return known;
    if (!m->reduces && !(m->result && m->result->bounded))
        return all_units(o, og_money_cmp(sold, net) > 0 ? sold : net, dollars);
    known = all_units(o, net, dollars);
    return known == OG_WORTH_KNOWN && !m->reduces && !trades_stock(o) ? loss_of(o, m->result, net, dollars) : known;
}

/* Set *dollars to the worth of a spread with a limit whose legs bound the loss.  A limit that may be a debit or a
 * credit counts as a debit, which is worse.  *dollars does not change if nothing can be lost. */
static enum og_worth spread_at_limit(const struct og_order *o, const struct og_mleg_payoff *r, struct og_money *dollars)
{
    struct og_money net;

    if (r->has_worst)
        return r->worst.coef >= 0 || og_money_sub(zero, r->worst, dollars) ? OG_WORTH_KNOWN : OG_WORTH_TOO_LARGE;
    return og_money_times(o->limit, CONTRACT_SHARES, &net) ? loss_of(o, r, net, dollars) : OG_WORTH_TOO_LARGE;
}

enum og_worth og_spread_brings(const struct og_order *o, const struct og_market *m, int64_t *cents)
{
    struct og_money dollars = zero;
    enum og_worth known = OG_WORTH_KNOWN;

    *cents = 0;
    if (o->security != OG_MLEG || o->quantity <= 0 || m->reduces || !m->result || !m->result->bounded)
        return OG_WORTH_KNOWN;
    if (!og_order_wants_limit(o) || m->result->credit || !m->result->has_worst)
        known = loss_of(o, m->result, zero, &dollars);
    return known == OG_WORTH_KNOWN ? in_cents(dollars, cents) : known;
}

/* Set *cents to the most that the puts written in one unit can lose, if the puts that the unit buys cover them, root by
 * root. Legs that only close are no cover.  Returns false if the unit writes no put. */
static bool puts_of_unit(const struct og_order *o, const struct og_market *m, og_wide *cents)
{
    struct og_lot lot[OG_LEGS_KEPT];
    unsigned left = m->opens;
    bool writes = false;

    *cents = 0;
    for (int i = 0; i < o->legs_kept; i++) {
        int count = 0;

        for (int k = i; left >> i & 1 && k < o->legs_kept; k++) {
            const struct og_leg *l = &o->leg[k];

            if (!(left >> k & 1) || !l->occ.is || l->occ.type != 'P' || !og_str_eq(l->occ.root, o->leg[i].occ.root))
                continue;
            left &= ~(1u << k) | 1u << i;
            writes |= l->side == OG_SELL;
            lot[count++] = (struct og_lot){ l->occ.strike, l->occ.expiry, l->side == OG_SELL ? l->ratio : 0,
                                            l->side == OG_BUY ? l->ratio : 0, 0 };
        }
        *cents += count ? og_puts_lose(lot, count) : 0;
    }
    return writes;
}

static bool sells(const struct og_order *o, char type)
{
    for (int i = 0; i < o->legs_kept; i++)
        if (o->leg[i].side == OG_SELL && o->leg[i].occ.type == type)
            return true;
    return false;
}

/* Returns what the calls that a spread writes can lose if long calls cover them, less the premium of each leg. */
static og_wide calls_of_all(const struct og_order *o, const struct og_market *m, const og_wide premium[OG_LEGS_KEPT])
{
    return m->facts && o->legs_kept == o->leg_count && sells(o, 'C') ? og_facts_writes(m->facts, o, premium) : 0;
}

/* Raise *dollars to what the options that a spread writes can lose, unless the maximum loss of all its legs includes
 * that already. That loss does not include it if it is unbounded, or if a leg only closes and so is no cover.  Calls
 * and puts cannot both lose: the larger loss counts.  A net price that is received is deducted if all legs open; a net
 * price that may be paid is added. */
static OG_NOINLINE enum og_worth raise_to_written(const struct og_order *o, const struct og_market *m,
                                                  struct og_money *dollars)
{
    static const og_wide nothing[OG_LEGS_KEPT];
    const bool all = m->opens == (1u << o->legs_kept) - 1, limited = og_order_wants_limit(o) && o->limit.coef > 0;
    struct og_money lost, net = zero;
    og_wide puts, calls;

    if (all && m->result && m->result->bounded)
        return OG_WORTH_KNOWN;
    puts = puts_of_unit(o, m, &puts) ? puts * o->quantity : 0;
    calls = calls_of_all(o, m, nothing);
    if (!puts && !calls)
        return OG_WORTH_KNOWN;
    puts = calls > puts ? calls : puts;
    if (puts > INT64_MAX || !og_money_mul(og_money_from((int64_t)puts), (struct og_money){ 1, 2 }, &lost) ||
        (limited && (!og_money_times(o->limit, CONTRACT_SHARES, &net) || !og_money_times(net, o->quantity, &net))))
        return OG_WORTH_TOO_LARGE;
    if (m->result && m->result->credit ? all && !og_money_sub(lost, net, &lost) : !og_money_add(lost, net, &lost))
        return OG_WORTH_TOO_LARGE;
    raise_to(dollars, true, lost);
    return OG_WORTH_KNOWN;
}

/* Set *dollars to the worth of a spread.  If no loss seems possible at the limit, the limit itself is the worth. */
static OG_HOT OG_NOINLINE enum og_worth worth_of_legs(const struct og_order *o, const struct og_market *m,
                                                      struct og_own_worth *w, struct og_money *dollars)
{
    const struct og_mleg_payoff *r = m->result;
    struct og_money net, sold;
    enum og_worth known;

    if (o->quantity == 0)
        return OG_WORTH_NONE;
    if (!og_order_wants_limit(o))
        return o->type == OG_TYPE_NONE ? OG_WORTH_NONE : spread_at_market(o, m, dollars);
    if ((known = og_own_worth(w, o)) != OG_WORTH_KNOWN)
        return known;
    *dollars = w->dollars;
    if (m->reduces)
        return OG_WORTH_KNOWN;
    if (r && (r->has_worst || r->bounded)) {
        known = spread_at_limit(o, r, dollars);
        if (trades_stock(o))
            raise_to(dollars, true, w->dollars);
        return known;
    }
    if ((known = by_legs(o, m, &net, &sold)) != OG_WORTH_KNOWN || (known = all_units(o, sold, &sold)) != OG_WORTH_KNOWN)
        return known;
    raise_to(dollars, true, sold);
    return OG_WORTH_KNOWN;
}

OG_HOT enum og_worth og_spread_worth(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                                     struct og_money *dollars)
{
    const enum og_worth worth = worth_of_legs(o, m, w, dollars);
    enum og_worth raised;

    if ((worth != OG_WORTH_KNOWN && worth != OG_WORTH_NEEDS_QUOTE) || m->reduces || !(sells(o, 'P') || sells(o, 'C')))
        return worth;
    raised = raise_to_written(o, m, dollars);
    return raised == OG_WORTH_KNOWN ? worth : raised;
}

/* Set *dollars to the worth of a leg over all units of the order, at the leg's own quote: the highest price quoted,
 * plus slippage if bought.  Returns false if the worth is out of range. */
static bool leg_worth(const struct og_order *o, const struct og_leg *l, const struct og_quote *q, int32_t slippage,
                      struct og_money *dollars)
{
    struct og_money price = og_quote_most(q);

    return (l->side == OG_SELL || !slippage || og_money_share(price, BASIS_POINTS + slippage, &price)) &&
           og_money_times(price, leg_shares(l), &price) && og_money_times(price, o->quantity, dollars);
}

/* The worth of some legs together; `is` says whether all of them have quotes. */
struct leg_sum {
    enum og_worth is;
    struct og_money dollars;
};

static void add_leg(struct leg_sum *sum, bool quoted, struct og_money worth)
{
    if (!quoted)
        sum->is = OG_WORTH_NEEDS_QUOTE;
    else if (!og_money_add(sum->dollars, worth, &sum->dollars))
        sum->is = OG_WORTH_TOO_LARGE;
}

/* The amounts that are deducted from what written puts and calls can lose, before the loss is added to the worth of the
 * legs, in cents: (a) the legs' worth by their quotes, which counts already; (b) the price at which the options are
 * sold, which is not lost: that worth, or at the market the bid. */
struct written {
    bool puts_quoted, calls_quoted;
    og_wide puts, call[OG_LEGS_KEPT];
};

static bool add_written(struct written *w, const struct og_order *o, int i, const struct og_quote *q,
                        struct og_money worth)
{
    const struct og_leg *l = &o->leg[i];
    og_wide *of = l->occ.type == 'P' ? &w->puts : &w->call[i];
    struct og_money sold_for = worth;

    if (l->side != OG_SELL || !l->occ.is)
        return true;
    *(l->occ.type == 'P' ? &w->puts_quoted : &w->calls_quoted) &= q != NULL;
    if (q && !og_order_wants_limit(o) &&
        (!og_money_times(q->bid, leg_shares(l), &sold_for) || !og_money_times(sold_for, o->quantity, &sold_for)))
        return false;
    if (!og_money_add(worth, sold_for, &worth) || !og_money_times(worth, 100, &worth))
        return false;
    *of += og_money_floor(worth);
    return true;
}

/* Raise the sums of opening legs to what the options that these legs sell can lose. Once the legs are positions, they
 * count at that loss. A put can lose its strike, less the price for which it was sold, or less the strike of a put
 * that covers it. A call that a long call covers can lose the difference of the strikes.  Returns false if a sum is out
 * of range. */
static bool count_loss(const struct og_order *o, const struct og_market *m, const struct written *w,
                       struct leg_sum *all, struct leg_sum *sold)
{
    struct og_money lost;
    og_wide puts, calls = w->calls_quoted ? calls_of_all(o, m, w->call) : 0;

    puts = w->puts_quoted && puts_of_unit(o, m, &puts) ? puts * o->quantity - w->puts : 0;
    if (puts > 0 && calls > 0 && !og_facts_loses_once(m->facts, o))
        puts += calls;
    puts = calls > puts ? calls : puts;
    if (puts > INT64_MAX || !og_money_mul(og_money_from((int64_t)puts), (struct og_money){ 1, 2 }, &lost))
        return false;
    return puts <= 0 ||
           (og_money_add(all->dollars, lost, &all->dollars) && og_money_add(sold->dollars, lost, &sold->dollars));
}

/* Sum the legs that may open, and, separately, the legs among them that sell. Returns false if a sum is out of
 * range. */
static bool opening_legs(const struct og_order *o, const struct og_market *m, struct leg_sum *all, struct leg_sum *sold)
{
    struct written written = { .puts_quoted = true, .calls_quoted = true };

    all->is = sold->is = o->legs_kept == o->leg_count ? OG_WORTH_KNOWN : OG_WORTH_NEEDS_QUOTE;
    all->dollars = sold->dollars = zero;
    for (int i = 0; i < o->legs_kept; i++) {
        const struct og_leg *l = &o->leg[i];
        const struct og_quote *q = m->opens >> i & 1 ? leg_quote(l, m) : NULL;
        struct og_money worth = zero;

        if (!(m->opens >> i & 1))
            continue;
        if (q && !leg_worth(o, l, q, m->slippage, &worth))
            return false;
        add_leg(all, q, worth);
        if (l->side != OG_BUY)
            add_leg(sold, q, worth);
        if (all->is == OG_WORTH_TOO_LARGE || !add_written(&written, o, i, q, worth))
            return false;
    }
    return !(sells(o, 'P') || sells(o, 'C')) || count_loss(o, m, &written, all, sold);
}

void og_spread_exposure(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                        struct og_exposure *e)
{
    struct og_money worst;
    const enum og_worth worth = og_order_worst(o, m, w, &worst);
    struct leg_sum all, sold;

    *e = (struct og_exposure){ .gross_is = worth, .shorts_is = worth };
    if (worth != OG_WORTH_KNOWN && worth != OG_WORTH_NEEDS_QUOTE)
        return;
    if (!opening_legs(o, m, &all, &sold)) {
        e->gross_is = e->shorts_is = OG_WORTH_TOO_LARGE;
        return;
    }
    raise_to(&all.dollars, true, worst);
    /* the worst loss may be the loss of the legs that the spread sells */
    raise_to(&sold.dollars, og_order_sells_short(o), worst);
    if (in_cents(all.dollars, &e->gross) != OG_WORTH_KNOWN || in_cents(sold.dollars, &e->shorts) != OG_WORTH_KNOWN)
        e->gross_is = e->shorts_is = OG_WORTH_TOO_LARGE;
    else if (worth == OG_WORTH_KNOWN)
        *e = (struct og_exposure){ e->gross, e->shorts, all.is, sold.is };
}

/* If the leg writes a put when it opens, its worth is the larger of two: its worth by its quote; and the most that the
 * put can lose, less the price at which it is sold: what the position will count at. */
static bool raise_to_leg_loss(const struct og_order *o, const struct og_leg *l, struct og_money *worth)
{
    const og_wide cents = l->side == OG_SELL && l->occ.type == 'P' ? og_put_strikes(l->occ.strike, l->ratio) : 0;
    struct og_money lost;

    if (cents > INT64_MAX || !og_money_mul(og_money_from((int64_t)cents), (struct og_money){ 1, 2 }, &lost) ||
        !og_money_times(lost, o->quantity, &lost) || !og_money_sub(lost, *worth, &lost))
        return false;
    raise_to(worth, true, lost);
    return true;
}

bool og_closing_legs_worth(const struct og_order *o, const struct og_market *m, int64_t cents[OG_LEGS_KEPT])
{
    bool any = false;

    for (int i = 0; i < o->legs_kept; i++) {
        const struct og_leg *l = &o->leg[i];
        const bool closes = o->security == OG_MLEG && og_order_trade(o, i).opens == 0;
        const struct og_quote *q = closes ? leg_quote(l, m) : NULL;
        struct og_money worth = zero;

        any |= closes;
        cents[i] = closes ? OG_AT_LEAST(0) : 0;
        if (!closes || (q && !leg_worth(o, l, q, m->slippage, &worth)) || !raise_to_leg_loss(o, l, &worth) ||
            in_cents(worth, &cents[i]) != OG_WORTH_KNOWN)
            cents[i] = closes ? OG_AT_LEAST(0) : 0;
        else if (!q)
            cents[i] = OG_AT_LEAST(cents[i]);
    }
    return any;
}
