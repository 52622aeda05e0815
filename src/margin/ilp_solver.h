/*
 * Solves an integer linear program: finds the numbers of contracts, within bounds, that cost least and satisfy every
 * row (a linear inequality).  Rows are generated when a solution violates them, so only few of very many are generated.
 *
 * The number of steps is limited; when the limit is reached, the results are still bounds.  The simplex rounds, but no
 * result relies on that: `least` follows exactly from a sum of rows, `most` is the exact cost of a solution, computed
 * by the caller.  Never allocates: its working memory, some 200 KB, is part of a book of options.  Only for files of
 * this folder.
 */
#pragma once

#include "facts/facts.h"

#define OG_ILP_COLUMNS 192
#define OG_ILP_ROWS    64
#define OG_ILP_ONE     ((int64_t)1 << 40) /* the number 1 in fixed point, used for numbers that may have fractions */

struct og_ilp_row {
    int kind;      /* set by the caller; 0 if the row's coefficients are amounts, another number if they are counts */
    int group;     /* for the caller's own use */
    int64_t at;    /* for the caller's own use */
    og_wide least; /* the sum of coefficient x number over all columns must be at least this */
};

struct og_ilp {
    /* members that the caller sets: */
    int columns;
    int64_t cost[OG_ILP_COLUMNS]; /* cost per unit; never negative */
    int64_t low[OG_ILP_COLUMNS], high[OG_ILP_COLUMNS];
    /* columns whose numbers must be whole; the other numbers may be fractions, and follow from these */
    bool whole[OG_ILP_COLUMNS];
    int64_t large;      /* absolute value of the largest cost or coefficient */
    int64_t quantum;    /* if all numbers are whole, the cost of a solution is a multiple of this */
    int64_t steps_most; /* limit of steps, some 5 ns each */
    const void *maker;
    int64_t (*coefficient)(const void *maker, const struct og_ilp_row *r, int column);
    /* Add the rows that these numbers (in units of OG_ILP_ONE) violate, by og_ilp_row().  Returns how many rows were
     * added. */
    int (*separate)(struct og_ilp *p, const int64_t *number);
    /* Returns the total cost of these whole numbers, with the other numbers set to the values that follow from them;
     * below 0 if some row is violated. */
    og_wide (*judge)(const void *maker, const int64_t *number);

    /* results: */
    og_wide least, most; /* bounds of the lowest cost; at the start `most` is the cost of a solution that the caller
                          * knows */
    int64_t best[OG_ILP_COLUMNS]; /* the best solution, if the solver found one */
    bool found;

    /* Working memory.  The columns, and the slacks of the rows (numbered from OG_ILP_COLUMNS on), are the variables:
     * each is either basic or nonbasic. */
    int rows;
    int64_t steps;
    struct og_ilp_row row[OG_ILP_ROWS];
    int64_t coefficients[OG_ILP_ROWS][OG_ILP_COLUMNS];
    int64_t slope[OG_ILP_ROWS][OG_ILP_COLUMNS]; /* the basic variables as functions of the nonbasic ones */
    int64_t price[OG_ILP_COLUMNS];              /* reduced cost of each nonbasic variable */
    int64_t value[OG_ILP_COLUMNS + OG_ILP_ROWS];
    bool at_high[OG_ILP_COLUMNS];
    int free[OG_ILP_COLUMNS], told[OG_ILP_ROWS];
    bool lost; /* a number became too large, so the simplex gave up */
};

/* Raise p->least and lower p->most towards the optimum; both are equal if the optimum was found. */
void og_ilp_solve(struct og_ilp *p);

/* Add a row.  Returns false if there is no room. */
bool og_ilp_row(struct og_ilp *p, struct og_ilp_row row);
