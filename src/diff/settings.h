/*
 * What two policies say differently, setting by setting, as policy show spells it; overrides are held against those
 * they were, wherever they stand now.
 */
#ifndef OG_DIFF_SETTINGS_H
#define OG_DIFF_SETTINGS_H

#include "base/arena.h"
#include "diff/align.h"
#include "ordergate/diff.h"

/* One setting of either; s NULL: that policy does not say it. */
struct og_setting_pair {
    struct og_str path, before, after;
    struct og_str group; /* what it belongs to: "rules.order-notional", "custom.no-shorts", "max_age" */
    int rule;            /* of the register; -1: none */
    int twin;            /* of its overrides, the one it is of; -1: none */
    const char *key;     /* behind path's last dot, or behind its override */
    bool differs;
    enum og_diff_what what; /* of those that differ: which way, by what it is */
    bool may_pass;          /* of those that differ: by it an order that was refused may pass */
};

struct og_settings_diff {
    const struct og_policy *policy[2];
    struct og_setting_pair *pair; /* all, sorted by path */
    size_t count;
    size_t *differs, differ;        /* which of them do */
    bool lists_differ;              /* some of them */
    struct og_alignment *overrides; /* by rule of the register */
    struct og_string_set *list[2];  /* of either policy, in its order, to be asked */
};

/* All memory is the arena's.  OG_ENOMEM; OG_ESYNTAX: it is larger than the reader of policies takes. */
enum og_status og_settings_compare(const struct og_policy *before, const struct og_policy *after,
                                   struct og_arena *arena, struct og_settings_diff *diff);

/* setting_strictness.c: of a pair that differs, what and may_pass. */
void og_settings_set_strictness(const struct og_settings_diff *diff, struct og_setting_pair *pair);
/* proof.c: ways in which the conditions of a custom rule may have gone: not those that were proved away. */
unsigned og_settings_proved(const struct og_settings_diff *diff, const struct og_custom *before,
                            const struct og_custom *after);
/* proof.c: every order that is for a, or may be, is for b no less, whatever the time; false: that is not proved.  Where
 * their words are the same, and name no list that may differ, it costs nothing. */
bool og_settings_takes_all(const struct og_settings_diff *diff, int rule, const struct og_override *a,
                           const struct og_override *b);
/* The rule of the register whose settings a group "rules.ID" is of, its index; -1: of none. */
int og_settings_rule(struct og_str group);
/* A rule of the policy's own; NULL: there is none. */
const struct og_custom *og_settings_custom(const struct og_policy *policy, struct og_str id);
/* The words of a list; none where there is none. */
const struct og_string_set *og_settings_list(const struct og_settings_diff *diff, int side, struct og_str name);
/* The rule, or an override of it, or the rule of the policy's own, names the list in a condition. */
bool og_settings_leans(const struct og_settings_diff *diff, struct og_str group, struct og_str list);

#endif
