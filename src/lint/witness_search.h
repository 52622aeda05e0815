/*
 * Looking for an order that shows something: among kinds of orders, with the numbers and words that expressions name.
 */
#ifndef OG_LINT_WITNESS_SEARCH_H
#define OG_LINT_WITNESS_SEARCH_H

#include "lint/trial.h"

#define OG_WITNESS_VALUES_MOST 8 /* of each kind of value */

/* What is tried: quantities, prices and symbols near those that expressions hold names against; first what is ordinary.
 * */
struct og_witness_search {
    int64_t quantity[OG_WITNESS_VALUES_MOST];
    struct og_money price[OG_WITNESS_VALUES_MOST], worth[OG_WITNESS_VALUES_MOST];
    struct og_str symbol[OG_WITNESS_VALUES_MOST];
    int quantities, prices, worths, symbols;
    uint64_t kinds; /* kinds of orders (solver/domain.h) */
    int tries;      /* at most */
    bool legs;      /* they ask for legs: spreads that have one of stock are tried too */
};

void og_witness_search_begin(struct og_witness_search *s, uint64_t kinds, int tries);
void og_witness_search_add_values(struct og_witness_search *s,
                                  const struct og_expr *e); /* values it names; NULL: none */

/* Decide orders until one is what is looked for; `is` is asked of the order decided last.  match NULL: any.
 * *covered: that one has a leg of stock; NULL: who asks does not mind. */
bool og_witness_search_run(struct og_lint_run *l, const struct og_witness_search *s, const struct og_override *match,
                           bool (*is)(struct og_lint_run *l, const struct og_decision *d, void *with), void *with,
                           bool *covered);

#endif
