/*
 * Corpora of orders on 48 roots, and facts that have a quote for each of their contracts.
 */
#pragma once

#include "corpus.h"

enum market_kind {
    MARKET_MIXED, /* 70 % stock, 20 % options of random strikes over 8 expiries, 10 % spreads of 2 to 4 legs, of either
                   * side; one in ten has a defect */
    MARKET_FLOW,  /* as MARKET_MIXED, but no contract is both bought and sold, and one in fifty has a defect: a
                   * well-funded account with fresh facts has at least 95 % accepted */
    /* all on 8 roots, to measure what grows with the number of working orders: */
    MARKET_OPTIONS,  /* options bought and written, 8 expiries */
    MARKET_BESIDE,   /* stock bought, and options on the same roots */
    MARKET_COVERED,  /* stock bought, and calls written against it */
    MARKET_EXPIRIES, /* calls and puts written and bought at 5 strikes, 8 expiries, and calendar spreads of them */
    MARKET_KINDS
};

/* Write `orders` orders of a kind; the same seed gives the same bytes.  Ends the program if memory runs out. */
void market_make(struct corpus *c, enum market_kind kind, uint64_t seed, size_t orders);

/* Which facts a document has: all of them, all but the quotes of contracts, or nothing of the account. */
enum market_known { MARKET_FULL, MARKET_NO_PRICES, MARKET_NO_ACCOUNT };
/* Returns the facts document, as of CORPUS_CLOCK; the caller frees it. */
char *market_facts(enum market_known known, size_t *len);
