/*
 * A range of numbers; each bound may be missing, and open or closed.
 */
#pragma once

#include <stdbool.h>

#include "ordergate/money.h"

struct og_range {
    bool has_low, has_high, low_open, high_open;
    struct og_money low, high;
};

void og_range_raise(struct og_range *r, struct og_money to,
                    bool open); /* raise the lower bound to `to`; open: `to` itself is excluded */
void og_range_lower(struct og_range *r, struct og_money to, bool open);
void og_range_meet(struct og_range *r, const struct og_range *other);
void og_range_close(struct og_range *r); /* for integers: move the bounds to the nearest integers inside the range */
bool og_range_is_empty(const struct og_range *r);
bool og_range_is_point(const struct og_range *r); /* returns true if the range is r->low alone */
bool og_range_has(const struct og_range *r, struct og_money m);
/* Returns the range of the negated numbers. */
struct og_range og_range_negated(const struct og_range *r);
/* Return the range of the sums (less: differences), or of the products, of a number of a and a number of b; a bound
 * that cannot be computed is left out. */
struct og_range og_range_sum(const struct og_range *a, const struct og_range *b, bool less);
struct og_range og_range_product(const struct og_range *a, const struct og_range *b);
