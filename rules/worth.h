/*
 * The settings of rule order-notional that the engine reads too: by how much beyond the market an order may fill. All
 * code that values orders uses the same value.
 */
#pragma once

#include "ordergate/money.h"

struct og_worth_settings {
    struct og_money most; /* limit in dollars */
    int32_t slippage;     /* basis points beyond the quote at which an order may fill */
    int32_t exits;
};
