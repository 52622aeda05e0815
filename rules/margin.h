/*
 * What an order takes of buying power, by the settings of the rule buying-power: one calculation for the rule, for what
 * an accepted order reserves, and for what-if.
 */
#ifndef OG_RULES_MARGIN_H
#define OG_RULES_MARGIN_H

#include "rules/rule.h"

/* any_age: a stale quote is better than none.  exact: not a bound where that is enough to go on. */
void og_case_margin(const struct og_case *c, const struct og_margin_settings *s, bool any_age, bool exact,
                    struct og_margin *m);

#endif
