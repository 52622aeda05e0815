/*
 * A book of options as a program (program.h): which shorts stand alone, which of them shares cover, which longs go to an earlier
 * expiry.  Only for requirement.c.
 */
#ifndef OG_MARGIN_SEARCH_H
#define OG_MARGIN_SEARCH_H

#include "margin/pairing.h"

/* How much the book takes at least, and at most: *most is a way already known.  The two may differ where a group is not fair.
 * group: that alone, with the lines listed; who stands alone is left in .out when a cheaper way was found.  NULL: the whole.
 * false: it is too large, or has what cannot be counted; nothing is known. */
bool og_search(const struct og_pairing *p, const struct og_pairing_group *group, og_wide *least, og_wide *most);

#endif
