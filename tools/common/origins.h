/*
 * Prints where the settings of a policy come from: policy explain, policy show --origins.
 */
#pragma once

#include "ordergate/origins.h"
#include "tools/common/options.h"

/* What is printed of a report, and how. */
struct origins_wish {
    const struct option_list *rules; /* print only these rules; NULL or empty means all */
    bool json;
    const char *policy; /* the policy's digest */
    const char *order;  /* the order as JSON; NULL if the report is about all orders */
    int64_t at;         /* the time at which the order was explained */
};

/* Returns the first of `rules` that the report lacks; NULL if it has all of them. */
const char *origins_unknown(const struct og_origins *origins, const struct option_list *rules);
void origins_print(const struct og_origins *origins, const struct origins_wish *wish);
