/*
 * The worst and best result of a multi-leg order: the payoff of its legs at expiry, at the order's limit price and
 * quantity.  Early exercise, dividends, fees and other positions are not modeled.
 */
#pragma once

#include "mleg/mleg.h"

struct og_mleg_payoff {
    bool has_worst, has_best; /* false if the result is unbounded, or the price is not known */
    bool bounded;             /* a unit's payoff is never below `least`, at whatever price of the underlying */
    bool credit;              /* the net price is received, whatever the limit price is */
    /* lowest and highest payoff of the legs of one unit, in thousandths of a dollar; the payoff has no highest value if
     * has_best is false */
    int64_t least, most;
    struct og_money worst, best; /* in dollars; a loss is negative */
};

void og_mleg_payoff_of(const struct og_order *o, const struct og_mleg *m, struct og_mleg_payoff *r);
