/*
 * Functions on og_money for the library's own use, in addition to those of ordergate/money.h.
 */
#pragma once

#include "ordergate/money.h"

#define OG_MONEY_ROOM sizeof(((struct og_money_text *)0)->s)
/* Write og_money_text() without its NUL to `to`, which has OG_MONEY_ROOM bytes.  Returns the length. */
size_t og_money_put(char *to, struct og_money m);

/* Returns true if the scale is valid.  A caller of the library can pass any scale: check a price with this before
 * keeping it. */
static inline bool og_money_is(struct og_money m)
{
    return m.scale >= 0 && m.scale <= 18;
}

/* Compares prices or sizes as og_money_cmp() does. Usually both have the same number of decimals, and are then compared
 * without a call. */
static inline int og_price_cmp(struct og_money a, struct og_money b)
{
    return a.scale == b.scale ? (a.coef > b.coef) - (a.coef < b.coef) : og_money_cmp(a, b);
}

/* Returns true if a <= most.  Needs no function call if the numbers of their decimals differ by at most two, as with
 * an amount in cents and a limit in whole dollars. */
static inline bool og_money_is_within(struct og_money a, struct og_money most)
{
    static const int64_t power[] = { 1, 10, 100 };
    const unsigned more = (unsigned)a.scale - (unsigned)most.scale, fewer = 0 - more;
    int64_t edge;

    if (more <= 2 && !__builtin_mul_overflow(most.coef, power[more], &edge))
        return a.coef <= edge;
    if (fewer <= 2 && !__builtin_mul_overflow(a.coef, power[fewer], &edge))
        return edge <= most.coef;
    return og_money_cmp(a, most) <= 0;
}

/* Add to a running sum.  The scale of *sum never falls, so *sum is not in normal form; sums and differences computed
 * from it are.  Returns false, and leaves *sum unchanged, if og_money cannot represent the exact sum. */
bool og_money_gather(struct og_money *sum, struct og_money more);
