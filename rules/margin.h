/*
 * What an order takes of buying power, by the settings of the rule buying-power: one calculation for the rule, for what
 * an accepted order reserves, and for what-if.
 */
#ifndef OG_RULES_MARGIN_H
#define OG_RULES_MARGIN_H

#include "rules/rule.h"

struct og_margin_settings {
    int32_t model;    /* enum og_margin_model */
    int32_t daytrade; /* enum og_daytrade */
    int32_t long_dated;
    struct og_margin_rates rates;
    struct og_money fee_per_contract, fee_per_share, locate_cost;
};

/* any_age: a stale quote is better than none.  exact: not a bound where that is enough to go on. */
void og_case_margin(const struct og_case *c, const struct og_margin_settings *s, bool any_age, bool exact,
                    struct og_margin *m);

#endif
