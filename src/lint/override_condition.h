/*
 * Overrides as formulas: which orders each is for, and whether any are left by those before it.
 */
#ifndef OG_LINT_OVERRIDE_CONDITION_H
#define OG_LINT_OVERRIDE_CONDITION_H

#include "lint/lint.h"

/* Parts of an override that are asked for. */
enum { OG_OVERRIDE_MATCH = 1, OG_OVERRIDE_WHEN = 2, OG_OVERRIDE_UNTIL = 4, OG_OVERRIDE_ALL = 7 };

/* The order is one for the override; unknown where its condition is. */
int og_override_formula(struct og_lint_run *l, struct og_logic *g, const struct og_override *o, unsigned parts);
/* The same, whatever the time. */
int og_override_formula_any_time(struct og_logic *g, const struct og_override *o);
/* A cancel has no side, symbol or condition: what asks for one is no override for it. */
bool og_override_applies_to_requests(size_t rule, const struct og_override *o);

/* The order is of one of these securities, bits. */
int og_logic_securities(struct og_logic *g, unsigned securities);

/* No order of the rule's is for its k-th override, by these parts. */
enum og_proof og_override_never_applies(struct og_lint_run *l, size_t rule, size_t k, unsigned parts);
/* Every order of the rule's is. */
enum og_proof og_override_always_applies(struct og_lint_run *l, size_t rule, size_t k);
/* An earlier one takes every order that is for it: which (*by), or all of them together (-1). */
enum og_proof og_override_is_shadowed(struct og_lint_run *l, size_t rule, size_t k, int *by);
/* No order is for both. */
bool og_overrides_are_disjoint(struct og_lint_run *l, size_t rule, size_t a, size_t b);

#endif
