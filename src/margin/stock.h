/*
 * The requirement of shares together with the options on them (docs/margin.md): when they are traded, and while they
 * are held.  Not modelled: the account's equity, and requirements of a broker above the regulators' minimum.
 */
#pragma once

#include "margin/requirement.h"

/* One hundred shares per contract with at most one call and one put: for long shares the call is written and the put
 * bought, for short shares the call is bought and the put written.  Amounts are millionths of a dollar per share. */
struct og_margin_stock {
    bool is_short;
    int64_t price;     /* price of one share */
    int64_t call, put; /* strikes; 0 means no such contract */
};

/* Return the requirement for one share, without the premiums of the options.  For short shares the proceeds of the
 * sale are included. */
int64_t og_margin_stock_initial(const struct og_margin_stock *s);
int64_t og_margin_stock_held(const struct og_margin_stock *s);
