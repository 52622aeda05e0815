/*
 * What an order needs: buying power and option level.
 */
#ifndef OG_PAPER_COST_H
#define OG_PAPER_COST_H

#include "paper/order.h"

/* Buying power of the whole order; 0 for one that only closes. */
int64_t og_paper_cost(struct og_paper *p, const struct og_paper_order *o);
/* Option level of an order that opens; 0 when it needs none. */
int og_paper_cost_level(const struct og_paper_order *o);

#endif
