/*
 * What written puts can lose at expiry.  Unlike the loss of a call, that loss is bounded: by the strike, less the
 * strike of a long put that covers it.  A long put covers shorts that expire with it or before it.
 */
#pragma once

#include "order/occ.h"
#include "ordergate/money.h"

/* For sums that must not overflow, of contracts or of cents. */
__extension__ typedef __int128 og_wide;

/* One contract: how many are held short, and how many long as cover. */
struct og_put_lot {
    int64_t strike; /* thousandths of a dollar */
    int expiry;     /* yyyymmdd */
    int64_t shorts, longs;
};
#define OG_PUT_LOTS 128

/* Returns the most that the short puts of one root lose at expiry, in cents, without what they were sold for.  With
 * puts of several expiries it may be more than the exact amount, never less.  It reorders the lots and uses them up. */
og_wide og_puts_lose(struct og_put_lot *lots, int count);

/* Set *price to the most that a written put loses per share if it was sold at `premium` or more; 0: nothing. */
void og_put_loses(int64_t strike, struct og_money premium, struct og_money *price);

/* Returns the cents of that many contracts at a strike. */
static inline og_wide og_put_strikes(int64_t strike, int64_t contracts)
{
    return (og_wide)strike * contracts * 10; /* a hundred shares; the strike is in tenths of a cent */
}
