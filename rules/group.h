/*
 * Groups of symbols with their limits, as rules over named lists read them. A policy writes each limit as words (its
 * list, a measure and an amount: "semis gross 25%") and makes the groups once, when it is loaded (policy/groups.h).
 */
#pragma once

#include "rules/list_age.h"
#include "rules/rule.h"

/* The measures that a limit can bound. */
enum og_measure_of_group {
    OG_GROUP_GROSS,
    OG_GROUP_NET,
    OG_GROUP_LONG,
    OG_GROUP_SHORT,
    OG_GROUP_POSITIONS,
    OG_GROUP_ORDERS,
    OG_GROUP_MEASURES
};
static const char *const og_group_measures[OG_GROUP_MEASURES] = {
    "gross", "net", "long", "short", "positions", "orders"
};

struct og_group_bound {
    enum og_measure_of_group of;
    bool percent;         /* the amount is a part of the account's equity: .bps; otherwise it is .most */
    int32_t bps;          /* basis points */
    struct og_money most; /* dollars, or a whole number for counts */
};

/* A weight is a whole number of 1 / OG_WEIGHT_UNIT, from -OG_WEIGHT_MOST to OG_WEIGHT_MOST. */
#define OG_WEIGHT_UNIT 10000
#define OG_WEIGHT_MOST 1000

/* A list of symbols with its limits. */
struct og_group {
    struct og_str name;           /* name of the list */
    struct og_string_set members; /* og_underlying_name() of its symbols, each once */
    struct og_list_age age;       /* age of a list with weights: if it is too old, none of its weights is known */
    const int32_t *weight;        /* for each member its weight; NULL if the list has none */
    int32_t others;               /* weight of all symbols that are no members, if there is one */
    bool has_others;
    struct og_group_bound *bound;
    size_t bounds;
};
struct og_groups {
    struct og_group *group;
    size_t count;
};

/* Set *most to the limit in dollars.  Returns false if the limit is a part of the equity, and the equity is not
 * known. */
static inline bool og_group_share(const struct og_account *a, const struct og_group_bound *to, struct og_money *most)
{
    *most = to->most;
    return !to->percent || (a && a->has_equity && og_money_share(a->equity, to->bps, most));
}

/* Set *most to the limit in dollars. Returns false, after an unsure finding, if the limit is a part of the equity, and
 * the equity is not known. */
static inline bool og_group_most(const struct og_case *c, const struct og_group_bound *to, const struct og_reason *r,
                                 const char *field, struct og_money *most, struct og_sink *sink)
{
    *most = to->most;
    if (!to->percent)
        return true;
    if (!og_need(c, sink, r, OG_FACT_ACCOUNT, (struct og_str){ 0 }, field))
        return false;
    if (og_group_share(og_facts_account(c->facts), to, most))
        return true;
    og_unsure(sink, r, field, "the account has no equity");
    return false;
}
