/*
 * What an order does to what is held: whether it only reduces it, and how much it opens at the worst.  Rules ask this
 * instead of reading openClose and legs.
 */
#ifndef OG_RULES_SIDES_H
#define OG_RULES_SIDES_H

#include "rules/rule.h"

/* What is known of a symbol the order trades; NULL: nothing is held or working. */
static inline const struct og_holding *og_case_holding(const struct og_case *c, const struct og_trade *t)
{
    return t->symbol.s == c->order->symbol.s ? c->holding : og_facts_holding(c->facts, t->symbol);
}

/* How much of its i-th trade opens at the worst, in shares or contracts: all of it unless it says Close, and of a close
 * what is more than is held and no other order closes.  Where positions are not known a close opens nothing: it is the
 * way out.  Returns false if that is beyond counting. */
bool og_case_opening(const struct og_case *c, int i, struct og_money *size);

/* Every part of the order closes, and no more than is left to close where that is known.  Worked out once for a case,
 * when it is made: by og_case_closes() where nothing of the order says that it opens. */
static inline bool og_case_reduces(const struct og_case *c)
{
    return c->reduces;
}
bool og_case_closes(const struct og_case *c);

/* The broker decides whether it opens: openClose is missing or unreadable.  What it would do is then predicted only
 * where nothing is held that it could close. */
static inline bool og_case_may_do_either(const struct og_case *c)
{
    const struct og_order *o = c->order;
    int64_t as_of;

    if (o->security == OG_MLEG || og_opens(o->open_close) >= 0)
        return false;
    return !og_facts_known(c->facts, OG_FACT_POSITIONS, &as_of) ||
           (c->holding && (o->side == OG_SELL ? c->holding->held_long : c->holding->held_short).coef > 0);
}

#endif
