/*
 * The orders that rules refuse, as formulas: for custom rules, and for settings of the register's rules.
 */
#pragma once

#include "lint/lint.h"

#define OG_PREDICATES_MOST 100

/* A setting in force that refuses orders, as an expression (rules/rule.h, struct og_refusal). */
struct og_predicate {
    size_t rule; /* index in the register */
    int k;       /* -1: the rule's own setting; else that of its k-th override */
    const struct og_param *param;
    const struct og_refusal *refusal;
    const struct og_expr *e;
    bool exits_pass; /* orders that only reduce a position pass the setting, whatever the expression says */
};
struct og_predicates {
    struct og_predicate one[OG_PREDICATES_MOST];
    size_t count;
};

/* Collect the settings of a policy that refuse orders.  Rules with more than 12 overrides are left out. */
void og_predicates_find(struct og_lint_run *l, struct og_predicates *all);
/* Returns a formula that is true for orders that the rule's settings refuse for certain. */
int og_refused_by_rule(struct og_lint_run *l, struct og_logic *g, const struct og_predicates *all, size_t rule);
/* Returns a formula that is true for orders that this setting refuses, or about which it may be unsure. */
int og_refused_perhaps(struct og_lint_run *l, struct og_logic *g, const struct og_predicate *s);
/* Returns a formula that is true for orders that no rule in force refuses for their form; og_rule.refuses is the
 * condition under which a rule refuses an order whatever its settings are. */
int og_refused_by_no_form(struct og_lint_run *l, struct og_logic *g);
/* Returns a formula that is true for orders that the custom rule refuses. */
int og_refused_by_custom(struct og_lint_run *l, struct og_logic *g, const struct og_custom *c);
bool og_custom_refuses(const struct og_custom *c);
