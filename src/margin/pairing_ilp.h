/*
 * A book of options as an ILP (ilp_solver.h): which shorts stand alone, which of them shares cover, which longs go to
 * an earlier expiry.  Only for requirement.c; what it works in is part of a book.
 */
#ifndef OG_MARGIN_PAIRING_ILP_H
#define OG_MARGIN_PAIRING_ILP_H

#include "margin/ilp_solver.h"

#define OG_MARGIN_MOST         512 /* different contracts of one root */
#define OG_PAIRING_ILP_GROUPS  12
#define OG_PAIRING_ILP_ENTRIES 256

struct og_margin_book;
struct og_pairing;
struct og_pairing_group;

struct og_pairing_ilp_column {
    int what;              /* pairing_ilp.c's */
    int line, group, from; /* from: the group it leaves, for a long that moves; -1: none */
    int at, at_from;       /* in their lists */
    int64_t level;         /* the risk */
};

struct og_pairing_ilp_entry {
    int line;
    int64_t net; /* longs less shorts, before any column */
};

struct og_pairing_ilp_group {
    int from, to;           /* its lines */
    int first, count;       /* its entries, by strike */
    int column;             /* its first; they come together */
    bool calls, puts, both; /* that are short; both stand alone with a risk */
};

struct og_pairing_ilp {
    const struct og_margin_book *b;
    bool counting; /* only those that cannot be told */
    struct og_pairing_ilp_group group[OG_PAIRING_ILP_GROUPS];
    struct og_pairing_ilp_entry entry[OG_PAIRING_ILP_ENTRIES];
    struct og_pairing_ilp_column column[OG_ILP_COLUMNS];
    int64_t risk[OG_MARGIN_MOST]; /* of a short, as it counts beside others */
    int groups, entries;
    int64_t lots[2]; /* of shares, for calls and for puts */
    og_wide unknown; /* shorts that are to stand alone at what nobody can tell */
    struct og_ilp p;
};

/* How much the book takes at least, and at most: *most is a way already known.  The two may differ where a group is not
 * fair.  group: that alone, with the lines listed; who stands alone is left in .out when a cheaper way was found.
 * NULL: the whole.  false: it is too large, or has what cannot be counted; nothing is known. */
bool og_pairing_ilp(const struct og_pairing *p, const struct og_pairing_group *group, og_wide *least, og_wide *most);

#endif
