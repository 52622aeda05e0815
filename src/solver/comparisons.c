/*
 * Finds the constants with which expressions compare names.  Comparisons of computed values are not considered.
 */
#include "solver/comparisons.h"

const struct og_expr_named *og_comparison_at(const struct og_expr_node *n, const struct og_expr_value **value,
                                             size_t *at)
{
    const struct og_expr_node *a, *b;
    bool last;

    if (n->op < OG_OP_EQ || n->op > OG_OP_IN)
        return NULL;
    a = og_expr_operand(n, 0);
    b = n - 1;
    last = b->op == OG_OP_CONST;
    if (!last && (a->op != OG_OP_CONST || n->op == OG_OP_IN))
        return NULL;
    *value = last ? b->value : a->value;
    *at = last ? b->at : a->at;
    a = last ? a : b;
    return a->op == OG_OP_NAME ? &og_expr_named[a->arg] : a->op == OG_OP_LEG ? &og_expr_leg_fields[a->arg] : NULL;
}

bool og_comparison_orders(const struct og_expr_node *n)
{
    return n->op >= OG_OP_LT && n->op <= OG_OP_GE;
}

size_t og_comparison_values(const struct og_expr_node *n, const struct og_expr_value *v,
                            const struct og_expr_value **first)
{
    *first = n->op == OG_OP_IN ? v->as.list.at : v;
    return n->op == OG_OP_IN ? v->as.list.count : 1;
}
