/*
 * Overrides of a rule: which orders, and what differs for them.
 */
#ifndef OG_POLICY_OVERRIDES_H
#define OG_POLICY_OVERRIDES_H

#include "policy/rule_entry.h"

/* One as it was read; its draft is made when all layers are laid, from the rule's own effective settings. */
struct og_override_entry {
    struct og_rule_entry said;
    struct og_override match; /* without its setting */
    struct og_draft draft;
    bool wrong;     /* its condition does not compile */
    bool overtaken; /* a later layer was stricter in something */
    /* Split off one of a later layer, for those of its orders that this one is for too: it takes from this one what it
     * does not say.  NULL: as it was written. */
    const struct og_override_entry *over;
};

struct og_override_entries {
    struct og_override_entry *item;
    size_t count;
};

/* Read the list; patterns are compiled into policy->patterns. */
void og_overrides_read(struct og_entry_context *s, struct og_policy *policy, const struct og_rule *rule,
                       const struct og_yaml *node, struct og_override_entries *out);

/* A later layer says this of the rule, and so of all orders: where an override says it too, the stricter of the two
 * holds, and what has no stricter side is as the later layer says. */
void og_overrides_tighten(struct og_override_entries *older, const struct og_rule *rule,
                          const struct og_rule_entry *said);
/* Overrides of a later layer stand before those there are, and take what they do not say from those that are for the
 * same orders. */
void og_overrides_put_before(struct og_entry_context *s, struct og_policy *policy, const struct og_rule *rule,
                             const struct og_override_entries *fresh, struct og_override_entries *all);

/* Old is in force for every order that new is for, whenever new is, by what is written. */
bool og_override_covers(const struct og_override *old, const struct og_override *new);
/* Both are for the same orders, by what is written; how long is another matter. */
bool og_override_same_orders(const struct og_override *a, const struct og_override *b);

/* No order is of both; false: or that is not known. */
bool og_override_apart(const struct og_override *a, const struct og_override *b);

/* The spellings of securityType, side and orderType by number, NULL-ended, from 1 on. */
extern const char *const og_match_securities[], *const og_match_sides[], *const og_match_types[];

#endif
