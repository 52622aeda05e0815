/*
 * The market of a spread as the quotes of its legs make it: what they ask and bid together.
 */
#ifndef OG_MARGIN_NET_H
#define OG_MARGIN_NET_H

#include "facts/facts.h"
#include "mleg/mleg.h"

/* Dollars of one unit of a spread; begin with zeros. */
struct og_net_market {
    struct og_money
        ask; /* what it costs at once: legs bought at their ask less legs sold at their bid; negative: it pays */
    struct og_money width; /* between that and what it would be sold for; a leg with one side of a quote adds nothing */
    struct og_money gross; /* what its legs are worth without regard to their sides */
};

/* Add a leg by its quote.  Returns false if the quote has not the side that the leg trades at, or a sum has no exact
 * og_money. */
bool og_net_add(struct og_net_market *n, const struct og_leg *l, const struct og_quote *q);

/* Its net is paid, or for a net of which the legs do not say, it would be as the market has it. */
static inline bool og_net_pays(const struct og_net_market *n, enum og_net net)
{
    return net == OG_DEBIT || (net == OG_NET_UNDETERMINED && n->ask.coef >= 0);
}

/* The order's limit costs more than n asks, or takes less than it pays, by more than bps of that and by more than the
 * market is wide or bps of what the legs are worth, whichever of these two is less: nets near zero move by more than
 * a share of themselves. */
bool og_net_is_away(const struct og_net_market *n, const struct og_order *o, enum og_net net, int32_t bps);

#endif
