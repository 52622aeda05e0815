/*
 * Multi-leg strategies: which of the service's shapes a set of legs is, its net direction and its widths.  Decided by
 * the legs alone, without positions, prices or policies.
 */
#pragma once

#include "order/order.h"

enum og_strategy {
    OG_STRATEGY_NONE = 0,
    OG_CALL_VERTICAL,
    OG_PUT_VERTICAL,
    OG_STRADDLE,
    OG_STRANGLE,
    OG_BUTTERFLY,
    OG_CONDOR,
    OG_IRON_BUTTERFLY,
    OG_IRON_CONDOR,
    OG_COVERED_CALL,
    OG_MARRIED_PUT
};

enum og_net { OG_NET_UNDETERMINED = 0, OG_DEBIT, OG_CREDIT };

/* The first fault, in the sequence in which the broker checks. */
enum og_mleg_fault {
    OG_MLEG_FINE = 0,
    OG_MLEG_TOO_FEW,
    OG_MLEG_TOO_MANY,
    OG_MLEG_LEG_FORM, /* a leg is not well formed, so no other member is set */
    OG_MLEG_CALENDAR,
    OG_MLEG_DIVISOR,
    OG_MLEG_ONE_SIDED, /* all legs Buy or all Sell, and not one of the named one-sided shapes */
    OG_MLEG_UNSUPPORTED
};

struct og_mleg {
    enum og_mleg_fault fault;
    bool calendar, divisor;    /* set as far as the legs are well formed, even if `fault` is another fault */
    int64_t common_divisor;    /* greatest common divisor of the ratios */
    enum og_strategy strategy; /* OG_STRATEGY_NONE if there is a fault */
    enum og_net net;
    bool one_sided;  /* the strategy is recognized, and all its legs are on one side */
    bool borderline; /* no recognized shape, but the service's document does not say that it is rejected */
    bool unequal_wings;
    bool mixed_open_close; /* the strategy is recognized, and some legs open while others close */
    bool all_open, all_close;
    bool ascending; /* the option legs are given in ascending sequence of strikes */
    int stock_leg;  /* index of the stock leg, or -1 */
    /* thousandths of a dollar: the wider wing of a vertical, butterfly, condor or iron; 0 for other strategies */
    int64_t width;
};

void og_mleg_of(const struct og_order *o, struct og_mleg *m);
const char *og_strategy_name(enum og_strategy s); /* such as "iron-condor"; "" for OG_STRATEGY_NONE */
const char *og_net_name(enum og_net n);           /* returns "debit", "credit" or "undetermined" */
