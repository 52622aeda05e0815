/*
 * Values worth trying in a slot: at, below and beyond what the policies name, and what follows from it.
 */
#ifndef OG_DIFF_CANDIDATES_H
#define OG_DIFF_CANDIDATES_H

#include "diff/pool.h"
#include "diff/world.h"

#define OG_CANDIDATES_MOST 512

enum og_candidate_rank {
    OG_RANKED_NAMED = 0, /* a value that differs */
    OG_RANKED_BESIDE,    /* a step beside one */
    OG_RANKED_FOLLOWS,   /* it follows from one */
    OG_RANKED_REST,      /* of a setting that is the same in both */
    OG_RANKED_OTHER
};

struct og_candidates {
    struct og_slot_value v[OG_CANDIDATES_MOST];
    enum og_candidate_rank rank[OG_CANDIDATES_MOST];
    size_t count;
};

/* Whether a word may stand in the slot: symbols look like symbols. */
bool og_may_be(enum og_slot slot, struct og_str word);
/* None of them is the value the world has.  reads: OG_FACT_* of the rule that is probed.  required: what its order takes of buying power by either policy. */
void og_candidates(const struct og_world *w, enum og_slot slot, const struct og_pool *pool, unsigned reads,
                   const struct og_money required[2], struct og_candidates *to);

#endif
