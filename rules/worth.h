/*
 * The settings of rule order-notional, which the engine reads too: how far beyond the market an order may fill is
 * one number for everything that values orders.
 */
#pragma once

#include "ordergate/money.h"

struct og_worth_settings {
    struct og_money most; /* dollars */
    int32_t slippage;     /* basis points beyond the quote */
    int32_t exits;
};
