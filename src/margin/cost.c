/*
 * The notional cost of an opening order.  An order whose price or quantity cannot be read has no cost here (other rules
 * report that).  A written call has none either, because its cost depends on its cover, which this file does not know.
 */
#include "margin/cost.h"

#include "base/attributes.h"

static const struct og_money zero = { 0, 0 };

/* Set *price to the price at which an opening order trades by the quote: the ask for a buy, the bid for a sell. Returns
 * false if the quote lacks this price. */
static bool side_of_quote(const struct og_order *o, const struct og_quote *quote, struct og_money *price)
{
    bool has = quote && (o->side == OG_BUY ? quote->has_ask : quote->has_bid);

    if (has)
        *price = o->side == OG_BUY ? quote->ask : quote->bid;
    return has;
}

/* Set *cost by the order's limit; prices of contracts and spreads are multiplied by 100. */
static OG_HOT enum og_cost_kind by_limit(const struct og_order *o, struct og_own_worth *w, struct og_money *cost)
{
    const struct og_field *field = &o->field[OG_KEY_LIMIT_PRICE];

    if (field->status != OG_VALID || o->limit.coef <= 0)
        return field->status == OG_TOO_LARGE && field->text.len && field->text.s[0] != '-' ? OG_COST_OUT_OF_RANGE
                                                                                           : OG_COST_NOT_MODELLED;
    if (og_own_worth(w, o) != OG_WORTH_KNOWN)
        return OG_COST_OUT_OF_RANGE;
    *cost = w->dollars;
    return OG_COST_KNOWN;
}

static enum og_cost_kind price_of(const struct og_order *o, const struct og_quote *quote, struct og_money *price)
{
    if (o->type == OG_TYPE_NONE)
        return OG_COST_NOT_MODELLED;
    if (o->security == OG_MLEG || !side_of_quote(o, quote, price)) /* a spread has no quote of its own, only its legs
                                                                    * have */
        return OG_COST_NEEDS_QUOTE;
    if (o->type == OG_STOP && og_order_ok(o, OG_KEY_STOP_PRICE) && og_money_cmp(o->stop, *price) > 0)
        *price = o->stop;
    return OG_COST_KNOWN;
}

static OG_HOT enum og_cost_kind priced(const struct og_order *o, const struct og_quote *quote, int64_t per,
                                       struct og_own_worth *w, struct og_money *cost)
{
    struct og_money each;
    enum og_cost_kind kind;

    if (og_order_wants_limit(o))
        return by_limit(o, w, cost);
    kind = price_of(o, quote, &each);
    if (kind == OG_COST_KNOWN && !og_money_times(each, per * o->quantity, cost)) /* per x quantity cannot overflow: the
                                                                                  * quantity is at most a million */
        return OG_COST_OUT_OF_RANGE;
    return kind;
}

static enum og_cost_kind option_cost(const struct og_order *o, const struct og_quote *quote, struct og_own_worth *w,
                                     struct og_money *cost)
{
    if (o->side == OG_BUY)
        return priced(o, quote, 100, w, cost);
    if (o->side != OG_SELL || o->occ.type != 'P')
        return OG_COST_NOT_MODELLED;
    return og_put_secured_by(&o->occ, o->quantity, cost) ? OG_COST_KNOWN : OG_COST_OUT_OF_RANGE;
}

enum og_cost_kind og_order_cost(const struct og_order *o, const struct og_mleg *m, const struct og_quote *quote,
                                struct og_own_worth *w, struct og_money *cost)
{
    enum og_cost_kind kind = OG_COST_NOT_MODELLED;

    *cost = zero;
    if (!og_order_may_open(o))
        return OG_COST_NONE;
    if (o->quantity == 0)
        return OG_COST_NOT_MODELLED;
    if (o->security == OG_STOCK && o->side != OG_SIDE_NONE)
        kind = priced(o, quote, 1, w, cost);
    else if (o->security == OG_OPTION)
        kind = option_cost(o, quote, w, cost);
    else if (o->security == OG_MLEG && m->strategy != OG_STRATEGY_NONE && m->net == OG_DEBIT)
        kind = priced(o, NULL, 100, w, cost);
    if (kind != OG_COST_KNOWN)
        *cost = zero;
    return kind;
}

bool og_put_secured_by(const struct og_occ *occ, int64_t contracts, struct og_money *dollars)
{
    const struct og_money tenth = { 1, 1 };

    /* strikes are in thousandths: times 100 shares, they are tenths of a dollar per contract */
    return og_money_mul(og_money_from(occ->strike), tenth, dollars) && og_money_times(*dollars, contracts, dollars);
}
