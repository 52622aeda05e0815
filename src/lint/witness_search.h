/*
 * Search for a witness: tries orders of given kinds, with the numbers and symbols that expressions name.
 */
#pragma once

#include "lint/trial.h"

#define OG_WITNESS_VALUES_MOST 8 /* values of each sort */

/* The values to try: an ordinary one first, then quantities, prices and symbols at and near those in expressions. */
struct og_witness_search {
    int64_t quantity[OG_WITNESS_VALUES_MOST];
    struct og_money price[OG_WITNESS_VALUES_MOST], worth[OG_WITNESS_VALUES_MOST];
    struct og_str symbol[OG_WITNESS_VALUES_MOST];
    int quantities, prices, worths, symbols;
    uint64_t kinds; /* kinds of orders (solver/domain.h) */
    int tries;      /* orders to try for one search */
    bool legs;      /* the expressions read legs: also try spreads with a stock leg */
};

void og_witness_search_begin(struct og_witness_search *s, uint64_t kinds, int tries);
void og_witness_search_add_values(struct og_witness_search *s,
                                  /* adds the constants of the expression e; NULL: adds none */
                                  const struct og_expr *e);

/* Decide orders until is() returns true for one; the last decision is then the witness.  Returns false if none was
 * found.  match: only orders that it takes; NULL: any.  *covered: the order has a stock leg; may be NULL. */
bool og_witness_search_run(struct og_lint_run *l, const struct og_witness_search *s, const struct og_override *match,
                           bool (*is)(struct og_lint_run *l, const struct og_decision *d, void *with), void *with,
                           bool *covered);
