/*
 * The buying power and the option level that an order requires.
 */
#pragma once

#include "paper/order.h"

/* Returns the buying power that the whole order requires; 0 if it only closes. */
int64_t og_paper_cost(struct og_paper *p, const struct og_paper_order *o);
/* Returns the option level that is required to open the order; 0 if none is. */
int og_paper_cost_level(const struct og_paper_order *o);
