/*
 * What one place of a policy says of one rule: only what was written there.  Laid over what lies under it, or, when
 * the place is the floor, tightening it.
 */
#ifndef OG_POLICY_RULE_ENTRY_H
#define OG_POLICY_RULE_ENTRY_H

#include "policy/diagnostics.h"
#include "policy/policy.h"
#include "text/yaml.h"

#define OG_PARAMS_MOST 64 /* of one rule; a test compares */

struct og_rule_entry {
    struct og_srcloc at;
    int level;                                 /* enum og_level; -1: not said */
    int unsure;                                /* enum og_unsure_mode; 0: not said */
    int mode;                                  /* enum og_mode; 0: not said */
    int lock;                                  /* 1: true, -1: false, 0: not said */
    signed char reason_level[OG_REASONS_MOST]; /* -1: not said */
    void *settings;
    uint64_t given;          /* bit i: params[i] is in settings */
    struct og_srcloc *where; /* by enum og_entry_part, then of settings: what was said */
};

/* How a rule stands while layers are laid. */
struct og_draft {
    struct og_rule_setting setting; /* .unsure, .mode 0: as the policy's */
    void *settings;                 /* the same memory as setting.settings, to be changed */
    uint64_t given;                 /* bit i: params[i] has a value */
    struct og_srcloc at;            /* the last place that spoke of the rule */
    struct og_srcloc locked;        /* where it was locked; else .source is NULL */
    struct og_srcloc *where;        /* by enum og_entry_part, then of settings: the last that said it */
};

struct og_entry_context {          /* what reading needs */
    struct og_arena *keep;         /* for words, which live as long as the policy */
    struct og_diagnostics *faults; /* and its arena for all else */
    const struct og_policy_file *source;
};

/* The level a scalar spells; -1 with a fault noted. */
int og_rule_entry_level(struct og_entry_context *s, const struct og_yaml *node, const char *what);
int og_rule_entry_unsure(struct og_entry_context *s, const struct og_yaml *node); /* 0 with a fault noted */
int og_rule_entry_mode(struct og_entry_context *s, const struct og_yaml *node);   /* likewise */
int og_rule_entry_lock(struct og_entry_context *s, const struct og_yaml *node);   /* likewise; 1: true, -1: false */
/* The instant and the reason of what is temporary: keys "until" and "reason".  false: it is none of them. */
bool og_rule_entry_term(struct og_entry_context *s, const struct og_yaml *node, struct og_term *term,
                        struct og_srcloc *where);
/* All keys are read: what is temporary says why. */
void og_rule_entry_term_end(struct og_entry_context *s, const struct og_srcloc *where);

/* Read one key of a rule's long form, or of an override: level, unsure, mode, reasons, or a setting.
 * false: it is none of these; nothing was noted. */
bool og_rule_entry_key(struct og_entry_context *s, const struct og_rule *rule, const struct og_yaml *node,
                       struct og_rule_entry *said);
bool og_rule_entry_init(struct og_entry_context *s, const struct og_rule *rule, struct og_srcloc at,
                        struct og_rule_entry *said);
/* "unknown key" for a key that none took; extra: what else would be known here, at most 8, NULL-ended. */
void og_rule_entry_unknown(struct og_entry_context *s, const struct og_rule *rule, const struct og_yaml *node,
                           const char *const *extra);

bool og_draft_init(struct og_draft *d, const struct og_rule *rule, struct og_arena *keep);
bool og_draft_copy(struct og_draft *to, const struct og_draft *from, const struct og_rule *rule, struct og_arena *keep);
/* Lay over: what was said wins; a level also lowers reasons set under it. */
void og_draft_lay(struct og_draft *d, const struct og_rule *rule, const struct og_rule_entry *said);
/* Tighten only; a setting that has no stricter side must be at its default or the same, else a fault. */
void og_draft_tighten(struct og_draft *d, const struct og_rule *rule, const struct og_rule_entry *said,
                      struct og_entry_context *s);
/* A limit whose every value is where it binds nothing, `exits` aside: it finds nothing. */
bool og_limits_nothing(const struct og_rule *rule, const struct og_rule_setting *setting);
/* When all is laid: note settings that are missing or do not agree. */
void og_draft_finish(struct og_draft *d, const struct og_rule *rule, struct og_diagnostics *faults);

size_t og_reason_count(const struct og_rule *rule);
size_t og_param_count(const struct og_rule *rule);

#endif
