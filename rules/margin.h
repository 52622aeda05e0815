/*
 * The buying power that an order needs, by the settings of rule buying-power.  The rule, the reservation of an accepted
 * order and og_margin_ask() all use this calculation.
 */
#pragma once

#include "rules/rule.h"

/* Compute the buying power that the case's order needs. any_age: use quotes of any age. exact: compute the exact
 * amount, even if an upper bound would suffice. */
void og_case_margin(const struct og_case *c, const struct og_margin_settings *s, bool any_age, bool exact,
                    struct og_margin *m);
/* Returns true if the order may cost more than by its limit (margin/notional.h): a short sale of stock fills at the bid
 * however low its limit is, and a market order may fill beyond the quote. */
static inline bool og_case_may_cost_more(const struct og_case *c, const struct og_margin *m)
{
    return m->state == OG_MARGIN_KNOWN && m->model == OG_BINDS_NOTIONAL && c->order->security == OG_STOCK &&
           !og_order_is_bounded(c->order);
}
/* Raise what the order reserves to its worst case, if it may cost more than by its limit. */
void og_case_take_worst(const struct og_case *c, struct og_margin *m);
