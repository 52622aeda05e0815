/*
 * What an account may open by the regulators' rules, in addition to the broker's limits: a multiple of its equity,
 * less what is held and will be opened (docs/margin.md).  Round trips within a day are not counted: the rule about
 * them ended on 2026-06-04.
 */
#pragma once

#include "facts/facts.h"

enum og_daytrade {
    OG_DAYTRADE_NONE = 0,
    OG_DAYTRADE_REG_T, /* twice the current equity */
    /* four times the day's first equity if that equity is at least 25,000; twice the current equity if it is less
     * (Regulation T) */
    OG_DAYTRADE_LEGACY_PDT,
    /* equity must be at least a quarter of all positions at all times: four times the current equity */
    OG_DAYTRADE_INTRADAY_MARGIN
};

/* Set *power in dollars; it may be negative.  Returns NULL, or the name of the fact that is missing. */
const char *og_daytrade_power(enum og_daytrade model, const struct og_account *a, const struct og_totals *t,
                              struct og_money *power);
