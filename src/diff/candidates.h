/*
 * Values worth trying in a slot: at, below and beyond what the policies name, and what follows from it.
 */
#ifndef OG_DIFF_CANDIDATES_H
#define OG_DIFF_CANDIDATES_H

#include "diff/hints.h"
#include "diff/dictionary.h"
#include "diff/probe.h"

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
    uint16_t place[2 * OG_CANDIDATES_MOST]; /* by what they are; one more than the index, 0: free */
};

/* Whether a word may stand in the slot: symbols look like symbols. */
bool og_may_be(enum og_slot slot, struct og_str word);
/* None of them is the value the world has.  hints may be NULL.  reads: OG_FACT_* of the rule that is probed.  required:
 * what its order takes of buying power by either policy. */
void og_candidates(const struct og_probe *w, enum og_slot slot, const struct og_dictionary *dictionary,
                   const struct og_hints *hints, unsigned reads, const struct og_money required[2],
                   struct og_candidates *to);

/* Those of hints alone; a slot that is merely said to matter has its usual others. */
void og_candidates_hinted(const struct og_probe *w, enum og_slot slot, const struct og_hints *hints,
                          struct og_candidates *to);

#endif
