/*
 * Buying power and option level that an order needs.
 */
#pragma once

#include "paper/order.h"

/* Returns the buying power for the whole order; 0 if it only closes. */
int64_t og_paper_cost(struct og_paper *p, const struct og_paper_order *o);
/* Returns the option level that an order needs to open; 0 if it needs none. */
int og_paper_cost_level(const struct og_paper_order *o);
