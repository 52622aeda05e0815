/*
 * Decides whether the brokerage accepts an order, by the brokerage's own tables and in the sequence of its checks.
 */
#pragma once

#include "paper/order.h"

struct og_paper_verdict {
    bool rejected;
    bool routed;         /* the rejection comes only after routing: the order is PendingNew first, then Rejected */
    bool effect_derived; /* openClose was missing, and was derived from the position */
    bool assigned;       /* the brokerage chose the route */
    bool invalid_id;     /* the answer gives the order's id with the suffix INVALID */
    char text[160];
};

/* Decide on a new order before it is placed. Also sets the values that the order does not specify (openClose of an
 * option, route, stop of a multi-leg StopLimit), and the buying power that the order requires. */
void og_paper_decide(struct og_paper_order *o, struct og_paper_verdict *verdict);
