/*
 * The terms of an order that the broker repeats in a row, by which the row of an order is told from the row of another
 * program's order with the same id; and how much of the order a row shows to have filled.
 */
#pragma once

#include "order/order.h"
#include "text/doc.h"

/* A leg of a spread. */
struct og_shown_leg {
    struct og_str symbol;
    enum og_side side;
    int opens;     /* 1: it opens, 0: it closes; -1 if the row does not say */
    int64_t ratio; /* 0 if the row does not show it */
};

/* A term is 0, NONE or empty if the row lacks it. */
struct og_shown_terms {
    struct og_money quantity, limit, stop;
    struct og_str symbol, traded;
    enum og_security security;
    enum og_side side; /* of a short sale: Sell */
    int opens;         /* as in a leg; 1 for a short sale */
    int bounded;       /* 1: the order's type has a limit, 0: it has none; -1 if the row does not say */
    int legs;          /* -1 if there are more than OG_LEGS_KEPT */
    const struct og_shown_leg *leg;
};

/* Read the terms of a row in either shape. The texts point into the row; *t has its legs in leg[]. */
void og_shown_terms_read(const cJSON *row, struct og_shown_terms *t, struct og_shown_leg leg[OG_LEGS_KEPT]);
/* Returns true if the order of the row is another one: of the terms that decide what an order may do, one that the row
 * shows is not the order's. Terms that the broker sets, as the side of a spread, do not count. */
bool og_shown_terms_differ(const struct og_shown_terms *t, const struct og_order *o);

/* How much of an order a row says has filled. */
enum og_filled_shown {
    OG_FILLED_SAID,  /* `executed` */
    OG_FILLED_WHOLE, /* the whole quantity: the row is Filled, whatever `executed` is */
    OG_FILLED_UNSAID /* nobody knows: `executed` is missing, no count of units, or contradicts the rest of the row */
};
/* Set *executed to what has filled at least. */
enum og_filled_shown og_shown_filled(const cJSON *row, struct og_str status, struct og_money *executed);
