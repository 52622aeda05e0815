/*
 * The worst-case worth of an order, and its worth by the limit alone.  Whether an order closes is an input.  Its cost
 * in buying power is in cost.c.
 */
#include "margin/notional.h"

#include "base/attributes.h"
#include "base/money.h"

enum { WHOLE = 10000 /* basis points */, CONTRACT = 100 /* shares */ };

static const struct og_money zero = { 0, 0 };

static enum og_worth limit_of(const struct og_order *o, struct og_money *price)
{
    const struct og_field *field = &o->field[OG_KEY_LIMIT_PRICE];

    if (field->status == OG_TOO_LARGE)
        return OG_WORTH_TOO_LARGE;
    if (field->status != OG_VALID || o->limit.coef == INT64_MIN)
        return OG_WORTH_NONE;
    *price = o->limit;
    if (price->coef < 0)
        price->coef = -price->coef;
    return OG_WORTH_KNOWN;
}

/* --- one symbol --------------------------------------------------------------------------------------------------- */

static inline void raise_to(struct og_money *price, bool has, struct og_money other)
{
    if (has && og_price_cmp(other, *price) > 0)
        *price = other;
}

/* Set *price to the position's average price per share, rounded up to a hundredth of a cent.  Returns false if no
 * position is held, or its price is unknown. */
static bool carried_at(const struct og_order *o, const struct og_holding *h, struct og_money *price)
{
    int64_t held;
    og_wide each;

    if (!h || h->carried_unpriced)
        return false;
    held = og_money_floor(h->held_long) + og_money_floor(h->held_short);
    if (held <= 0)
        return false;
    held *= o->security == OG_STOCK ? 1 : CONTRACT;
    each = (h->carried * 100 + held - 1) / held;
    if (each <= 0 || each > INT64_MAX)
        return false;
    return og_money_mul(og_money_from((int64_t)each), (struct og_money){ 1, 4 }, price);
}

/* Raise *price to the ask for a buy, to the bid for a sell.  If the quote has only the other side, it is unknown where
 * the order fills. */
static enum og_worth raise_to_quote(const struct og_order *o, const struct og_market *m, struct og_money *price)
{
    const struct og_quote *q = m->quote;

    if (!q || !(o->side == OG_BUY ? q->has_ask : q->has_bid))
        return OG_WORTH_NEEDS_QUOTE;
    if (o->side == OG_SELL) {
        raise_to(price, true, og_quote_most(q));
        return OG_WORTH_KNOWN;
    }
    raise_to(price, true, q->ask);
    raise_to(price, q->has_last, q->last);
    return !m->slippage || og_money_share(*price, WHOLE + m->slippage, price) ? OG_WORTH_KNOWN : OG_WORTH_TOO_LARGE;
}

static OG_HOT OG_NOINLINE enum og_worth unbounded_price(const struct og_order *o, const struct og_market *m,
                                                        struct og_money *price)
{
    struct og_money carried;
    enum og_worth known;

    if (o->type == OG_TYPE_NONE || o->side == OG_SIDE_NONE)
        return OG_WORTH_NONE;
    if (og_order_wants_limit(o) && (known = limit_of(o, price)) != OG_WORTH_KNOWN)
        return known;
    raise_to(price, og_order_wants_stop(o) && og_order_ok(o, OG_KEY_STOP_PRICE), o->stop);
    known = raise_to_quote(o, m, price);
    if (known != OG_WORTH_NEEDS_QUOTE || !m->reduces || !carried_at(o, m->holding, &carried))
        return known;
    raise_to(price, true, carried);
    return OG_WORTH_KNOWN;
}

/* If the order writes a put, raise *price to the most that the put can lose per share: the strike less the lowest price
 * at which it is sold, the order's limit. */
static inline void raise_to_put_loss(const struct og_order *o, const struct og_market *m, struct og_money *price)
{
    struct og_money most;

    if (o->side != OG_SELL || o->security != OG_OPTION || o->occ.type != 'P' || m->reduces)
        return;
    og_put_loses(o->occ.strike, og_order_wants_limit(o) && o->limit.coef > 0 ? o->limit : zero, &most);
    raise_to(price, true, most);
}

OG_HOT enum og_worth og_order_price(const struct og_order *o, const struct og_market *m, struct og_money *price)
{
    *price = zero;
    if (og_order_is_bounded(o) || (o->security == OG_MLEG && og_order_wants_limit(o)))
        return limit_of(o, price);
    return o->security == OG_MLEG ? OG_WORTH_NEEDS_QUOTE /* a spread has no quote of its own, only its legs have */
                                  : unbounded_price(o, m, price);
}

enum og_worth og_order_least_price(const struct og_order *o, const struct og_quote *q, struct og_money *price)
{
    const bool buy = o->side == OG_BUY, stops = og_order_wants_stop(o) && og_order_ok(o, OG_KEY_STOP_PRICE);
    const bool has = q && (buy ? q->has_ask : q->has_bid);
    enum og_worth known;

    *price = zero;
    if (o->security == OG_MLEG || o->type == OG_TYPE_NONE || o->side == OG_SIDE_NONE)
        return OG_WORTH_NONE;
    if (og_order_wants_limit(o)) {
        known = limit_of(o, price);
        if (known == OG_WORTH_KNOWN && buy && has && og_price_cmp(q->ask, *price) < 0)
            *price = q->ask;
        return known != OG_WORTH_KNOWN || !buy || has ? known : OG_WORTH_NEEDS_QUOTE;
    }
    if (has)
        *price = buy ? q->ask : q->bid;
    if (stops && (!has || (og_price_cmp(o->stop, *price) > 0) == buy))
        *price = o->stop;
    return has || (stops && buy) ? OG_WORTH_KNOWN : OG_WORTH_NEEDS_QUOTE;
}

/* --- spreads ------------------------------------------------------------------------------------------------------ */

static const struct og_quote *leg_quote(const struct og_leg *l, const struct og_market *m)
{
    const struct og_quote *q = m->facts ? og_facts_quote(m->facts, l->symbol) : NULL;

    if (!q || !og_fact_is_fresh(q->as_of, m->now, m->quote_age))
        return NULL;
    return (l->side == OG_BUY ? q->has_ask : q->has_bid) ? q : NULL;
}

/* Returns the shares that one unit of the spread has in this leg. */
static int64_t leg_shares(const struct og_leg *l)
{
    return l->ratio * (l->occ.is ? CONTRACT : 1);
}

/* Set *net to the cost of a unit by the quotes of its legs: bought at the ask plus slippage, sold at the bid.  *sold:
 * the highest value of the sold legs by their quotes. */
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
            if ((m->slippage && !og_money_share(price, WHOLE + m->slippage, &price)) ||
                !og_money_times(price, leg_shares(l), &price) || !og_money_add(*net, price, net))
                return OG_WORTH_TOO_LARGE;
        } else if (!og_money_times(q->bid, leg_shares(l), &price) || !og_money_sub(*net, price, net) ||
                   !og_money_times(og_quote_most(q), leg_shares(l), &price) || !og_money_add(*sold, price, sold)) {
            return OG_WORTH_TOO_LARGE;
        }
    }
    return OG_WORTH_KNOWN;
}

/* Set *dollars to the loss if a unit costs `net` and its legs pay the least possible at expiry; unchanged if there is
 * no loss. */
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

/* Returns true if a leg is stock: shares then count with their full price, even if a put limits the loss. */
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

/* Set *dollars to the worth of a spread with a limit whose legs bound the loss.  If the limit may be a debit or a
 * credit, it is taken for a debit, which is worse.  *dollars is unchanged if nothing can be lost. */
static enum og_worth spread_at_limit(const struct og_order *o, const struct og_mleg_payoff *r, struct og_money *dollars)
{
    struct og_money net;

    if (r->has_worst)
        return r->worst.coef >= 0 || og_money_sub(zero, r->worst, dollars) ? OG_WORTH_KNOWN : OG_WORTH_TOO_LARGE;
    return og_money_times(o->limit, CONTRACT, &net) ? loss_of(o, r, net, dollars) : OG_WORTH_TOO_LARGE;
}

/* Set *cents to the most that the puts written in one unit can lose, given the puts that it buys, root by root.  Legs
 * that only close are no cover.  Returns false if the unit writes no put. */
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

static bool sells_put(const struct og_order *o)
{
    for (int i = 0; i < o->legs_kept; i++)
        if (o->leg[i].side == OG_SELL && o->leg[i].occ.type == 'P')
            return true;
    return false;
}

/* Raise *dollars to what the puts that a spread writes can lose, unless the maximum loss of all its legs includes that
 * already. It does not if that loss is unbounded, or if a leg only closes and so is no cover. A net price that is
 * received is deducted if all legs open; one that may be paid is added. */
static OG_NOINLINE enum og_worth raise_to_puts(const struct og_order *o, const struct og_market *m,
                                               struct og_money *dollars)
{
    const bool all = m->opens == (1u << o->legs_kept) - 1, limited = og_order_wants_limit(o) && o->limit.coef > 0;
    struct og_money lost, net = zero;
    og_wide cents;

    if ((all && m->result && m->result->bounded) || !puts_of_unit(o, m, &cents))
        return OG_WORTH_KNOWN;
    if (cents > INT64_MAX || !og_money_mul(og_money_from((int64_t)cents), (struct og_money){ 1, 2 }, &lost) ||
        (limited && !og_money_times(o->limit, CONTRACT, &net)))
        return OG_WORTH_TOO_LARGE;
    if (m->result && m->result->credit ? all && !og_money_sub(lost, net, &lost) : !og_money_add(lost, net, &lost))
        return OG_WORTH_TOO_LARGE;
    if (lost.coef <= 0)
        return OG_WORTH_KNOWN;
    if (!og_money_times(lost, o->quantity, &lost))
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

static OG_HOT enum og_worth spread_worth(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                                         struct og_money *dollars)
{
    const enum og_worth worth = worth_of_legs(o, m, w, dollars);
    enum og_worth raised;

    if ((worth != OG_WORTH_KNOWN && worth != OG_WORTH_NEEDS_QUOTE) || m->reduces || !sells_put(o))
        return worth;
    raised = raise_to_puts(o, m, dollars);
    return raised == OG_WORTH_KNOWN ? worth : raised;
}

/* --- dollars ------------------------------------------------------------------------------------------------------ */

static inline enum og_worth worth_at(const struct og_order *o, struct og_money price, struct og_money *dollars)
{
    if (o->quantity == 0 || o->security == OG_SECURITY_NONE)
        return OG_WORTH_NONE;
    return og_money_times(price, o->quantity * (o->security == OG_STOCK ? 1 : CONTRACT), dollars) ? OG_WORTH_KNOWN
                                                                                                  : OG_WORTH_TOO_LARGE;
}

OG_HOT void og_own_worth_work_out(struct og_own_worth *w, const struct og_order *o)
{
    struct og_money price;

    w->is = limit_of(o, &price);
    if (w->is == OG_WORTH_KNOWN)
        w->is = worth_at(o, price, &w->dollars);
}

static inline bool writes_call(const struct og_order *o, const struct og_market *m)
{
    return o->side == OG_SELL && o->security == OG_OPTION && o->occ.type == 'C' && !m->reduces && m->facts;
}

/* Raise *dollars to what written calls can lose beside the long calls that cover them.  They will count with that as
 * positions. */
static OG_NOINLINE enum og_worth raise_to_call_loss(const struct og_order *o, const struct og_market *m,
                                                    struct og_money *dollars)
{
    struct og_money premium = zero, lost;
    og_wide cents;

    if (og_order_wants_limit(o) && o->limit.coef > 0 && !og_money_times(o->limit, CONTRACT * 100, &premium))
        premium = zero; /* too many decimals for an exact amount: do not deduct it */
    cents = og_facts_writes(m->facts, o, og_money_floor(premium));
    if (cents > INT64_MAX || !og_money_mul(og_money_from((int64_t)cents), (struct og_money){ 1, 2 }, &lost))
        return OG_WORTH_TOO_LARGE;
    raise_to(dollars, true, lost);
    return OG_WORTH_KNOWN;
}

static OG_HOT enum og_worth worst_of(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                                     struct og_money *dollars)
{
    struct og_money price;
    enum og_worth worth, known;

    *dollars = zero;
    if (o->security == OG_MLEG)
        return spread_worth(o, m, w, dollars);
    worth = og_order_price(o, m, &price);
    if (worth != OG_WORTH_KNOWN && worth != OG_WORTH_NEEDS_QUOTE)
        return worth;
    raise_to_put_loss(o, m, &price);
    known = worth_at(o, price, dollars);
    if (known == OG_WORTH_KNOWN && writes_call(o, m))
        known = raise_to_call_loss(o, m, dollars);
    return known != OG_WORTH_KNOWN ? known : worth;
}

enum og_worth og_order_notional(const struct og_order *o, const struct og_market *m, struct og_money *dollars)
{
    struct og_own_worth w = { .is = 0 };

    return worst_of(o, m, &w, dollars);
}

OG_HOT enum og_worth og_order_worst(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                                    struct og_money *dollars)
{
    if (!w->worst_is)
        w->worst_is = worst_of(o, m, w, &w->worst);
    *dollars = w->worst;
    return w->worst_is;
}

/* Convert dollars to cents; more than one row may be worth is too large. */
static enum og_worth in_cents(struct og_money dollars, int64_t *cents)
{
    *cents = og_cents_of(og_money_from(1), dollars, false);
    return *cents >= 0 ? OG_WORTH_KNOWN : OG_WORTH_TOO_LARGE;
}

static OG_HOT OG_NOINLINE enum og_worth cents_by_market(const struct og_order *o, const struct og_market *m,
                                                        struct og_own_worth *w, int64_t *cents)
{
    struct og_money dollars, price;
    enum og_worth worth;

    if (!og_order_is_bounded(o)) {
        worth = og_order_worst(o, m, w, &dollars);
        if ((worth == OG_WORTH_KNOWN || worth == OG_WORTH_NEEDS_QUOTE) && in_cents(dollars, cents) != OG_WORTH_KNOWN)
            worth = OG_WORTH_TOO_LARGE;
        return worth;
    }
    worth = o->quantity ? limit_of(o, &price) : OG_WORTH_NONE;
    /* the cents are computed directly, since the amount may have more digits than exact money has */
    if (worth == OG_WORTH_KNOWN)
        *cents = og_cents_of(og_money_from(o->quantity), price, o->security != OG_STOCK);
    return worth == OG_WORTH_KNOWN && *cents < 0 ? OG_WORTH_TOO_LARGE : worth;
}

/* Set *cents to the worth; if the limit bounds it, quotes do not change it. */
OG_HOT enum og_worth og_order_cents(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                                    int64_t *cents)
{
    static const int64_t each[] = { 100, 10, 1 };

    if (og_order_is_bounded(o) && og_own_worth(w, o) == OG_WORTH_KNOWN && w->dollars.scale <= 2 &&
        w->dollars.coef <= OG_CENTS_SMALL) {
        *cents = w->dollars.coef * each[w->dollars.scale];
        return OG_WORTH_KNOWN;
    }
    *cents = 0;
    return cents_by_market(o, m, w, cents);
}

/* Set *dollars to the worth of a leg over all units of the order, at the leg's own quote: the highest price quoted,
 * plus slippage if bought.  Returns false if it is out of range. */
static bool leg_worth(const struct og_order *o, const struct og_leg *l, const struct og_quote *q, int32_t slippage,
                      struct og_money *dollars)
{
    struct og_money price = og_quote_most(q);

    return (l->side == OG_SELL || !slippage || og_money_share(price, WHOLE + slippage, &price)) &&
           og_money_times(price, leg_shares(l), &price) && og_money_times(price, o->quantity, dollars);
}

/* The worth of some legs together, as far as they have quotes. */
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

/* Raise the sums of opening legs to what the sold puts among them can lose. Once they are positions, they count with
 * that loss: the strike less what they were sold for, or less the strike of a put that covers them.  puts: their value
 * by their quotes.  Returns false if out of range. */
static bool count_put_loss(const struct og_order *o, const struct og_market *m, struct og_money puts,
                           struct leg_sum *all, struct leg_sum *sold)
{
    struct og_money lost;
    og_wide cents;

    if (!puts_of_unit(o, m, &cents))
        return true;
    if (cents > INT64_MAX || !og_money_mul(og_money_from((int64_t)cents), (struct og_money){ 1, 2 }, &lost) ||
        !og_money_times(lost, o->quantity, &lost) || !og_money_sub(lost, puts, &lost) ||
        !og_money_sub(lost, puts, &lost))
        return false;
    return lost.coef <= 0 ||
           (og_money_add(all->dollars, lost, &all->dollars) && og_money_add(sold->dollars, lost, &sold->dollars));
}

/* Sum the legs that may open, and the sold legs among those.  Returns false if out of range. */
static bool opening_legs(const struct og_order *o, const struct og_market *m, struct leg_sum *all, struct leg_sum *sold)
{
    struct leg_sum puts = { .is = OG_WORTH_KNOWN };

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
        if (l->side == OG_SELL && l->occ.type == 'P')
            add_leg(&puts, q, worth);
        if (all->is == OG_WORTH_TOO_LARGE)
            return false;
    }
    return !sells_put(o) || puts.is != OG_WORTH_KNOWN || count_put_loss(o, m, puts.dollars, all, sold);
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
    /* that loss may be the loss of the legs that the spread sells */
    raise_to(&sold.dollars, og_order_sells_short(o), worst);
    if (in_cents(all.dollars, &e->gross) != OG_WORTH_KNOWN || in_cents(sold.dollars, &e->shorts) != OG_WORTH_KNOWN)
        e->gross_is = e->shorts_is = OG_WORTH_TOO_LARGE;
    else if (worth == OG_WORTH_KNOWN)
        *e = (struct og_exposure){ e->gross, e->shorts, all.is, sold.is };
}

/* Raise what a leg is worth by its quote to what the put can lose that it writes if it opens, less what it is sold for:
 * with that it counts as a position. */
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

OG_HOT int64_t og_order_contracts(const struct og_order *o)
{
    int64_t all = 0;

    if (o->security != OG_MLEG)
        return o->security == OG_OPTION ? o->quantity : 0;
    for (int i = 0; i < o->legs_kept; i++)
        all += o->leg[i].occ.is ? o->leg[i].ratio * o->quantity : 0;
    return all;
}
