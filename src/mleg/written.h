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
    int64_t strike; /* thousandths of a dollar */
    int expiry;     /* yyyymmdd */
    int64_t shorts, longs;
    int64_t maybe; /* longs that may still be sold: they count as cover of calls, but not of puts */
};
#define OG_LOTS 128

/* Returns the most that the short puts of one root can lose at expiry, in cents; their premium is not deducted.  With
 * several expiries, the result may be more than the exact amount, never less.  The lots are reordered and used up. */
og_wide og_puts_lose(struct og_lot *lots, int count);

/* Returns the same for short calls, of which shares cover `by_shares`. *bare: the number of calls that no long covers;
 * their loss has no bound, so they are left out, and shares cover them first. Of the longs that may be sold, those with
 * the highest strikes are taken to remain. */
og_wide og_calls_lose(struct og_lot *lots, int count, int64_t by_shares, int64_t *bare);

/* Take away the shorts that no long covers, which means that no long expires with them or later; shorts with the lowest
 * strikes first. Returns how many there were. */
int64_t og_calls_take_bare(struct og_lot *lots, int count);

/* Set *price to the most that a written put can lose per share if it was sold at `premium` or more; 0 if it cannot
 * lose. */
void og_put_loses(int64_t strike, struct og_money premium, struct og_money *price);

/* Returns, in cents, what this number of contracts at a strike is worth at the strike. */
static inline og_wide og_put_strikes(int64_t strike, int64_t contracts)
{
    return (og_wide)strike * contracts * 10; /* a contract is a hundred shares, and the strike is in tenths of a cent */
}
