/*
 * Operators on numbers of which only bounds are known, such as an order's value that is at least some amount.  A
 * comparison is known if it has the same result for every number within the bounds; in the same way, rules that check
 * limits refuse an order by the lower bound of its value.  Sums, differences, products and quotients have bounds again;
 * results of functions do not.
 */
#include "expr/program.h"

/* Returns false if the number has no bounds. */
static bool range_of(const struct og_expr_value *v, const struct og_range *bounds, struct og_range *r)
{
    if (v->state && !v->ranged)
        return false;
    *r = v->state ? *bounds
                  : (struct og_range){ .has_low = true, .has_high = true, .low = v->as.number, .high = v->as.number };
    return true;
}

/* --- arithmetic --------------------------------------------------------------------------------------------------- */

static bool divide(bool whole, struct og_money a, struct og_money b, struct og_money *quotient)
{
    if (!whole)
        return og_expr_divide(a, b, quotient);
    *quotient = og_money_from(b.coef ? a.coef / b.coef : 0);
    return b.coef != 0;
}

/* Returns the range of quotients; whole: of ints.  The range has no bounds if the divisor may be 0.  Both ways of
 * rounding are monotone, so a rounded bound is a bound of the rounded quotients. */
static struct og_range quotient_of(bool whole, struct og_range a, struct og_range b)
{
    struct og_range q = { .has_low = a.has_low, .has_high = a.has_high };

    if (b.has_high && b.high.coef < 0) {
        a = og_range_negated(&a);
        b = og_range_negated(&b);
        q = (struct og_range){ .has_low = a.has_low, .has_high = a.has_high };
    }
    if (!b.has_low || b.low.coef <= 0)
        return (struct og_range){ .has_low = false };
    /* the divisor is positive: a quotient is largest in size for the least divisor, and approaches 0 if the divisor has
     * no upper bound */
    q.low = q.high = og_money_from(0);
    if (a.has_low && (a.low.coef < 0 || b.has_high))
        q.has_low = divide(whole, a.low, a.low.coef < 0 ? b.low : b.high, &q.low);
    if (a.has_high && (a.high.coef >= 0 || b.has_high))
        q.has_high = divide(whole, a.high, a.high.coef >= 0 ? b.low : b.high, &q.high);
    return q;
}

static struct og_range result_of(const struct og_expr_instr *i, const struct og_range *a, const struct og_range *b)
{
    switch (i->op) {
    case OG_OP_ADD:
    case OG_OP_SUB: return og_range_sum(a, b, i->op == OG_OP_SUB);
    case OG_OP_MUL: return og_range_product(a, b);
    case OG_OP_DIV: return quotient_of(i->aux == OG_OPERAND_INT, *a, *b);
    default: return (struct og_range){ .has_low = false }; /* remainders get no bounds */
    }
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

static bool is_below(const struct og_range *a, const struct og_range *b, bool or_equal)
{
    int order = a->has_high && b->has_low ? og_money_cmp(a->high, b->low) : 1;

    return order < 0 || (or_equal && order == 0);
}

/* Returns true if the comparison has the same result for all numbers in the ranges, and sets *truth to that result. */
static bool decides(unsigned char op, const struct og_range *a, const struct og_range *b, bool *truth)
{
    bool negated = op == OG_OP_GT || op == OG_OP_GE || op == OG_OP_NE, is, is_not;

    switch (op) {
    case OG_OP_LT:
    case OG_OP_GE:
        is = is_below(a, b, false);
        is_not = is_below(b, a, true);
        break;
    case OG_OP_LE:
    case OG_OP_GT:
        is = is_below(a, b, true);
        is_not = is_below(b, a, false);
        break;
    default:
        is = og_range_is_point(a) && og_range_is_point(b) && og_money_cmp(a->low, b->low) == 0;
        is_not = is_below(a, b, false) || is_below(b, a, false);
        break;
    }
    *truth = is != negated;
    return is || is_not;
}

/* Returns true if no item of the list is within the bounds. (An item within the bounds decides nothing.) */
static bool excludes(const struct og_range *a, const struct og_expr_value *list)
{
    for (size_t i = 0; i < list->as.list.count; i++)
        if (og_range_has(a, list->as.list.at[i].as.number))
            return false;
    return true;
}

void og_expr_binary_ranged(const struct og_expr_instr *i, struct og_expr_value *x, struct og_range *a,
                           const struct og_expr_value *y, const struct og_range *b)
{
    struct og_range left, right;
    bool truth = false, known = false;

    if (i->op == OG_OP_IN) {
        known = i->aux == OG_OPERAND_NUMBER && x->ranged && !y->state && excludes(a, y);
    } else if ((i->aux == OG_OPERAND_NUMBER || i->aux == OG_OPERAND_INT) && range_of(x, a, &left) &&
               range_of(y, b, &right)) {
        if (i->op < OG_OP_EQ) {
            *a = result_of(i, &left, &right);
            *x = og_expr_propagate(*x, *y);
            x->ranged = a->has_low || a->has_high;
            return;
        }
        known = decides(i->op, &left, &right, &truth);
    }
    *x = known ? og_expr_truth_value(truth) : og_expr_propagate(*x, *y);
}

void og_expr_range_text(const struct og_range *r, struct og_buf *b)
{
    if (!r->has_low)
        og_buf_text(b, "at most ");
    else if (!r->has_high)
        og_buf_text(b, "at least ");
    og_buf_money(b, r->has_low ? r->low : r->high);
    if (r->has_low && r->has_high) {
        og_buf_text(b, " to ");
        og_buf_money(b, r->high);
    }
}
