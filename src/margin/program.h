/*
 * A small integer program: whole numbers of contracts, within bounds, that cost least while every row holds.  Rows are
 * made when they are found not to hold, so that few of very many are ever looked at.
 * It refuses to look longer than it is told; what it says then is still a bound.  Its inner steps round; nothing it
 * says rests on them: a least is a sum of rows that holds exactly, a most was counted out by who made the program.
 * Never allocates: it is some 200 KB of the book it is about.  Only for the files of this folder.
 */
#ifndef OG_MARGIN_PROGRAM_H
#define OG_MARGIN_PROGRAM_H

#include "facts/facts.h"

#define OG_PROGRAM_COLUMNS 192
#define OG_PROGRAM_ROWS    64
#define OG_PROGRAM_ONE     ((int64_t)1 << 40) /* of a number that need not be whole */

struct og_program_row {
    int kind;      /* the maker's; 0: its coefficients are amounts, of others they are counts */
    int group;     /* the maker's, */
    int64_t at;    /* likewise */
    og_wide least; /* the sum of coefficients times numbers is to be no less */
};

struct og_program {
    /* the maker sets: */
    int columns;
    int64_t cost[OG_PROGRAM_COLUMNS]; /* of one; not below 0 */
    int64_t low[OG_PROGRAM_COLUMNS], high[OG_PROGRAM_COLUMNS];
    bool whole[OG_PROGRAM_COLUMNS]; /* others may be any number, and follow from those */
    int64_t large;                  /* no cost and no coefficient is far above it */
    int64_t quantum;                /* what any cost of whole numbers is a multiple of */
    int64_t steps_most;             /* how long to look: some 5 ns each */
    const void *maker;
    int64_t (*coefficient)(const void *maker, const struct og_program_row *r, int column);
    /* Make rows that do not hold of these numbers, in parts of OG_PROGRAM_ONE, by og_program_row(); how many */
    int (*separate)(struct og_program *p, const int64_t *number);
    /* What the whole numbers cost in all, those not whole as they must then be; below 0: some row does not hold */
    og_wide (*judge)(const void *maker, const int64_t *number);

    /* what was found: */
    og_wide least, most;              /* most: the maker's at first, what any known way costs */
    int64_t best[OG_PROGRAM_COLUMNS]; /* that way, when it was found here */
    bool found;

    /* under way: each column, and what each row has to spare (as id COLUMNS + row), is free, or told by those that
     * are */
    int rows;
    int64_t steps;
    struct og_program_row row[OG_PROGRAM_ROWS];
    int64_t coefficients[OG_PROGRAM_ROWS][OG_PROGRAM_COLUMNS];
    int64_t slope[OG_PROGRAM_ROWS][OG_PROGRAM_COLUMNS]; /* of what is told by the free ones */
    int64_t price[OG_PROGRAM_COLUMNS];                  /* of each free one */
    int64_t value[OG_PROGRAM_COLUMNS + OG_PROGRAM_ROWS];
    bool at_high[OG_PROGRAM_COLUMNS];
    int free[OG_PROGRAM_COLUMNS], told[OG_PROGRAM_ROWS];
    bool lost; /* numbers too large */
};

/* Make p->least and p->most close in on the cheapest; they are equal when it is found. */
void og_program_run(struct og_program *p);

/* A row to hold from now on; false: no room. */
bool og_program_row(struct og_program *p, struct og_program_row row);

#endif
