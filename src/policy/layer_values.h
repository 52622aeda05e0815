/*
 * What each layer sets, as written, kept beside the effective policy. Reports use it to show why a setting has its
 * value, and which values of other layers are overridden. Decisions do not read it.
 */
#pragma once

#include "policy/rule_entry.h"

enum og_layer_value_kind { OG_LAYER_RULE, OG_LAYER_OVERRIDE, OG_LAYER_FLOOR };

/* What one layer sets for one rule, or for one override of the rule. */
struct og_layer_value {
    /* the previous entry: of a layer below, or earlier in the same layer; NULL if there is none */
    const struct og_layer_value *before;
    enum og_layer_value_kind by;
    struct og_rule_entry entry;
};

/* What one layer sets for a key of the whole policy: OG_PART_UNSURE, OG_PART_MODE, OG_PART_EXITS, OG_PART_ENVIRONMENT,
 * or the greatest age of a fact. */
struct og_layer_key_value {
    const struct og_layer_key_value *before;
    int part; /* enum og_entry_part; -1 if the key is the greatest age of a fact */
    int kind; /* for an age (part -1): index of the fact's bit in enum og_fact */
    bool floor;
    int64_t value;    /* enum og_unsure_mode, enum og_mode, OG_EXITS_*, or an age in ns (0 means any age) */
    const char *word; /* the environment */
    struct og_srcloc at;
};

/* Keep a copy of an entry in *last.  Return false if out of memory. */
bool og_layer_value_add(const struct og_layer_value **last, const struct og_rule *rule,
                        const struct og_rule_entry *entry, enum og_layer_value_kind by, struct og_arena *keep);
bool og_layer_key_value_add(const struct og_layer_key_value **last, const struct og_layer_key_value *key,
                            struct og_arena *keep);
