/*
 * The match of an override: the reason why it takes no order, or a trial order that it takes.
 */
#pragma once

#include "lint/trial.h"

/* Returns why the override takes no order that the rule checks, or no option although its match names options; NULL: it
 * may take one. */
const char *og_override_why_never(const struct og_rule *rule, const struct og_override *o);

/* Change a trial order so that the match takes it.  Returns false if that is not possible. */
bool og_override_fit_order(struct og_lint_run *l, const struct og_override *o, struct og_trial_order *p);
