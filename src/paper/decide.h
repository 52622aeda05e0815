/*
 * Whether an order is taken: the brokerage's own tables, in the order in which it decides.
 */
#ifndef OG_PAPER_DECIDE_H
#define OG_PAPER_DECIDE_H

#include "paper/order.h"

struct og_paper_verdict {
    bool rejected;
    bool routed;     /* found out once routed: PendingNew first, then Rejected */
    bool unsaid;     /* openClose was left out, and filled in by what is held */
    bool assigned;   /* the brokerage chose the route */
    bool invalid_id; /* the answer names the order by its id with INVALID behind it */
    char text[160];
};

/* Decide on an order just made and not yet placed; fills in what it leaves open (openClose of an option, route, stop of
 * a multi-leg StopLimit) and what it needs of buying power. */
void og_paper_decide(struct og_paper *p, struct og_paper_order *o, struct og_paper_verdict *verdict);

#endif
