/*
 * Overrides of one rule in two policies: which of the one are which of the other.
 */
#ifndef OG_DIFF_ALIGN_H
#define OG_DIFF_ALIGN_H

#include "base/arena.h"
#include "policy/policy.h"

/* Overrides that belong together; -1: there is none. */
struct og_override_pair {
    int before, after;
    bool moved;   /* it stands before others, or behind others, than it did */
    bool differs; /* in any way */
};

struct og_alignment {
    struct og_override_pair
        *twins; /* of NEW and of those that are both, in the order of after; then those that are gone */
    size_t count;
};

/* All memory is the arena's.  false: there is too little. */
bool og_align(const struct og_policy_rule *before, const struct og_policy_rule *after, struct og_arena *arena,
              struct og_alignment *to);

#endif
