/*
 * A rule's entry in one document: only the values written there.  The entry is laid over the draft of the layers below;
 * a floor's entry tightens the draft.
 */
#pragma once

#include "policy/diagnostics.h"
#include "policy/policy.h"
#include "text/yaml.h"

#define OG_PARAMS_MOST 64 /* maximum number of settings of one rule; a test checks this */

struct og_rule_entry {
    struct og_srcloc at;
    int level;                                 /* enum og_level; -1 if not set */
    int unsure;                                /* enum og_unsure_mode; 0 if not set */
    int mode;                                  /* enum og_mode; 0 if not set */
    int lock;                                  /* 1 for true, -1 for false, 0 if not set */
    signed char reason_level[OG_REASONS_MOST]; /* enum og_level; -1 if not set */
    void *settings;
    uint64_t given;          /* bit i: the entry sets params[i], and `settings` has the value */
    struct og_srcloc *where; /* places of the values: for each enum og_entry_part, then for each setting, then for
                              * each reason */
};

/* The state of a rule while layers are laid. */
struct og_draft {
    struct og_rule_setting setting; /* .unsure and .mode are 0 if those of the policy apply */
    void *settings;                 /* the same memory as setting.settings, writable */
    uint64_t given;                 /* bit i: params[i] has a value */
    struct og_srcloc at;            /* place of the last entry of the rule */
    struct og_srcloc locked;        /* where the rule was locked; .source is NULL if it is not */
    struct og_srcloc *where;        /* the last place that set each value: for each enum og_entry_part, then for each
                                     * setting, then for each reason */
    /* The place that gave each value its present form, with the same indices as where[]. It differs from where[] if the
     * value was changed by something else: by a floor, by a layer's `level` that lowers a reason, or by the policy's
     * `unsure` or `mode`. It is then the place of that change. .source is NULL for a default; `from` is NULL if places
     * are not recorded. */
    struct og_srcloc *from;
};

struct og_entry_context {          /* context for reading an entry */
    struct og_arena *keep;         /* memory for words that live as long as the policy */
    struct og_diagnostics *faults; /* errors are added here; its arena holds all other memory */
    const struct og_policy_file *source;
};

/* Returns the level that a scalar spells; -1 after reporting an error. */
int og_rule_entry_level(struct og_entry_context *s, const struct og_yaml *node, const char *what);
/* returns 0 after reporting an error */
int og_rule_entry_unsure(struct og_entry_context *s, const struct og_yaml *node);
int og_rule_entry_mode(struct og_entry_context *s, const struct og_yaml *node); /* returns 0 after reporting an error */
/* returns OG_EXITS_* (rules/limit.h); -1 after reporting an error */
int og_rule_entry_exits(struct og_entry_context *s, const struct og_yaml *node);
/* returns 1 for true, -1 for false, 0 after reporting an error */
int og_rule_entry_lock(struct og_entry_context *s, const struct og_yaml *node);
/* Read the key "until" or "reason" of a temporary entry.  Returns false if the node is neither. */
bool og_rule_entry_term(struct og_entry_context *s, const struct og_yaml *node, struct og_term *term,
                        struct og_srcloc *where);
/* Call after all keys of an entry are read: reports an entry with "until" but without "reason". */
void og_rule_entry_term_end(struct og_entry_context *s, const struct og_srcloc *where);

/* Read one key of a rule's map or of an override: level, unsure, mode, reasons, or a setting.  Returns false, without
 * reporting anything, if it is none of these. */
bool og_rule_entry_key(struct og_entry_context *s, const struct og_rule *rule, const struct og_yaml *node,
                       struct og_rule_entry *entry);
bool og_rule_entry_init(struct og_entry_context *s, const struct og_rule *rule, struct og_srcloc at,
                        struct og_rule_entry *entry);
/* Report an unknown key.  extra: further keys that are allowed here, at most 8, NULL-terminated. */
void og_rule_entry_unknown(struct og_entry_context *s, const struct og_rule *rule, const struct og_yaml *node,
                           const char *const *extra);

bool og_draft_init(struct og_draft *d, const struct og_rule *rule, struct og_arena *keep);
bool og_draft_copy(struct og_draft *to, const struct og_draft *from, const struct og_rule *rule, struct og_arena *keep);
/* Lay an entry over the draft: the entry's values replace the draft's.  A level also lowers reasons that earlier layers
 * set higher. */
void og_draft_lay(struct og_draft *d, const struct og_rule *rule, const struct og_rule_entry *entry);
/* Tighten the draft by an entry. If no value of a setting is stricter than another, the entry may only set it if the
 * draft has the setting's default or the same value; otherwise that is an error. */
void og_draft_tighten(struct og_draft *d, const struct og_rule *rule, const struct og_rule_entry *entry,
                      struct og_entry_context *s);
/* Returns the index of the rule's setting `exits`; param_count if it has none. */
size_t og_exits_param(const struct og_rule *rule);
/* Set `exits` to the value that the policy sets at place `at` for its rules; does nothing if a layer set `exits` for
 * this rule. */
void og_draft_exits(struct og_draft *d, const struct og_rule *rule, int32_t exits, struct og_srcloc at);
/* Set `exits` to `bind`, which a floor sets at place `at`. */
void og_draft_bind_exits(struct og_draft *d, const struct og_rule *rule, struct og_srcloc at);
/* Raise the draft's `unsure` and `mode` to at least those of a floor, which sets them at place `at`. */
void og_draft_tighten_keys(struct og_draft *d, enum og_unsure_mode unsure, enum og_mode mode, struct og_srcloc at);
/* Returns true if the rule is a limit that cannot find anything: every setting that limits something has its widest
 * value. */
bool og_limits_nothing(const struct og_rule *rule, const struct og_rule_setting *setting);
/* Call after all layers are laid: reports settings that are missing, or that contradict each other. */
void og_draft_finish(struct og_draft *d, const struct og_rule *rule, struct og_diagnostics *faults);

size_t og_reason_part(const struct og_rule *rule, size_t reason); /* the index in where[] of a reason's level */
size_t og_where_count(const struct og_rule *rule);                /* the length of where[] */
/* Begin to record the places of a draft, starting from those of the draft below (NULL: from none).  Returns false if
 * out of memory. */
bool og_draft_record(struct og_draft *d, const struct og_draft *below, const struct og_rule *rule,
                     struct og_arena *keep);
