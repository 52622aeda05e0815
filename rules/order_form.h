/*
 * What the engine itself finds wrong with an order, as findings of rule order-form.
 */
#pragma once

#include "rules/rule.h"

/* Report that the order is accepted by every rule, but that its amounts cannot be reserved exactly. */
void og_order_form_unreserved(struct og_sink *sink);
/* Report that the order cannot be in a basket. why: the reason, a clause; field: JSON pointer of the member that
 * prevents it. */
void og_order_form_not_in_basket(struct og_sink *sink, const char *field, const char *why);
/* Report that another order of the basket is refused: its index, and the reason. */
void og_order_form_basket(struct og_sink *sink, size_t refused, const char *reason);
