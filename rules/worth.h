/*
 * The settings of rule order-notional, which the engine reads too: everything that values orders assumes the same
 * distance beyond the market at which an order may fill.
 */
#pragma once

#include "ordergate/money.h"

struct og_worth_settings {
    struct og_money most; /* limit in dollars */
    int32_t slippage;     /* basis points beyond the quote at which an order may fill */
    int32_t exits;
};
