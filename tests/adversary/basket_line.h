/*
 * A basket as a line of input, as `ordergate check` reads it, beside the same orders that were read one by one.
 */
#pragma once

#include "chance.h"
#include "ordergate/ordergate.h"

struct basket_line {
    struct og_basket *basket;
    struct text json;
    struct text by_line, by_hand; /* what was decided */
    size_t count;
};

void basket_line_free(struct basket_line *b);
/* Begin a new line, and add an order to it. */
void basket_line_begin(struct basket_line *b);
void basket_line_add(struct basket_line *b, const struct text *order);
/* Read the line and have it decided, changing nothing. Ends the program if memory runs out. */
void basket_line_check(struct basket_line *b, struct og_book *book, int64_t now, struct og_scratch *const *scratch);
/* Returns the orders of the line, to be reserved in place of those that were read one by one; NULL if the line was no
 * basket of as many orders as were added. */
struct og_order *const *basket_line_orders(const struct basket_line *b);
/* Returns true if the same was decided of the orders of the line. */
bool basket_line_agrees(struct basket_line *b, const struct og_decision *decisions, size_t count);
