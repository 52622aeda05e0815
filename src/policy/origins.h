/*
 * Makes reports of where settings come from (ordergate/origins.h).
 */
#pragma once

#include "base/buf.h"
#include "ordergate/origins.h"
#include "policy/policy.h"

struct told_rule;

struct og_origins {
    struct og_arena room;
    const struct og_policy *policy; /* used only while the report is made */
    struct told_rule *first, **end, *last;
    struct told_rule **by_index; /* array of the rules, made when the report is finished */
    size_t count;
    struct og_buf hides; /* array of struct og_origin_place: places whose value the setting being reported overrides */
    bool oom;
};

struct og_origins *og_origins_new(const struct og_policy *policy); /* NULL if out of memory */

/* If memory runs out, these set o->oom and return NULL or "". */
const char *og_origins_keep(struct og_origins *o, struct og_str text);
const char *og_origins_keep_buf(struct og_origins *o, struct og_buf *b); /* clears the buffer */
struct og_origin_place og_origins_place(struct og_origins *o, enum og_origin_kind kind, struct og_srcloc at,
                                        const char *value); /* the place's kind is DEFAULT if `at` names no source */
const struct og_origin_place *og_origins_keep_place(struct og_origins *o, struct og_origin_place of);
struct og_origin_rule *og_origins_begin_rule(struct og_origins *o);
/* Begin a setting of the last rule; call og_origins_end() after all values that the setting hides were reported. */
struct og_origin_setting *og_origins_begin(struct og_origins *o, const char *key, const char *value);
void og_origins_hide(struct og_origins *o, struct og_origin_place what);
void og_origins_end(struct og_origins *o, struct og_origin_setting *s);

/* The rule and the setting that are to be reported. */
struct og_origins_of {
    const struct og_policy_rule *rule;
    const struct og_custom *custom;           /* NULL means a built-in rule */
    const struct og_override *override;       /* NULL if the setting is the rule's own */
    const struct og_override *const *matches; /* later overrides that match the order too */
    size_t match_count;
    bool runs;
    const char *why; /* why it is not known whether the setting applies; NULL if it applies */
};
/* Report the policy's own keys, or one setting of a rule. Return false if out of memory. */
bool og_origins_add_policy(struct og_origins *origins);
bool og_origins_add(struct og_origins *origins, const struct og_origins_of *of);

/* returns false, and frees the report, if memory ran out */
bool og_origins_finish(struct og_origins *origins);
