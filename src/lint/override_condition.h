/*
 * The condition under which an override applies, as a formula, and proofs about it.
 */
#pragma once

#include "lint/lint.h"

/* The parts of an override's condition that a formula may include. */
enum { OG_OVERRIDE_MATCH = 1, OG_OVERRIDE_WHEN = 2, OG_OVERRIDE_UNTIL = 4, OG_OVERRIDE_ALL = 7 };

/* Returns a formula that is true for orders to which the override applies; unknown if its condition is unknown. */
int og_override_formula(struct og_lint_run *l, struct og_logic *g, const struct og_override *o, unsigned parts);
/* As og_override_formula(), without the override's end time. */
int og_override_formula_any_time(struct og_logic *g, const struct og_override *o);
/* Returns true if the override can apply to requests that are not orders, such as cancels: they have no symbol, side
 * or condition to match. */
bool og_override_applies_to_requests(size_t rule, const struct og_override *o);

/* Returns a formula that is true for orders with one of these security types (bits). */
int og_logic_securities(struct og_logic *g, unsigned securities);

/* Prove that the k-th override of a rule applies to no order that the rule checks; `parts` says which parts of its
 * condition the proof may use. */
enum og_proof og_override_never_applies(struct og_lint_run *l, size_t rule, size_t k, unsigned parts);
/* Prove that the k-th override of a rule applies to every order that the rule checks. */
enum og_proof og_override_always_applies(struct og_lint_run *l, size_t rule, size_t k);
/* Prove that earlier overrides match every order that the k-th one matches. *by: set to the earlier override if a
 * single one matches all these orders, to -1 if it takes several. */
enum og_proof og_override_is_shadowed(struct og_lint_run *l, size_t rule, size_t k, int *by);
/* Prove the same, not counting the pieces that the loader split off from the k-th override itself. */
enum og_proof og_override_is_shadowed_by_others(struct og_lint_run *l, size_t rule, size_t k);
/* Prove that override b of the rule applies to every order to which override a applies. */
enum og_proof og_override_is_within(struct og_lint_run *l, size_t rule, size_t a, size_t b);
/* Returns true if no order matches both overrides, a and b, of the rule. */
bool og_overrides_are_disjoint(struct og_lint_run *l, size_t rule, size_t a, size_t b);
