/*
 * What two policies say differently, setting by setting, as policy show spells it.
 */
#ifndef OG_DIFF_SETTINGS_H
#define OG_DIFF_SETTINGS_H

#include "base/arena.h"
#include "ordergate/diff.h"
#include "policy/policy.h"

/* One setting of either; s NULL: that policy does not say it. */
struct og_setting_pair {
    struct og_str path, before, after;
    struct og_str group;    /* what it belongs to: "rules.order-notional", "custom.no-shorts", "max_age" */
    bool differs;
    enum og_diff_what what; /* of those that differ */
};

struct og_settings_diff {
    struct og_setting_pair *pair; /* all, sorted by path */
    size_t count;
};

/* All memory is the arena's.  OG_ENOMEM; OG_ESYNTAX: it is larger than the reader of policies takes. */
enum og_status og_settings_compare(const struct og_policy *before, const struct og_policy *after, struct og_arena *arena,
                                   struct og_settings_diff *diff);

#endif
