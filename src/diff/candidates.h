/*
 * Values worth trying in a slot (a value in a probe's order or facts): values that the policies name, the values just
 * below and above those, and values computed from them.
 */
#pragma once

#include "diff/hints.h"
#include "diff/probe.h"

#define OG_CANDIDATES_MOST 512

enum og_candidate_rank {
    OG_RANKED_NAMED = 0, /* a value that is named in only one of the policies, or changed between them */
    OG_RANKED_BESIDE,    /* one step below or above a value of rank NAMED */
    OG_RANKED_FOLLOWS,   /* computed from a value of rank NAMED */
    OG_RANKED_REST,      /* from a setting that is the same in both policies */
    OG_RANKED_OTHER
};

struct og_candidates {
    struct og_slot_value v[OG_CANDIDATES_MOST];
    enum og_candidate_rank rank[OG_CANDIDATES_MOST];
    size_t count;
    uint16_t place[2 * OG_CANDIDATES_MOST]; /* hash table of the values: index + 1 of a value; 0 if free */
};

/* Returns true if the word may be a value of the slot: a slot for symbols takes only words that look like symbols. */
bool og_may_be(enum og_slot slot, struct og_str word);
/* Collect candidates; the probe's current value is not among them. reads: OG_FACT_* of the rule that is probed.
 * required: the buying power that the probe's order needs by each policy; NULL: collect only values in conditions. If
 * conditions read the slot but compare it with no constant, the values in `others` of og_slots[] are candidates. */
void og_candidates(const struct og_probe *w, enum og_slot slot, const struct og_hints *hints, unsigned reads,
                   const struct og_money required[2], struct og_candidates *to);
