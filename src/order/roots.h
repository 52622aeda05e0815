/*
 * What the name of an option root tells: class shares, indexes, adjusted and flexible contracts.
 * It does not model which contracts are listed, or what an adjusted contract delivers.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* A root whose name differs from its underlying, or whose contracts are not ordinary equity options. */
struct og_root {
    struct og_str root;       /* "SPXW" */
    struct og_str underlying; /* "SPX"; of class shares the ticker: "BRK.B" */
    bool index;               /* cash-settled and European: no shares cover it, and it is not exercised early */
    bool in_the_morning;      /* AM-settled: at opening prices of the expiry; trades until the session before */
    bool any_weekday;         /* expires also on days other than Friday */
};

const struct og_root *og_root_find(struct og_str root); /* NULL: an ordinary root, as far as its name tells */

/* Returns true for the root of a class share, whose ticker has a point before the last letter. */
static inline bool og_root_is_class(const struct og_root *root)
{
    return root->underlying.s[root->underlying.len - 2] == '.';
}

/* Returns the ticker of the shares that contracts of the root deliver: the root itself unless the table has another;
 * {NULL,0} for an index, which delivers none. */
struct og_str og_root_shares(struct og_str root);

/* Returns the root of the contracts on a ticker; it differs from the ticker for class shares. */
struct og_str og_root_on(struct og_str ticker);

/* Returns the next root in the table with this underlying; after NULL: the first; NULL: there are no more.  The
 * underlying of an ordinary root is the root itself, which is not in the table. */
const struct og_root *og_root_next_on(struct og_str underlying, const struct og_root *after);

/* Returns true if both are known to have the same underlying; false does not mean that the underlyings differ. */
bool og_root_same(struct og_str a, struct og_str b);

/* Returns the root without the digits at its ends, which adjusted and flexible roots have. */
struct og_str og_root_bare(struct og_str root);
bool og_root_is_adjusted(struct og_str root); /* the root ends in a digit: splits, mergers, and the minis of 2013 */
bool og_root_is_flex(struct og_str root);     /* the root begins with a digit */
