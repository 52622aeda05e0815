/*
 * Groups of symbols with their limits, as rules over named lists read them. A policy writes each limit as words (its
 * list, a measure and an amount: "semis gross 25%") and makes the groups once, when it is loaded (policy/groups.h).
 */
#pragma once

#include "rules/rule.h"

/* What is limited. policy/groups.c has the names of these, in the same sequence. */
enum og_measure_of_group {
    OG_GROUP_GROSS,
    OG_GROUP_NET,
    OG_GROUP_LONG,
    OG_GROUP_SHORT,
    OG_GROUP_POSITIONS,
    OG_GROUP_ORDERS,
    OG_GROUP_MEASURES
};

struct og_group_bound {
    enum og_measure_of_group of;
    bool percent;         /* the amount is a part of the account's equity: .bps; otherwise it is .most */
    int32_t bps;          /* basis points */
    struct og_money most; /* dollars, or a whole number for counts */
};

/* A list of symbols with its limits. */
struct og_group {
    struct og_str name;           /* of the list */
    struct og_string_set members; /* og_underlying_name() of its symbols, each once */
    struct og_group_bound *bound;
    size_t bounds;
};
struct og_groups {
    struct og_group *group;
    size_t count;
};
