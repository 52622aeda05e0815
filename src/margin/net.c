/*
 * Sums the quotes of a spread's legs, and compares the spread's limit with the sum.
 */
#include "margin/net.h"

enum { WHOLE = 10000 /* basis points */, CONTRACT = 100 /* shares */ };

/* Add the price of the shares in one unit of the leg. */
static bool add(struct og_money *sum, struct og_money price, int64_t shares)
{
    return og_money_times(price, shares, &price) && og_money_add(*sum, price, sum);
}

bool og_net_add(struct og_net_market *n, const struct og_leg *l, const struct og_quote *q)
{
    const bool buys = l->side == OG_BUY;
    const int64_t shares = l->ratio * (l->occ.is ? CONTRACT : 1);
    struct og_money price, width;

    if (l->side == OG_SIDE_NONE || !(buys ? q->has_ask : q->has_bid))
        return false;
    price = buys ? q->ask : q->bid;
    return add(&n->ask, price, buys ? shares : -shares) && add(&n->gross, price, shares) &&
           (!(q->has_ask && q->has_bid) || (og_money_sub(q->ask, q->bid, &width) && add(&n->width, width, shares)));
}

static struct og_money magnitude(struct og_money m)
{
    m.coef = m.coef < 0 ? -m.coef : m.coef;
    return m;
}

bool og_net_beyond(const struct og_net_market *n, struct og_money price, enum og_net net, struct og_money *beyond)
{
    return og_money_times(price, og_net_pays(n, net) ? CONTRACT : -CONTRACT, beyond) &&
           og_money_sub(*beyond, n->ask, beyond);
}

/* Returns true if `beyond` is more than `bps` of `whole`, and also more than the width or more than `bps` of the gross.
 * Returns true, too, if one of these amounts is out of range, since the price is then far worse than the market. */
static bool exceeds(const struct og_net_market *n, struct og_money beyond, struct og_money whole, int32_t bps)
{
    struct og_money share, width, gross;

    if (!og_money_times(beyond, WHOLE, &beyond) || !og_money_times(whole, bps, &share) ||
        !og_money_times(n->width, WHOLE, &width) || !og_money_times(n->gross, bps, &gross))
        return true;
    return og_money_cmp(beyond, share) > 0 && (og_money_cmp(beyond, width) > 0 || og_money_cmp(beyond, gross) > 0);
}

bool og_net_is_away(const struct og_net_market *n, struct og_money limit, enum og_net net, int32_t bps)
{
    struct og_money beyond;

    return !og_net_beyond(n, limit, net, &beyond) || exceeds(n, beyond, magnitude(n->ask), bps);
}

bool og_net_stop_is_away(const struct og_net_market *n, struct og_money stop, enum og_net net, int32_t bps)
{
    struct og_money beyond, higher = magnitude(n->ask);

    if (og_net_pays(n, net) && !og_money_times(stop, CONTRACT, &higher))
        return true;
    return !og_net_beyond(n, stop, net, &beyond) || exceeds(n, beyond, higher, bps);
}
