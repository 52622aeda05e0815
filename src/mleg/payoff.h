/*
 * The worst and the best an order of several legs can come to: what its legs pay at expiry, at the order's limit price
 * and quantity.  It refuses early exercise, dividends and fees, and whatever else is held.
 */
#ifndef OG_MLEG_PAYOFF_H
#define OG_MLEG_PAYOFF_H

#include "mleg/mleg.h"

struct og_mleg_payoff {
    bool has_worst, has_best;    /* false: without bound, or the price is not known */
    bool bounded;                /* the legs can lose no more than least says, whatever they are paid for */
    int64_t least;               /* what the legs of one unit pay at the least, in thousandths of a dollar */
    struct og_money worst, best; /* dollars; a loss is negative */
};

void og_mleg_payoff_of(const struct og_order *o, const struct og_mleg *m, struct og_mleg_payoff *r);

#endif
