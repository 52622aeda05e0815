/*
 * Conversions and sums of amounts that notional.c and spread.c share.
 */
#pragma once

#include "base/money.h"
#include "margin/notional.h"

enum { BASIS_POINTS = 10000, CONTRACT_SHARES = 100 };

static const struct og_money zero = { 0, 0 };

static inline void raise_to(struct og_money *price, bool has, struct og_money other)
{
    if (has && og_price_cmp(other, *price) > 0)
        *price = other;
}

/* Convert dollars of at most two decimals that are in the usual range. Returns false for others. */
static inline bool in_cents_simply(struct og_money dollars, int64_t *cents)
{
    static const int64_t each[] = { 100, 10, 1 };

    if ((uint32_t)dollars.scale > 2 || (uint64_t)dollars.coef > OG_CENTS_SMALL)
        return false;
    *cents = dollars.coef * each[dollars.scale];
    return true;
}

/* Convert dollars to cents. Returns TOO_LARGE for an amount that og_cents_of() rejects. */
static inline enum og_worth in_cents(struct og_money dollars, int64_t *cents)
{
    if (in_cents_simply(dollars, cents))
        return OG_WORTH_KNOWN;
    *cents = og_cents_of(og_money_from(1), dollars, false);
    return *cents >= 0 ? OG_WORTH_KNOWN : OG_WORTH_TOO_LARGE;
}

/* Set *dollars to the worth of a spread.  If no loss seems possible at the limit, the limit itself is the worth. */
enum og_worth og_spread_worth(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                              struct og_money *dollars);
