/*
 * Buying power by the regulators' rules; see margin/daytrade.h.
 */
#include "margin/daytrade.h"

static const struct og_money LEAST_EQUITY = { 25000, 0 };

enum { DAY_TIMES = 4, REG_T_TIMES = 2 };

const char *og_daytrade_power(enum og_daytrade model, const struct og_account *a, const struct og_totals *t,
                              struct og_money *power)
{
    bool legacy = model == OG_DAYTRADE_LEGACY_PDT;
    struct og_money equity = legacy ? a->sod_equity : a->equity, held;
    og_wide cents = t->longs + t->shorts;
    bool twice = model == OG_DAYTRADE_REG_T || (legacy && og_money_cmp(equity, LEAST_EQUITY) < 0);

    if (legacy ? !a->has_sod_equity : !a->has_equity)
        return legacy ? "the account has no sodEquity" : "the account has no equity";
    if (t->unpriced || cents > INT64_MAX ||
        !og_money_mul(og_money_from((int64_t)cents), (struct og_money){ 1, 2 }, &held))
        return "what is held or will be opened has no price";
    if (!og_money_times(equity, twice ? REG_T_TIMES : DAY_TIMES, power) || !og_money_sub(*power, held, power))
        return "the equity is more than can be counted";
    return NULL;
}
