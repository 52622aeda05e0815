/*
 * Tells whether limits can count an order: that is, whether the service accepts its kind, side, type, size, prices and
 * symbols. Fields that do not affect amounts are not checked: id, account, route, time in force.
 */
#pragma once

#include "facts/facts.h"

/* The part of an order that limits cannot count; its texts are static. */
struct og_uncounted {
    const char *part; /* JSON pointer of the part; NULL if the whole order can be counted */
    const char *why;
    /* amounts can be counted, but the service may take a symbol in lower case, or in another spelling, for another
     * symbol */
    bool only_symbol;
};
struct og_uncounted og_order_uncounted(const struct og_order *o, const struct og_facts *f);

static inline bool og_occ_can_exist(const struct og_occ *occ)
{
    return occ->is && occ->date_exists && occ->strike;
}

/* Returns true for 2 to 4 legs, each of them a contract with a side and a ratio. */
static inline bool og_legs_are_usual(const struct og_order *o)
{
    if (o->leg_count < 2 || o->leg_count > 4)
        return false;
    for (const struct og_leg *l = o->leg; l < o->leg + o->leg_count; l++)
        if (l->symbol_bytes || !og_occ_can_exist(&l->occ) || !l->side || !l->ratio)
            return false;
    return true;
}

/* Returns true for the usual kind of order: a market order for regular hours, or a limit order (of stock: in whole
 * cents; a spread: for the day), that has exactly the keys that it needs, can be counted, and replaces no other order.
 * If it returns false, the order may still be countable. */
static inline bool og_order_is_usual(const struct og_order *o)
{
    const unsigned of_kind = o->security == OG_MLEG ? OG_KEYS_ALWAYS | OG_KEY_BIT(LEGS) : OG_KEYS_SINGLE,
                   wanted = of_kind | (o->type == OG_LIMIT ? OG_KEY_BIT(LIMIT_PRICE) : 0),
                   of_some = OG_KEY_BIT(LIMIT_PRICE) | OG_KEY_BIT(STOP_PRICE) | OG_KEY_BIT(LEGS) | OG_KEY_BIT(REPLACES);

    if (!o->plain || (o->keys & (wanted | of_some)) != wanted || o->op != OG_OP_ORDER || !o->quantity ||
        !o->in_digits || !o->symbol.len || o->symbol_bytes)
        return false;
    if (o->type == OG_LIMIT ? o->limit.coef <= 0
                            : o->type != OG_MARKET || o->tif == OG_DAY_PLUS || o->tif == OG_GTC_PLUS)
        return false;
    if (o->security == OG_MLEG)
        return o->type == OG_LIMIT && o->tif == OG_DAY && og_legs_are_usual(o);
    return o->security == OG_STOCK ? !o->occ.is && o->limit.scale <= 2
                                   : o->security == OG_OPTION && og_occ_can_exist(&o->occ);
}
