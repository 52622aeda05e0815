/*
 * The match of an override: a trial order that it matches, or the reason why it matches no order.
 */
#pragma once

#include "lint/trial.h"

/* Returns why the override applies to no order that the rule checks, or to no option although its match lists options;
 * NULL if it may apply. */
const char *og_override_why_never(struct og_lint_run *l, const struct og_rule *rule, const struct og_override *o);

/* Change a trial order so that the override matches it.  Returns false if that is not possible. */
bool og_override_fit_order(struct og_lint_run *l, const struct og_override *o, struct og_trial_order *p);
