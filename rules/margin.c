/*
 * Buying power of a case: calls src/margin with the settings of rule buying-power.
 */
#include "rules/margin.h"

#include "base/attributes.h"
#include "rules/limit.h"

/* For an order whose cost depends on a quote, returns the lower bound of the cost by the order's own prices. */
static struct og_money least_of(const struct og_case *c)
{
    struct og_money least = { 0, 0 };

    if (c->order->side == OG_BUY || c->order->security == OG_STOCK)
        (void)og_case_dollars(c, &least);
    return least;
}

OG_HOT void og_case_margin(const struct og_case *c, const struct og_margin_settings *s, bool any_age, bool exact,
                           struct og_margin *m)
{
    const struct og_margin_question q = {
        .room = c->margin_room,
        .order = c->order,
        .mleg = c->mleg,
        .result = c->result,
        .facts = c->facts,
        .holding = c->holding,
        .quote = c->quote,
        .worth = c->worth,
        .settings = s,
        .now = c->facts_at,
        .quote_age = any_age ? 0 : c->max_age[__builtin_ctz(OG_FACT_QUOTE)],
        .date = c->eastern.date,
        .exact = exact,
    };

    og_margin_of(&q, m);
    if (m->state == OG_MARGIN_NEEDS_QUOTE)
        m->taken = least_of(c);
}

OG_HOT void og_case_take_worst(const struct og_case *c, struct og_margin *m)
{
    struct og_money worst;

    (void)og_case_dollars(c, &worst);
    if (!og_money_is_within(worst, m->taken))
        m->taken = worst;
}
