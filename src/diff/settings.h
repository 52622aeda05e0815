/*
 * Compares two policies setting by setting, with paths and values as `policy show` writes them.  An override is
 * compared with its match in the policy `before`, even if it was moved.
 */
#pragma once

#include "base/arena.h"
#include "diff/align.h"
#include "ordergate/diff.h"

/* One setting. before.s or after.s is NULL if that policy does not set it. */
struct og_setting_pair {
    struct og_str path, before, after;
    struct og_str group; /* group of the setting: "rules.order-notional", "custom.no-shorts", "max_age" */
    int rule;            /* index of its rule in the register; -1 if there is none */
    int twin;            /* number of the override it belongs to; -1 if there is none */
    const char *key;     /* the part of the path after its last dot, or after its override */
    bool differs;
    enum og_diff_what what; /* if it differs: stricter, looser or changed */
    bool may_pass;          /* if it differs: an order that was refused may be accepted because of it */
};

struct og_settings_diff {
    const struct og_policy *policy[2];
    struct og_setting_pair *pair; /* all settings, sorted by path */
    size_t count;
    size_t *differs, differ;        /* indexes of the pairs that differ */
    bool lists_differ;              /* some list differs */
    struct og_alignment *overrides; /* by index of the rule in the register */
    struct og_string_set *list[2];  /* the lists of either policy, as string sets */
};

/* All memory is the arena's.  Returns OG_ENOMEM, or OG_ESYNTAX if a policy is larger than the reader accepts. */
enum og_status og_settings_compare(const struct og_policy *before, const struct og_policy *after,
                                   struct og_arena *arena, struct og_settings_diff *diff);

/* Set what and may_pass of a pair that differs (setting_strictness.c). */
void og_settings_set_strictness(const struct og_settings_diff *diff, struct og_setting_pair *pair);
/* Returns whether the conditions of a custom rule may have become stricter or looser for orders of these kinds
 * (solver/domain.h), except what a proof excludes (proof.c). */
unsigned og_settings_proved(const struct og_settings_diff *diff, const struct og_custom *before,
                            const struct og_custom *after, uint64_t orders);
/* Each returns true if this is proved: the custom rule finds nothing, and cannot be unsure, in orders of these kinds;
 * or, the override applies to none of these orders (proof.c). */
bool og_settings_never_finds(const struct og_settings_diff *diff, const struct og_custom *custom, uint64_t orders);
bool og_settings_never_applies(const struct og_settings_diff *diff, const struct og_override *override,
                               uint64_t orders);
/* Returns true if override b applies, at any time, to every order to which override a applies or may apply; false if
 * that is not proved. The proof is cheap if both conditions have the same text and name no list that differs
 * (proof.c). */
bool og_settings_takes_all(const struct og_settings_diff *diff, int rule, const struct og_override *a,
                           const struct og_override *b);
/* Returns true if the k-th override of a rule in the policy `side` may decide an order to which the other override
 * applies. Returns false if it is proved that it decides none: it matches no such order, or overrides before it take
 * all those that it matches (proof.c). */
bool og_settings_meet(const struct og_settings_diff *diff, int rule, int side, int k, const struct og_override *other);
/* Returns the index in the register of the rule that group "rules.ID" belongs to; -1 means no rule of the register. */
int og_settings_rule(struct og_str group);
/* Returns the custom rule with that id, or NULL. */
const struct og_custom *og_settings_custom(const struct og_policy *policy, struct og_str id);
/* Returns the words of a list; empty if there is no such list. */
const struct og_string_set *og_settings_list(const struct og_settings_diff *diff, int side, struct og_str name);
/* Returns true if other rules use the setting too; key NULL means some setting of the rule. */
bool og_param_is_shared(const struct og_rule *rule, const char *key);
/* Returns true if the rule, or one of its overrides, can refuse an order. */
bool og_settings_refuses(const struct og_policy_rule *rule);
/* Returns true if a condition of the rule, of one of its overrides, or of the custom rule names the list. */
bool og_settings_leans(const struct og_settings_diff *diff, struct og_str group, struct og_str list);
