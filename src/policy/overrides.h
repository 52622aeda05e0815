/*
 * Overrides of a rule: other settings for the orders that match.
 */
#pragma once

#include "policy/rule_entry.h"

/* An override as it was read.  Its draft is made from the rule's effective settings after all layers are laid. */
struct og_override_entry {
    struct og_rule_entry said;
    struct og_override match; /* the conditions of the override; match.setting is not filled in */
    struct og_draft draft;
    bool wrong;     /* a condition of the override does not compile */
    bool overtaken; /* a later layer's entry of the rule tightened a value of the override */
    /* An override of a later layer is split if it matches some orders of an override of an earlier layer: this entry is
     * the piece for these orders, and takes from the earlier override, *over, each value that it does not set itself.
     * NULL if the entry was written in a policy. */
    const struct og_override_entry *over;
};

struct og_override_entries {
    struct og_override_entry *item;
    size_t count;
};

/* Read the list of a rule's overrides; patterns are compiled into policy->patterns. */
void og_overrides_read(struct og_entry_context *s, struct og_policy *policy, const struct og_rule *rule,
                       const struct og_yaml *node, struct og_override_entries *out);

/* Apply a later layer's entry of the rule, which is for all orders, to the overrides. If an override sets a value that
 * the entry sets too, the stricter value is kept; if neither is stricter, the later layer's value. */
void og_overrides_tighten(struct og_override_entries *older, const struct og_rule *rule,
                          const struct og_rule_entry *said);
/* Put the overrides of a later layer before the present ones.  A value that a new override does not set is taken from
 * the present overrides that match the same orders. */
void og_overrides_put_before(struct og_entry_context *s, struct og_policy *policy, const struct og_rule *rule,
                             const struct og_override_entries *fresh, struct og_override_entries *all);

/* Returns true if the texts of both overrides show that `old` applies to every order that `new` matches, and does not
 * end before `new`. */
bool og_override_covers(const struct og_override *old, const struct og_override *new);
/* Returns true if the texts of both overrides show that they match the same orders; their end times may differ. */
bool og_override_same_orders(const struct og_override *a, const struct og_override *b);

/* Returns true if no order can match both overrides; false if some order may. */
bool og_override_apart(const struct og_override *a, const struct og_override *b);

/* By number, from 1: how securityType, side and orderType are spelled; NULL-terminated. */
extern const char *const og_match_securities[], *const og_match_sides[], *const og_match_types[];
