/*
 * Multi-leg strategies: which of the service's shapes a set of legs is, its net direction and its widths
 * (service.md "Multi-leg options" rule 7; matrix.md "Mleg strategy recognition: exact decision table").
 * It refuses to look at positions, prices or policies: legs alone decide.
 */
#ifndef OG_MLEG_MLEG_H
#define OG_MLEG_MLEG_H

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

/* The first thing wrong, in the broker's order of decision. */
enum og_mleg_fault {
    OG_MLEG_FINE = 0,
    OG_MLEG_TOO_FEW,
    OG_MLEG_TOO_MANY,
    OG_MLEG_LEG_FORM, /* some leg is not well formed: nothing further is decided */
    OG_MLEG_CALENDAR,
    OG_MLEG_DIVISOR,
    OG_MLEG_ONE_SIDED, /* all Buy or all Sell, and no named one-sided shape */
    OG_MLEG_UNSUPPORTED
};

struct og_mleg {
    enum og_mleg_fault fault;
    bool calendar, divisor;    /* also set beside another fault, when they can be told */
    int64_t common_divisor;    /* of the ratios */
    enum og_strategy strategy; /* NONE unless fault is FINE */
    enum og_net net;
    bool one_sided;  /* recognised, and all legs on one side */
    bool borderline; /* not recognised, by our reading: the service document does not speak of the shape */
    bool unequal_wings;
    bool mixed_open_close; /* recognised, legs not all Open or all Close */
    bool all_open, all_close;
    bool ascending; /* option legs were sent ascending by strike */
    int stock_leg;  /* index, or -1 */
    int64_t width;  /* thousandths of a dollar: the wider wing of a vertical, butterfly, condor or iron; else 0 */
};

void og_mleg_of(const struct og_order *o, struct og_mleg *m);
const char *og_strategy_name(enum og_strategy s); /* "iron-condor"; "" for NONE */
const char *og_net_name(enum og_net n);           /* "debit", "credit", "undetermined" */

#endif
