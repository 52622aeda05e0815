/*
 * What is known of option roots by their name: class shares, indexes, adjusted and flexible contracts.
 * It refuses to know what is listed today, and what an adjusted contract delivers.
 */
#ifndef OG_ORDER_ROOTS_H
#define OG_ORDER_ROOTS_H

#include "base/str.h"

#include <stdbool.h>

/* A root whose name does not tell its underlying, or whose contracts are no ordinary ones. */
struct og_root {
    struct og_str root;       /* "SPXW" */
    struct og_str underlying; /* "SPX"; of class shares the ticker: "BRK.B" */
    bool index;               /* cash-settled, European: no shares cover it, nobody exercises it early */
    bool in_the_morning;      /* settled at the opening prices of the expiry: trades to the session before */
    bool any_weekday;         /* is known to expire on other days than Fridays */
};

const struct og_root *og_root_find(struct og_str root); /* NULL: an ordinary root, as far as names tell */

/* The ticker whose shares cover its calls and protect with its puts; {NULL,0} for an index.  Others: the root
 * itself. */
struct og_str og_root_shares(struct og_str root);

/* The root of the contracts on a ticker's shares: of class shares another name. */
struct og_str og_root_on(struct og_str ticker);

/* Both name the same underlying: equal, or by the table.  false does not say that they differ. */
bool og_root_same(struct og_str a, struct og_str b);

bool og_root_is_adjusted(struct og_str root); /* ends in a digit: splits, mergers, and the minis of 2013 */
bool og_root_is_flex(struct og_str root);     /* begins with a digit */

#endif
