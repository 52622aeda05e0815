/*
 * Whether limits can count an order: its kind, side, type, size, prices and symbols are values that the service takes.
 * It does not look at what is no matter of an amount: id, account, route, time in force.
 */
#ifndef OG_CHECK_COUNTED_H
#define OG_CHECK_COUNTED_H

#include "order/order.h"

/* What of an order cannot be counted; all of it is static text. */
struct og_uncounted {
    const char *part; /* its JSON pointer; NULL: all of it can be counted */
    const char *why;
    bool only_symbol; /* the amounts can be counted, but a symbol in small letters may be another one to the service */
};
struct og_uncounted og_order_uncounted(const struct og_order *o);

/* Returns true for a single order of which all can be counted.  False says nothing. */
static inline bool og_order_is_usual(const struct og_order *o)
{
    return o->quantity > 0 && o->symbol.len && !o->symbol_bytes && o->side && o->security == OG_STOCK && !o->occ.is &&
           (o->type == OG_MARKET || (o->type == OG_LIMIT && og_order_ok(o, OG_KEY_LIMIT_PRICE) && o->limit.coef > 0));
}

#endif
