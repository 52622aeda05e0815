/*
 * What the engine itself finds wrong with an order, as findings of rule order-form.
 */
#pragma once

#include "rules/rule.h"

/* The order is accepted by every rule, but its amounts cannot be reserved exactly. */
void og_order_form_unreserved(struct og_sink *sink);
/* An order cannot be in a basket, for this reason (a clause).  field: its JSON pointer. */
void og_order_form_not_in_basket(struct og_sink *sink, const char *field, const char *why);
/* Another order of the basket is refused: its index, and the reason. */
void og_order_form_basket(struct og_sink *sink, size_t refused, const char *reason);
