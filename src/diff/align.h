/*
 * Matches the overrides of one rule in two policies: which override after the change is which one before it.
 */
#pragma once

#include "base/arena.h"
#include "policy/policy.h"

/* Two overrides that belong together, by index; -1 if one of them does not exist. */
struct og_override_pair {
    int before, after;
    bool moved;   /* its place relative to other overrides changed */
    bool differs; /* in orders, settings, expiry or place */
};

struct og_alignment {
    /* First the pairs of the policy after, with new overrides, in its order; then the overrides that were removed. */
    struct og_override_pair *twins;
    size_t count;
};

/* All memory is the arena's.  Returns false if there is too little. */
bool og_align(const struct og_policy_rule *before, const struct og_policy_rule *after, struct og_arena *arena,
              struct og_alignment *to);
