/*
 * What overrides match: why one takes nothing, and an order that one takes.
 */
#ifndef OG_LINT_OVERRIDE_MATCH_H
#define OG_LINT_OVERRIDE_MATCH_H

#include "lint/trial.h"

/* Why no order of the service is taken by it in this rule, or no option though it names them; NULL: some may be. */
const char *og_override_why_never(const struct og_rule *rule, const struct og_override *o);

/* Change a probe until the match takes it, as far as its parts can be had; false: they cannot. */
bool og_override_fit_order(struct og_lint_run *l, const struct og_override *o, struct og_trial_order *p);

#endif
