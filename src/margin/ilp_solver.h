/*
 * A small integer program: whole numbers of contracts, within bounds, that cost least while every row holds.  Rows are
 * made when they are found not to hold, so that few of very many are ever looked at.
 * It refuses to look longer than it is told; what it says then is still a bound.  Its inner steps round; nothing it
 * says rests on them: a least is a sum of rows that holds exactly, a most was counted out by who made the program.
 * Never allocates: it is some 200 KB of the book it is about.  Only for the files of this folder.
 */
#ifndef OG_MARGIN_ILP_SOLVER_H
#define OG_MARGIN_ILP_SOLVER_H

#include "facts/facts.h"

#define OG_ILP_COLUMNS 192
#define OG_ILP_ROWS    64
#define OG_ILP_ONE     ((int64_t)1 << 40) /* of a number that need not be whole */

struct og_ilp_row {
    int kind;      /* the maker's; 0: its coefficients are amounts, of others they are counts */
    int group;     /* the maker's, */
    int64_t at;    /* likewise */
    og_wide least; /* the sum of coefficients times numbers is to be no less */
};

struct og_ilp {
    /* the maker sets: */
    int columns;
    int64_t cost[OG_ILP_COLUMNS]; /* of one; not below 0 */
    int64_t low[OG_ILP_COLUMNS], high[OG_ILP_COLUMNS];
    bool whole[OG_ILP_COLUMNS]; /* others may be any number, and follow from those */
    int64_t large;              /* no cost and no coefficient is far above it */
    int64_t quantum;            /* what any cost of whole numbers is a multiple of */
    int64_t steps_most;         /* how long to look: some 5 ns each */
    const void *maker;
    int64_t (*coefficient)(const void *maker, const struct og_ilp_row *r, int column);
    /* Make rows that do not hold of these numbers, in parts of OG_ILP_ONE, by og_ilp_row(); how many */
    int (*separate)(struct og_ilp *p, const int64_t *number);
    /* What the whole numbers cost in all, those not whole as they must then be; below 0: some row does not hold */
    og_wide (*judge)(const void *maker, const int64_t *number);

    /* what was found: */
    og_wide least, most;          /* most: the maker's at first, what any known way costs */
    int64_t best[OG_ILP_COLUMNS]; /* that way, when it was found here */
    bool found;

    /* under way: each column, and what each row has to spare (as id COLUMNS + row), is free, or told by those that
     * are */
    int rows;
    int64_t steps;
    struct og_ilp_row row[OG_ILP_ROWS];
    int64_t coefficients[OG_ILP_ROWS][OG_ILP_COLUMNS];
    int64_t slope[OG_ILP_ROWS][OG_ILP_COLUMNS]; /* of what is told by the free ones */
    int64_t price[OG_ILP_COLUMNS];              /* of each free one */
    int64_t value[OG_ILP_COLUMNS + OG_ILP_ROWS];
    bool at_high[OG_ILP_COLUMNS];
    int free[OG_ILP_COLUMNS], told[OG_ILP_ROWS];
    bool lost; /* numbers too large */
};

/* Make p->least and p->most close in on the cheapest; they are equal when it is found. */
void og_ilp_solve(struct og_ilp *p);

/* A row to hold from now on; false: no room. */
bool og_ilp_row(struct og_ilp *p, struct og_ilp_row row);

#endif
