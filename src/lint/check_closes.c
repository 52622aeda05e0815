/*
 * Checks custom rules that also refuse orders that only close, so that the position cannot be closed. (Limits of the
 * register let such orders pass.) A rule is not reported if it reads whether the order opens, since its author thought
 * of closes; nor if it reads only fields such as the route, since a close with another value of the field passes. A
 * finding either has a witness, or is about a rule that reads nothing of the order, and so decides a close like any
 * other order.
 */
#include "lint/rule_predicates.h"
#include "lint/witness_search.h"

#define TRIES_MOST  120
#define BUDGET_LEFT 150000 /* microseconds of the budget that are left for other checks */

/* Names by which a rule says that it applies to orders that open, or to orders that close. */
static const char *const about_closes[] = { "order.opens", "order.reduces", "order.openClose", "order.action", NULL };
/* Fields whose values do not depend on whether an order opens or closes. */
static const char *const labels[] = { "account.id",  "account.environment", "order.clientOrderId",
                                      "order.route", "order.timeInForce",   "order.orderType",
                                      NULL };
/* Beginnings of names whose values are the same for an order that opens and for one that closes. */
static const char *const of_no_order[] = { "account.", "counters.", "latches.", "session.", "now", NULL };

static bool is_label(const char *name)
{
    for (const char *const *label = labels; *label; label++)
        if (strcmp(name, *label) == 0)
            return true;
    return false;
}

static bool is_of_no_order(const char *name)
{
    for (const char *const *start = of_no_order; *start; start++)
        if (strncmp(name, *start, strlen(*start)) == 0)
            return true;
    return false;
}

/* Returns true if is() holds for every name that the rule reads. */
static bool all_names(const struct og_custom *c, bool (*is)(const char *name))
{
    const struct og_expr *of[] = { c->when, c->require };
    const char *name;

    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; of[k] && (name = og_expr_name_used(of[k], i)); i++)
            if (!is(name))
                return false;
    return true;
}

static bool is_witness(struct og_lint_run *l, const struct og_decision *d, void *with)
{
    const struct og_custom *c = with;
    const struct og_finding *f = d->reduces ? og_decision_finds(d, c->rule.id, NULL, true) : NULL;

    (void)l;
    return f && !f->unsure;
}

/* Try closes of a position that the facts have, also on a day with a large loss. */
static bool refuses_some_close(struct og_lint_run *l, const struct og_custom *c)
{
    const struct og_universe u = og_lint_universe(l);
    struct og_witness_search s;
    uint64_t closes = 0;

    for (uint64_t kinds = og_group_kinds(OG_GROUP_ORDER, &u); kinds; kinds &= kinds - 1)
        if (!og_order_kind(__builtin_ctzll(kinds)).opens)
            closes |= kinds & -kinds;
    og_witness_search_begin(&s, closes, TRIES_MOST);
    og_witness_search_add_values(&s, c->when);
    og_witness_search_add_values(&s, c->require);
    s.held = true;
    for (int lost = 0; lost < 2; lost++) {
        s.lost = lost;
        if (og_witness_search_run(l, &s, NULL, is_witness, (void *)c, NULL))
            return true;
    }
    return false;
}

void og_lint_check_closes(struct og_lint_run *l, const struct og_custom *c)
{
    const struct og_lint_witness *witness = NULL;
    struct og_lint_finding *f;

    if (!og_custom_refuses(c) || l->exhausted || l->budget < BUDGET_LEFT || all_names(c, is_label) ||
        og_expr_reads_one_of(c->when, about_closes) || og_expr_reads_one_of(c->require, about_closes))
        return;
    if (refuses_some_close(l, c))
        witness = og_trial_witness(l->trial, "only closes, and is refused by '%s'", c->rule.id);
    else if (!all_names(c, is_of_no_order))
        return;
    f = og_lint_add_at_place(l, c->where[OG_PART_REQUIRE], (int)c->require_text.len, "closes-refused",
                             "rule '%s' also refuses orders that only close: a position can then not be closed; %s",
                             c->rule.id, c->when ? "add 'order.opens &&' to its 'when'" : "write when: order.opens");
    if (f)
        f->witness = witness;
}
