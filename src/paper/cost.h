/*
 * Buying power and option level that an order needs.
 */
#pragma once

#include "paper/order.h"

/* Buying power for the whole order; 0 if it only closes. */
int64_t og_paper_cost(struct og_paper *p, const struct og_paper_order *o);
/* Option level for an order that opens; 0 if it needs none. */
int og_paper_cost_level(const struct og_paper_order *o);
