/*
 * Decides whether a row with our order's id shows another order: two programs may use the same id, and the broker
 * accepts the first order. Never decides by fields that the broker may have changed or left out.
 */
#pragma once

#include "wire/row.h"

/* Returns true if the row and the body of our POST differ in a field that both have, and that the broker repeats
 * unchanged; *why is then a text like "limitPrice is 1, ours is 150". A row without such a difference may be ours. */
bool og_is_namesake(struct og_str body, const struct og_order_row *row, struct og_buf *why);
