/*
 * Whether a row is of another order under the id of ours: two programs may use one id, and the broker takes the first.
 * It refuses to decide by what the broker may have changed or left out.
 */
#ifndef OG_OUTCOME_IDENTITY_H
#define OG_OUTCOME_IDENTITY_H

#include "wire/row.h"

/* body: of our POST.  true: something that both name, and that the broker echoes as it was sent (service.md "Order
 * object"), is not the same; then *why is "limitPrice is 1, ours is 150".  A row that tells nothing of that kind may
 * be ours. */
bool og_is_namesake(struct og_str body, const struct og_order_row *row, struct og_buf *why);

#endif
