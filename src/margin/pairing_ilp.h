/*
 * The cheapest pairing of a book of options as an ILP (ilp_solver.h): which shorts stand alone, which are covered by
 * shares, which longs go to an earlier expiry.  Only for requirement.c; its working memory is part of a book.
 */
#pragma once

#include "margin/ilp_solver.h"

#define OG_MARGIN_MOST         512 /* maximum number of contracts of one root */
#define OG_PAIRING_ILP_GROUPS  12
#define OG_PAIRING_ILP_ENTRIES 256

struct og_margin_book;
struct og_pairing;
struct og_pairing_group;

struct og_pairing_ilp_column {
    int what;              /* kind of column, see pairing_ilp.c */
    int line, group, from; /* from: the group that a moved long leaves; -1 if the column is not a moved long */
    int at, at_from;       /* at: index of the line in the list of `group`; at_from: its index in the list of `from` */
    int64_t level;         /* for a column LEVEL: the least risk of the shorts that it counts */
};

struct og_pairing_ilp_entry {
    int line;
    int64_t net; /* longs less shorts of the line, if all columns are 0 */
};

struct og_pairing_ilp_group {
    int from, to;     /* the group's lines */
    int first, count; /* the group's entries, sorted by strike */
    int column;       /* the group's first column; its columns are consecutive */
    /* calls, puts: contracts of this type are short; both: a call and a put, each with a risk, may stand alone
     * together */
    bool calls, puts, both;
};

struct og_pairing_ilp {
    const struct og_margin_book *b;
    bool counting; /* the solver minimizes the number of shorts whose requirement is unknown */
    struct og_pairing_ilp_group group[OG_PAIRING_ILP_GROUPS];
    struct og_pairing_ilp_entry entry[OG_PAIRING_ILP_ENTRIES];
    struct og_pairing_ilp_column column[OG_ILP_COLUMNS];
    int64_t risk[OG_MARGIN_MOST]; /* what a short requires above its price, if it is charged together with other
                                   * shorts */
    int groups, entries;
    int64_t lots[2]; /* lots of shares that may cover calls, and puts */
    og_wide unknown; /* number of shorts of unknown requirement that must stand alone */
    struct og_ilp p;
};

/* Bound the requirement of the book from below (*least) and from above (*most, which the caller sets to the cost of a
 * known pairing).  The two bounds may differ if a group is not fair. group: bound this group only, with its listed
 * lines; if a cheaper pairing is found, .out of each line has the shorts that stand alone in it.  NULL: bound the whole
 * book.  Returns false, with no bounds, if the book is too large or has amounts that cannot be counted. */
bool og_pairing_ilp(const struct og_pairing *p, const struct og_pairing_group *group, og_wide *least, og_wide *most);
