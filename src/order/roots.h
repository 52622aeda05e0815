/*
 * What the name of an option root tells about its contracts: class shares, indexes, adjusted and flexible contracts.
 * Which contracts are listed, and what an adjusted contract delivers, is not modelled.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* A root whose name differs from its underlying, or whose contracts are not ordinary equity options. */
struct og_root {
    struct og_str root;       /* "SPXW" */
    struct og_str underlying; /* "SPX"; for class shares the ticker: "BRK.B" */
    bool index;               /* cash-settled and European: no shares cover its contracts, and they are not exercised
                               * early */
    bool in_the_morning;      /* AM-settled at the opening prices of the expiry day: contracts trade until the session
                               * before */
    bool any_weekday;         /* contracts expire on other days than Fridays too */
};

const struct og_root *og_root_find(struct og_str root); /* returns NULL for an ordinary root, as far as its name
                                                         * tells */

/* Returns true for the root of a class share, whose ticker has a point and one more letter. */
static inline bool og_root_is_class(const struct og_root *root)
{
    return root->underlying.s[root->underlying.len - 2] == '.';
}

/* Returns the ticker of the shares that contracts of the root deliver: the ticker in the table, or the root itself if
 * the table has none; {NULL,0} for an index, whose contracts deliver no shares. */
struct og_str og_root_shares(struct og_str root);

/* Returns the root of the contracts on a ticker; for class shares it differs from the ticker. */
struct og_str og_root_on(struct og_str ticker);

/* Returns the root in the table that follows `after` and has this underlying; the first one if after is NULL; NULL if
 * there are no more. An ordinary root, which is its own underlying, is not in the table. */
const struct og_root *og_root_next_on(struct og_str underlying, const struct og_root *after);

/* Returns true if the two roots are known to have the same underlying. If it returns false, the underlyings may be the
 * same or not. */
bool og_root_same(struct og_str a, struct og_str b);

/* Returns the root without digits at its beginning and end; adjusted and flexible roots have such digits. */
struct og_str og_root_bare(struct og_str root);
bool og_root_is_adjusted(struct og_str root); /* returns true if the root ends in a digit: splits, mergers, and the
                                               * minis of 2013 */
bool og_root_is_flex(struct og_str root);     /* returns true if the root begins with a digit */
/* Returns true if the root, adjusted or flexible, has an ordinary root in its name: its contracts are on the underlying
 * of og_root_bare(). */
bool og_root_is_derived(struct og_str root);
