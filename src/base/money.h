/*
 * Money inside: what lies beside ordergate/money.h.
 */
#pragma once

#include "ordergate/money.h"

#define OG_MONEY_ROOM sizeof(((struct og_money_text *)0)->s)
/* og_money_text() without its NUL, in OG_MONEY_ROOM bytes; its length. */
size_t og_money_put(char *to, struct og_money m);

/* A caller can make one with any scale; what keeps one of a caller's asks this first. */
static inline bool og_money_is(struct og_money m)
{
    return m.scale >= 0 && m.scale <= 18;
}

/* og_money_cmp() of prices, or of sizes, whose decimals are mostly as many: told without a call then. */
static inline int og_price_cmp(struct og_money a, struct og_money b)
{
    return a.scale == b.scale ? (a.coef > b.coef) - (a.coef < b.coef) : og_money_cmp(a, b);
}

/* Returns true if a <= most.  Told without a call where a has as many decimals or up to two more, as an amount in cents
 * has beside a limit in whole dollars. */
static inline bool og_money_is_within(struct og_money a, struct og_money most)
{
    static const int64_t power[] = { 1, 10, 100 };
    const unsigned more = (unsigned)a.scale - (unsigned)most.scale;
    int64_t edge;

    return more <= 2 && !__builtin_mul_overflow(most.coef, power[more], &edge) ? a.coef <= edge
                                                                               : og_money_cmp(a, most) <= 0;
}

/* Add more to a sum of many, whose decimals stay as many as they once were: not in normal form, as what is reckoned
 * with it is again.  false: the exact sum has no og_money; *sum is as it was. */
bool og_money_gather(struct og_money *sum, struct og_money more);
