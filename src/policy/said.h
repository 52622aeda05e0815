/*
 * What each layer says, as it was written, kept beside the policy that results: to report why a setting has its value,
 * and which other values it hides. Deciding does not read it.
 */
#pragma once

#include "policy/rule_entry.h"

enum og_said_by { OG_SAID_RULE, OG_SAID_OVERRIDE, OG_SAID_FLOOR };

/* What one layer says of one rule, or one override of it. */
struct og_said {
    const struct og_said *before; /* the entry before this: of a layer below, or earlier in the same layer; NULL:
                                   * none */
    enum og_said_by by;
    struct og_rule_entry entry;
};

/* What one layer says of a key of the whole policy: OG_PART_UNSURE, OG_PART_MODE or OG_PART_ENVIRONMENT, or of the
 * greatest age of a fact. */
struct og_said_key {
    const struct og_said_key *before;
    int part; /* -1: an age */
    int kind; /* of an age (part -1): the bit of its enum og_fact */
    bool floor;
    int64_t value;    /* enum og_unsure_mode, enum og_mode, or an age in ns, 0: any */
    const char *word; /* the environment */
    struct og_srcloc at;
};

/* Keep a copy of an entry in *last.  Return false if out of memory. */
bool og_said_add(const struct og_said **last, const struct og_rule *rule, const struct og_rule_entry *entry,
                 enum og_said_by by, struct og_arena *keep);
bool og_said_key_add(const struct og_said_key **last, const struct og_said_key *key, struct og_arena *keep);
