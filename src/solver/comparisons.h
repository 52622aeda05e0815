/*
 * The constants with which the nodes of an expression compare names.
 */
#pragma once

#include "solver/domain.h"

/* Returns the name, or the field of a leg, that the node compares with a constant; NULL if the node is not such a
 * comparison.  *value: the constant or list; *at: its offset in the text. */
const struct og_expr_named *og_comparison_at(const struct og_expr_node *n, const struct og_expr_value **value,
                                             size_t *at);
bool og_comparison_orders(const struct og_expr_node *n); /* returns true for <, <=, > and >= */
/* Get the values with which such a node compares its name: the constant, or the items of the list.  Returns the number
 * of values. */
size_t og_comparison_values(const struct og_expr_node *n, const struct og_expr_value *v,
                            const struct og_expr_value **first);
