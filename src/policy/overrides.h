/*
 * Overrides of a rule: other settings for the orders that match.
 */
#pragma once

#include "policy/rule_entry.h"

/* An override as it was read.  Its draft is made after all layers are laid, from the rule's effective settings. */
struct og_override_entry {
    struct og_rule_entry said;
    struct og_override match; /* the conditions of the override; match.setting is not filled in */
    struct og_draft draft;
    bool wrong;     /* its condition does not compile */
    bool overtaken; /* a later layer's rule is stricter in some setting */
    /* Set if this was split off an override of a later layer, for the orders that *over matches too: what it does not
     * set, it inherits from *over.  NULL: it was written in a policy. */
    const struct og_override_entry *over;
};

struct og_override_entries {
    struct og_override_entry *item;
    size_t count;
};

/* Read the list of a rule's overrides; patterns are compiled into policy->patterns. */
void og_overrides_read(struct og_entry_context *s, struct og_policy *policy, const struct og_rule *rule,
                       const struct og_yaml *node, struct og_override_entries *out);

/* Apply a later layer's entry of the rule, which is for all orders, to the overrides.  Where an override sets the same
 * value, the stricter one is kept; if the value has no stricter side, that of the later layer. */
void og_overrides_tighten(struct og_override_entries *older, const struct og_rule *rule,
                          const struct og_rule_entry *said);
/* Put the overrides of a later layer before the present ones.  What they do not set, they inherit from those that match
 * the same orders. */
void og_overrides_put_before(struct og_entry_context *s, struct og_policy *policy, const struct og_rule *rule,
                             const struct og_override_entries *fresh, struct og_override_entries *all);

/* Returns true if, judging by their texts, old applies to every order that new matches, for as long as new applies. */
bool og_override_covers(const struct og_override *old, const struct og_override *new);
/* Returns true if, judging by their texts, both match the same orders; their end times may differ. */
bool og_override_same_orders(const struct og_override *a, const struct og_override *b);

/* Returns true if no order can match both; false if one may. */
bool og_override_apart(const struct og_override *a, const struct og_override *b);

/* The spellings of securityType, side and orderType by number from 1; NULL-terminated. */
extern const char *const og_match_securities[], *const og_match_sides[], *const og_match_types[];
