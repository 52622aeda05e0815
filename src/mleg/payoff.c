/*
 * Payoff at expiry of the legs.  Between strikes it is linear, so its extremes follow from its values at 0 and at the
 * strikes, and from its slope above the highest strike.  Prices are thousandths of a dollar, like strikes.
 */
#include "mleg/payoff.h"

#include "base/attributes.h"

enum { SHARES = 100 };

/* Returns the payoff of one leg at this price of the underlying, in thousandths of a dollar for one share of a
 * contract. */
static int64_t leg_pays(const struct og_leg *l, int64_t price)
{
    int64_t in = !l->occ.is ? price : l->occ.type == 'C' ? price - l->occ.strike : l->occ.strike - price;

    return (l->side == OG_BUY ? 1 : -1) * (in > 0 ? in : 0);
}

/* Returns how many shares a leg has in one unit: a contract is 100 shares. */
static int64_t shares_of(const struct og_leg *l)
{
    return l->ratio * (l->occ.is ? SHARES : 1);
}

static int64_t unit_pays(const struct og_order *o, int64_t price)
{
    int64_t sum = 0;

    for (int i = 0; i < o->leg_count; i++)
        sum += leg_pays(&o->leg[i], price) * shares_of(&o->leg[i]);
    return sum;
}

/* Returns by how much a unit's payoff rises for each dollar by which the underlying rises above the highest strike. */
static int64_t slope(const struct og_order *o)
{
    int64_t sum = 0;

    for (int i = 0; i < o->leg_count; i++)
        if (!o->leg[i].occ.is || o->leg[i].occ.type == 'C')
            sum += (o->leg[i].side == OG_BUY ? 1 : -1) * shares_of(&o->leg[i]);
    return sum;
}

/* Set *n to the limit price of a unit in thousandths of a dollar.  Returns false if the limit has more than three
 * decimals, or overflows. */
static bool thousandths(struct og_money limit, int64_t *n)
{
    static const int64_t each[] = { 1000, 100, 10, 1 };

    return limit.scale <= 3 && !__builtin_mul_overflow(limit.coef, each[limit.scale] * SHARES, n);
}

/* Set *dollars to the result of the order: the payoff of a unit less its price, times the quantity. Returns false if
 * the result has no exact value. */
static OG_HOT bool order_result(const struct og_order *o, enum og_net net, int64_t pays, struct og_money *dollars)
{
    struct og_money price, unit;
    int64_t cost, all;

    if (thousandths(o->limit, &cost) && !__builtin_add_overflow(pays, net == OG_DEBIT ? -cost : cost, &all) &&
        !__builtin_mul_overflow(all, o->quantity, &all))
        return og_money_mul(og_money_from(all), (struct og_money){ 1, 3 }, dollars);
    return og_money_times(o->limit, net == OG_DEBIT ? -SHARES : SHARES, &price) &&
           og_money_mul(og_money_from(pays), (struct og_money){ 1, 3 }, &unit) && og_money_add(unit, price, &unit) &&
           og_money_times(unit, o->quantity, dollars);
}

OG_HOT void og_mleg_payoff_of(const struct og_order *o, const struct og_mleg *m, struct og_mleg_payoff *r)
{
    int64_t least, most, up;

    *r = (struct og_mleg_payoff){ .has_worst = false };
    if (m->strategy == OG_STRATEGY_NONE)
        return;
    up = slope(o);
    least = most = unit_pays(o, 0);
    for (int i = 0; i < o->leg_count; i++) {
        int64_t pays = o->leg[i].occ.is ? unit_pays(o, o->leg[i].occ.strike) : least;

        least = pays < least ? pays : least;
        most = pays > most ? pays : most;
    }
    r->bounded = up >= 0;
    r->credit = m->net == OG_CREDIT;
    r->least = least;
    r->most = most;
    if (m->net == OG_NET_UNDETERMINED || !og_order_wants_limit(o) || !og_order_ok(o, OG_KEY_LIMIT_PRICE) ||
        o->limit.coef <= 0 || o->quantity == 0)
        return;
    r->has_worst = up >= 0 && order_result(o, m->net, least, &r->worst);
    r->has_best = up <= 0 && order_result(o, m->net, most, &r->best);
}
