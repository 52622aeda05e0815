/*
 * The worst-case worth of an order, and its worth by the limit alone.  The caller says whether the order closes.
 * Spreads are in spread.c; the cost in buying power is in cost.c.
 */
#include "margin/notional.h"

#include "base/attributes.h"
#include "base/money.h"
#include "margin/amounts.h"

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
    held *= o->security == OG_STOCK ? 1 : CONTRACT_SHARES;
    each = (h->carried * 100 + held - 1) / held;
    if (each <= 0 || each > INT64_MAX)
        return false;
    return og_money_mul(og_money_from((int64_t)each), (struct og_money){ 1, 4 }, price);
}

/* Raise *price to the ask for a buy, to the bid for a sell.  If the quote lacks that side, the price at which the order
 * fills is unknown. */
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
    return !m->slippage || og_money_share(*price, BASIS_POINTS + m->slippage, price) ? OG_WORTH_KNOWN
                                                                                     : OG_WORTH_TOO_LARGE;
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

/* If the order writes a put, raise *price to the most that the put can lose per share: the strike less the order's
 * limit, the lowest price at which the put is sold. */
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

/* --- dollars ------------------------------------------------------------------------------------------------------ */

static inline enum og_worth worth_at(const struct og_order *o, struct og_money price, struct og_money *dollars)
{
    if (o->quantity == 0 || o->security == OG_SECURITY_NONE)
        return OG_WORTH_NONE;
    return og_money_times(price, o->quantity * (o->security == OG_STOCK ? 1 : CONTRACT_SHARES), dollars)
               ? OG_WORTH_KNOWN
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

/* Raise *dollars to what written calls can lose if long calls cover them.  As positions, these calls will be counted
 * with this loss. */
static OG_NOINLINE enum og_worth raise_to_call_loss(const struct og_order *o, const struct og_market *m,
                                                    struct og_money *dollars)
{
    struct og_money premium = zero, lost;
    og_wide sold_for, cents;

    if (og_order_wants_limit(o) && o->limit.coef > 0 && !og_money_times(o->limit, CONTRACT_SHARES * 100, &premium))
        premium = zero; /* the premium has too many decimals for an exact amount, so deduct nothing */
    sold_for = (og_wide)og_money_floor(premium) * o->quantity;
    cents = og_facts_writes(m->facts, o, &sold_for);
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
        return og_spread_worth(o, m, w, dollars);
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

/* Set *cents to the order's worth in cents; quotes do not matter if the limit bounds the worth. */
OG_HOT enum og_worth og_order_cents(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                                    int64_t *cents)
{
    if (og_order_is_bounded(o) ? og_own_worth(w, o) == OG_WORTH_KNOWN && in_cents_simply(w->dollars, cents)
                               : w->worst_is == OG_WORTH_KNOWN && in_cents_simply(w->worst, cents))
        return OG_WORTH_KNOWN;
    *cents = 0;
    return cents_by_market(o, m, w, cents);
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
