/*
 * The market of a spread, computed from the quotes of its legs.
 */
#pragma once

#include "facts/facts.h"
#include "mleg/mleg.h"

/* Dollars for one unit of a spread; initialise with zeros. */
struct og_net_market {
    /* cost of trading at once: bought legs at their ask, less sold legs at their bid; negative if money is received */
    struct og_money ask;
    /* cost of trading at once and trading back at once; a leg whose quote has only one side adds nothing */
    struct og_money width;
    struct og_money gross; /* sum of the legs' prices, without regard to side */
};

/* Add a leg with its quote.  Returns false if the quote lacks the side at which the leg trades, or if og_money cannot
 * represent a sum exactly. */
bool og_net_add(struct og_net_market *n, const struct og_leg *l, const struct og_quote *q);

/* Returns true if the spread's net price is paid (a debit).  If the legs alone do not determine it, the market price
 * decides. */
static inline bool og_net_pays(const struct og_net_market *n, enum og_net net)
{
    return net == OG_DEBIT || (net == OG_NET_UNDETERMINED && n->ask.coef >= 0);
}

/* Set the amount by which an order's net price, dollars per share, is worse than the price n, in dollars for one unit;
 * negative if it is better. Returns false if og_money cannot represent the amount exactly. */
bool og_net_beyond(const struct og_net_market *n, struct og_money price, enum og_net net, struct og_money *beyond);

/* Returns true if an order's limit is too far from the price n. That is: worse by more than `bps` of n, and also by
 * more than the smaller of two amounts, the market's width and `bps` of the gross. The second condition is for net
 * prices near zero: such a price often changes by more than a percentage of itself. */
bool og_net_is_away(const struct og_net_market *n, struct og_money limit, enum og_net net, int32_t bps);

/* Returns true if a stop that the price n has not reached is too far from n: the lower of the two is less than the
 * higher by more than `bps` of the higher, and also by more than the smaller amount of og_net_is_away(). */
bool og_net_stop_is_away(const struct og_net_market *n, struct og_money stop, enum og_net net, int32_t bps);
