/*
 * Checks custom rules that require the day's profit to be at most some amount: such a rule lets a loss of any size pass
 * and refuses after a gain. A desk may want such a rule, to keep a gain. So the finding is worded as a question, and is
 * made only if no other rule of the policy limits the day's loss.
 */
#include "lint/lint.h"
#include "solver/comparisons.h"

#define PROFIT "counters.dayPnl"

static bool reads_profit(const struct og_expr *e)
{
    static const char *const names[] = { PROFIT, "counters.drawdown", NULL };

    return e && og_expr_reads_one_of(e, names);
}

/* Returns true if a limit in force, or another custom rule, depends on the day's profit. */
static bool is_bounded_elsewhere(const struct og_lint_run *l, const struct og_custom *c)
{
    for (size_t i = 0; i < og_rules_size; i++)
        if (og_rules[i]->limit && og_rules[i]->reads & OG_FACT_PNL && og_lint_binds(l, i, -1))
            return true;
    for (size_t i = 0; i < l->policy->custom_count; i++)
        if (l->policy->custom[i] != c &&
            (reads_profit(l->policy->custom[i]->require) || reads_profit(l->policy->custom[i]->when)))
            return true;
    return false;
}

static bool is_profit(const struct og_expr_node *n)
{
    return n->op == OG_OP_NAME && strcmp(og_expr_named[n->arg].is.name, PROFIT) == 0;
}

/* Returns true if the tree consists of constants above zero, names of equity, products and quotients: such an amount is
 * not negative, unless equity is. */
static bool is_amount(const struct og_expr_node *n)
{
    for (const struct og_expr_node *k = og_expr_first(n); k <= n; k++)
        if (!(k->op == OG_OP_CONST && (k->type == OG_TYPE_INT || k->type == OG_TYPE_DECIMAL) &&
              k->value->as.number.coef > 0) &&
            !(k->op == OG_OP_NAME && og_expr_named[k->arg].is.measure == OG_MEASURE_EQUITY) &&
            !((k->op == OG_OP_MUL || k->op == OG_OP_DIV) && k->aux == OG_OPERAND_NUMBER))
            return false;
    return true;
}

/* Returns true if the tree is "profit <= amount" or "amount >= profit". */
static bool caps_profit(const struct og_expr_node *n)
{
    const struct og_expr_node *a, *b;

    if (!og_comparison_orders(n) || n->aux != OG_OPERAND_NUMBER)
        return false;
    a = og_expr_operand(n, 0);
    b = n - 1;
    return n->op == OG_OP_LT || n->op == OG_OP_LE ? is_profit(a) && is_amount(b) : is_profit(b) && is_amount(a);
}

void og_lint_check_turned(struct og_lint_run *l, const struct og_custom *c)
{
    if (!caps_profit(c->require->root) || is_bounded_elsewhere(l, c))
        return;
    (void)og_lint_add_at_place(l, c->where[OG_PART_REQUIRE], (int)c->require_text.len, "condition-turned",
                               "is this the right way round? It refuses after a gain and lets a loss of any size "
                               "pass: to stop at a loss, require " PROFIT " >= the amount below zero");
}
