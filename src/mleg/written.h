/*
 * What written options can lose at expiry.  The loss of a put is bounded by the strike, less the strike of a long put
 * that covers it; that of a call only by what covers it.  A long contract of any strike covers shorts that expire with
 * it or before it.
 */
#pragma once

#include "order/occ.h"
#include "ordergate/money.h"

/* For sums that must not overflow, of contracts or of cents. */
__extension__ typedef __int128 og_wide;

/* One contract: how many are held short, and how many long as cover. */
struct og_lot {
    int64_t strike; /* thousandths of a dollar */
    int expiry;     /* yyyymmdd */
    int64_t shorts, longs;
    int64_t maybe; /* longs that may still be sold: they bound the loss of calls, but not of puts */
};
#define OG_LOTS 128

/* Returns the most that the short puts of one root lose at expiry, in cents, without what they were sold for.  With
 * puts of several expiries it may be more than the exact amount, never less.  It reorders the lots and uses them up. */
og_wide og_puts_lose(struct og_lot *lots, int count);

/* Returns the same for short calls, of which shares cover `by_shares`. *bare: the calls that no long covers; they have
 * no bound, are covered by shares first, and are left out. Calls whose only cover are longs that may be sold count as
 * if the longs with the highest strike were left. */
og_wide og_calls_lose(struct og_lot *lots, int count, int64_t by_shares, int64_t *bare);

/* Take away the shorts for which there is no long that expires with them or later, those with the lowest strikes first.
 * Returns their number. */
int64_t og_calls_take_bare(struct og_lot *lots, int count);

/* Set *price to the most that a written put loses per share if it was sold at `premium` or more; 0 if it cannot
 * lose. */
void og_put_loses(int64_t strike, struct og_money premium, struct og_money *price);

/* Returns the cents of that many contracts at a strike. */
static inline og_wide og_put_strikes(int64_t strike, int64_t contracts)
{
    return (og_wide)strike * contracts * 10; /* a hundred shares; the strike is in tenths of a cent */
}
