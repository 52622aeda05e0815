/*
 * Matches the overrides of one rule in two policies: finds for each override of one policy the override of the other
 * policy that corresponds to it.
 */
#pragma once

#include "base/arena.h"
#include "policy/policy.h"

/* Two overrides that belong together, by index; -1 if one of them does not exist. */
struct og_override_pair {
    int before, after;
    bool moved;   /* the override's place among the other overrides changed */
    bool differs; /* the two overrides differ in the orders to which they apply, in their settings, end time or place */
};

struct og_alignment {
    /* First the overrides of the policy `after`, in its sequence, each with its match in the policy `before` if there
     * is one; then those that only the policy `before` has. */
    struct og_override_pair *twins;
    size_t count;
};

/* All memory is the arena's.  Returns false if memory runs out. */
bool og_align(const struct og_policy_rule *before, const struct og_policy_rule *after, struct og_arena *arena,
              struct og_alignment *to);
