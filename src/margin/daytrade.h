/*
 * What an account may open by the rules of the regulators, beside what the broker says it may: so many times its
 * equity, less what is held and will be opened (docs/margin.md).
 * A day's round trips are not counted: the rule on them ended on 2026-06-04.
 */
#ifndef OG_MARGIN_DAYTRADE_H
#define OG_MARGIN_DAYTRADE_H

#include "facts/facts.h"

enum og_daytrade {
    OG_DAYTRADE_NONE = 0,
    OG_DAYTRADE_REG_T,          /* twice the equity there is */
    OG_DAYTRADE_LEGACY_PDT,     /* of the day's first equity: four times from 25,000 on, else Regulation T's twice */
    OG_DAYTRADE_INTRADAY_MARGIN /* a quarter of everything at all times: four times the equity there is */
};

/* Dollars, maybe below 0.  NULL, or what is not known. */
const char *og_daytrade_power(enum og_daytrade model, const struct og_account *a, const struct og_totals *t,
                              struct og_money *power);

#endif
