/*
 * What written options can lose at expiry.  A put can lose its strike, less the strike of a long put that covers it;
 * what a call can lose has a bound only if it is covered.  A long contract of any strike covers shorts that expire with
 * it or before it.
 */
#pragma once

#include "order/occ.h"
#include "ordergate/money.h"

/* A wide integer for sums of contracts or cents that must not overflow. */
__extension__ typedef __int128 og_wide;

/* One contract: how many of it are held short, and how many long as cover. */
struct og_lot {
    int64_t strike; /* in thousandths of a dollar */
    int expiry;     /* yyyymmdd */
    int64_t shorts, longs;
    int64_t maybe; /* longs that may still be sold: they count as cover of calls, but not of puts */
};
#define OG_LOTS 128

/* Returns the maximum loss of the short puts of one root at expiry, in cents; their premium is not deducted. With
 * several expiries, the result may be more than the exact amount, never less. The lots are reordered and used up. */
og_wide og_puts_lose(struct og_lot *lots, int count);

/* Returns the same for short calls, of which `by_shares` are covered by shares. *bare: the number of calls that no long
 * covers. Their loss has no bound, so it is not included, and shares cover these calls first. Longs with `maybe` may be
 * sold: those with the highest strikes are assumed to remain. */
og_wide og_calls_lose(struct og_lot *lots, int count, int64_t by_shares, int64_t *bare);

/* Remove the shorts that no long covers, which means that no long expires with them or later; among several, shorts
 * with the lowest strikes are removed first. Returns how many were removed. */
int64_t og_calls_take_bare(struct og_lot *lots, int count);

/* Set *price to the maximum loss per share of a put that was written for `premium` or more; 0 if it cannot lose. */
void og_put_loses(int64_t strike, struct og_money premium, struct og_money *price);

/* Returns the value of this number of contracts at their strike, in cents. */
static inline og_wide og_put_strikes(int64_t strike, int64_t contracts)
{
    return (og_wide)strike * contracts * 10; /* a contract is a hundred shares, and the strike is in tenths of a cent */
}
