/*
 * The lines of baskets: {"op":"basket","orders":[...]}.
 */
#pragma once

#include "order/order.h"
#include "ordergate/basket.h"

struct og_basket {
    struct og_order *line;                  /* the whole line */
    size_t count;                           /* number of orders; 0 if the line is no basket */
    struct og_order *order[OG_BASKET_MOST]; /* made when first needed, and reused for later lines; NULL if not needed
                                             * yet */
    /* where each order ends, in bytes from the start of the line, and how many bytes it has */
    size_t end[OG_BASKET_MOST], len[OG_BASKET_MOST];
};
