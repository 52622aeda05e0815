/*
 * What an order does to positions: whether it only reduces them, and how much it opens in the worst case.  Rules call
 * these functions instead of reading openClose and legs.
 */
#pragma once

#include "rules/rule.h"

/* Returns the position and working orders in the symbol of a trade; NULL if there is none. */
static inline const struct og_holding *og_case_holding(const struct og_case *c, const struct og_trade *t)
{
    return t->symbol.s == c->order->symbol.s ? c->holding : og_facts_holding(c->facts, t->symbol);
}

/* Set *size to how many shares or contracts the order's i-th trade opens in the worst case. That is the trade's whole
 * size if the trade does not say Close. For a close, it is the part that exceeds the position less other working
 * closes.  If positions are stale or were never read, a close opens nothing, because closing must stay possible.
 * Returns false if *size is out of range. */
bool og_case_opening(const struct og_case *c, int i, struct og_money *size);

/* Returns true if the order's i-th trade sells stock short: an opening sell, or a close of more than is held. */
bool og_case_sells_short(const struct og_case *c, int i);

/* Returns the legs of a spread that may open (bit 1 << index each); a leg that closes more than is held is one of
 * them. */
unsigned og_case_opening_legs(const struct og_case *c);

/* Returns true if every part of the order closes a position, and closes no more than is left to close, as far as that
 * is known. og_case_closes() computes this once for a case, unless the order itself says that it opens. */
static inline bool og_case_reduces(const struct og_case *c)
{
    return c->reduces;
}
bool og_case_closes(const struct og_case *c);

/* Returns true if the broker decides whether the order opens, because openClose is missing or unreadable.  What the
 * order does is then predicted only if it has no position to close. */
static inline bool og_case_may_do_either(const struct og_case *c)
{
    const struct og_order *o = c->order;
    int64_t as_of;

    if (o->security == OG_MLEG || og_opens(o->open_close) >= 0)
        return false;
    return !og_facts_known(c->facts, OG_FACT_POSITIONS, &as_of) ||
           (c->holding && (o->side == OG_SELL ? c->holding->held_long : c->holding->held_short).coef > 0);
}
