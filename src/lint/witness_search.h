/*
 * Search for a witness: tries orders of given kinds, with the numbers and symbols that expressions name.
 */
#pragma once

#include "lint/trial.h"

#define OG_WITNESS_VALUES_MOST 8 /* maximum number of values of each sort */

/* What a search tries: values for the fields of trial orders, and kinds of orders. */
struct og_witness_search {
    int64_t quantity[OG_WITNESS_VALUES_MOST];
    struct og_money price[OG_WITNESS_VALUES_MOST], worth[OG_WITNESS_VALUES_MOST];
    char symbol[OG_WITNESS_VALUES_MOST][OG_TRIAL_SYMBOL], client_id[OG_WITNESS_VALUES_MOST][OG_TRIAL_SYMBOL],
        account[OG_WITNESS_VALUES_MOST][OG_TRIAL_SYMBOL], tag[OG_WITNESS_VALUES_MOST][OG_TRIAL_SYMBOL];
    int quantities, prices, worths, symbols, client_ids, accounts, tags;
    uint64_t kinds;                 /* kinds of orders (solver/domain.h) */
    int tries;                      /* maximum number of orders that one search tries */
    const struct og_override *also; /* try only orders that this override matches as well; NULL means all orders */
    bool held, lost;                /* values of these members of each trial order; held also sets `made` */
    bool legs;                      /* the expressions read legs: try spreads with a stock leg too */
};

void og_witness_search_begin(struct og_witness_search *s, uint64_t kinds, int tries);
void og_witness_search_add_values(struct og_witness_search *s,
                                  /* adds the constants of the expression e; NULL: adds none */
                                  const struct og_expr *e);

/* Decide orders until is() returns true for one; og_trial_decide() has then decided that order last.  Returns false if
 * none was found.  match: try only orders that this override matches; NULL means all.  *covered: the order has a stock
 * leg; may be NULL. */
bool og_witness_search_run(struct og_lint_run *l, const struct og_witness_search *s, const struct og_override *match,
                           bool (*is)(struct og_lint_run *l, const struct og_decision *d, void *with), void *with,
                           bool *covered);
