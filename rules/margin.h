/*
 * The buying power that an order takes by the settings of rule buying-power.  The rule, the reservation of an accepted
 * order and og_margin_ask() all use this calculation.
 */
#pragma once

#include "rules/rule.h"

/* Compute the buying power that the case's order takes. any_age: use quotes of any age. exact: compute the exact
 * amount, even if an upper bound would suffice. */
void og_case_margin(const struct og_case *c, const struct og_margin_settings *s, bool any_age, bool exact,
                    struct og_margin *m);
