/*
 * What an exchange publishes about a symbol besides its prices: whether trading is halted or paused, the limit-up
 * limit-down price bands, and whether short sales are restricted (Rule 201 of Regulation SHO).
 */
#ifndef ORDERGATE_SYMBOL_STATUS_H
#define ORDERGATE_SYMBOL_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "ordergate/money.h"

#ifdef __cplusplus
extern "C" {
#endif

enum og_known { OG_NOT_KNOWN = 0, OG_KNOWN_FALSE, OG_KNOWN_TRUE };

struct og_symbol_status {
    enum og_known halted; /* trading is halted, because of news, by a regulator, or in the whole market */
    enum og_known paused; /* trading is paused for five minutes or more because a price band was reached */
    enum og_known short_sale_restricted; /* a short sale must not be at or below the best bid */
    bool has_limit_down, has_limit_up; /* false: there is no band, as outside regular hours, or the band is not known */
    struct og_money limit_down, limit_up; /* dollars, above 0: no trade may be below limit_down or above limit_up */
    int64_t as_of;                        /* time of this status, in ns since 1970; INT64_MIN if it is unknown */
};

#ifdef __cplusplus
}
#endif

#endif
