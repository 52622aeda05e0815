/*
 * Which of the contracts that a spread writes the spread's own legs cover.  Its legs fill together, a part of it in
 * proportion: so these contracts take no other cover, whether the spread fills or not.
 */
#pragma once

#include "order/occ.h"

/* How many of a leg's contracts the legs of the same spread cover, or cover with. */
struct og_own_cover {
    int64_t by_shares; /* written calls that shares cover which the spread buys, a hundred each */
    int64_t by_longs;  /* written contracts that long ones cover: of no earlier expiry, and the same or a better
                        * strike */
    int64_t bounded;   /* further written contracts that long ones of no earlier expiry and any strike bound */
    int64_t longs;     /* contracts bought that cover or bound those */
};

static inline int64_t og_own_covered(const struct og_own_cover *own)
{
    return own->by_shares + own->by_longs;
}

static inline bool og_own_is_set(const struct og_own_cover *own)
{
    return own->by_shares | own->by_longs | own->bounded | own->longs;
}

struct og_own_leg {
    struct og_str symbol;
    const struct og_occ *occ; /* .is is false for shares */
    bool buys;
    int64_t size;            /* shares or contracts that the leg opens for certain; 0 if it closes, or may close */
    struct og_own_cover own; /* the result */
};

/* Set the results of all legs. Each share and each contract covers once. */
void og_own_cover_of(struct og_own_leg *legs, int count);
