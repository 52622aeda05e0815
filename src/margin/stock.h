/*
 * What shares require with the options that go with them (docs/margin.md): initially, and while they are held.  The
 * account's equity, and what a broker asks for beyond the regulators' floor, are not modelled.
 */
#ifndef OG_MARGIN_STOCK_H
#define OG_MARGIN_STOCK_H

#include "margin/requirement.h"

/* A hundred shares a contract, beside at most one call and one put: of shares held long the call is written and the put
 * bought, of shares sold short the call is bought and the put written.  Amounts are millionths of a dollar a share. */
struct og_margin_stock {
    bool is_short;
    int64_t price;     /* of a share */
    int64_t call, put; /* strikes; 0: none */
};

/* For one share, the premiums of the options not counted; of shares sold short what they fetched is in it. */
int64_t og_margin_stock_initial(const struct og_margin_stock *s);
int64_t og_margin_stock_held(const struct og_margin_stock *s);

#endif
