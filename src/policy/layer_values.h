/*
 * What each layer says, as it was written, kept beside the policy that results: to report why a setting has its value,
 * and which other values it hides. Deciding does not read it.
 */
#pragma once

#include "policy/rule_entry.h"

enum og_layer_value_kind { OG_LAYER_RULE, OG_LAYER_OVERRIDE, OG_LAYER_FLOOR };

/* What one layer says of one rule, or one override of it. */
struct og_layer_value {
    const struct og_layer_value *before; /* the entry before this: of a layer below, or earlier in the same layer; NULL:
                                   * none */
    enum og_layer_value_kind by;
    struct og_rule_entry entry;
};

/* What one layer says of a key of the whole policy: OG_PART_UNSURE, OG_PART_MODE or OG_PART_ENVIRONMENT, or of the
 * greatest age of a fact. */
struct og_layer_key_value {
    const struct og_layer_key_value *before;
    int part; /* -1: an age */
    int kind; /* of an age (part -1): the bit of its enum og_fact */
    bool floor;
    int64_t value;    /* enum og_unsure_mode, enum og_mode, or an age in ns, 0: any */
    const char *word; /* the environment */
    struct og_srcloc at;
};

/* Keep a copy of an entry in *last.  Return false if out of memory. */
bool og_layer_value_add(const struct og_layer_value **last, const struct og_rule *rule,
                        const struct og_rule_entry *entry, enum og_layer_value_kind by, struct og_arena *keep);
bool og_layer_key_value_add(const struct og_layer_key_value **last, const struct og_layer_key_value *key,
                            struct og_arena *keep);
