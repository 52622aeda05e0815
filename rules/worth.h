/*
 * The settings of rule order-notional that the engine reads too: how far beyond the market an order may fill. All code
 * that values orders uses this value.
 */
#pragma once

#include "ordergate/money.h"

struct og_worth_settings {
    struct og_money most; /* limit in dollars */
    int32_t slippage;     /* basis points by which an order may fill beyond the quote */
    int32_t exits;
};
