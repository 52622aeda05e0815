/*
 * The settings of order-notional, which the engine reads too: how far beyond the market an order may fill is one number
 * for all that counts what an order is worth.  It refuses to hold anything but settings.
 */
#ifndef OG_RULES_WORTH_H
#define OG_RULES_WORTH_H

#include "ordergate/money.h"

struct og_worth_settings {
    struct og_money most; /* dollars */
    int32_t slippage;     /* basis points beyond what is asked */
    int32_t exits;
};

#endif
