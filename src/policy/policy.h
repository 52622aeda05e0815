/*
 * A compiled policy as the engine reads it.  It is constant once made, and its arena owns all its memory.
 */
#pragma once

#include "base/arena.h"
#include "base/crypto.h"
#include "expr/expr.h"
#include "ordergate/policy.h"
#include "policy/signature.h"
#include "policy/source_location.h"
#include "rules/rule.h"

enum og_unsure_mode { OG_UNSURE_WARN = 1, OG_UNSURE_REFUSE = 2 };

/* What findings do. SHADOW: they are reported separately and have no effect; WARN: they only warn; ENFORCE: they
 * refuse or warn by their level. A higher value is stricter. */
enum og_mode { OG_MODE_SHADOW = 1, OG_MODE_WARN = 2, OG_MODE_ENFORCE = 3 };
extern const char *const og_mode_names[], *const og_unsure_names[]; /* names[n] is the name of the enum's value n, from
                                                                     * 1 on; NULL-terminated */

#define OG_REASONS_MOST 40 /* maximum number of reasons of one rule; a test checks this */

/* A message template, split into pieces of text. Each piece has the number of the value that follows it, if a value
 * does. */
#define OG_PIECES_MOST 8
#define OG_PIECE_LAST  UINT16_MAX
struct og_template {
    size_t count; /* 0 if the template has too many pieces to be split */
    struct og_piece {
        uint16_t from, len, value;
    } piece[OG_PIECES_MOST];
};

/* The settings of one rule, for all orders or for those that an override matches. */
struct og_rule_setting {
    enum og_level level;        /* the highest level that a finding can have (OFF: the rule only predicts) */
    enum og_unsure_mode unsure; /* REFUSE: an unsure finding refuses if its reason refuses */
    enum og_mode mode;
    bool locked; /* later layers cannot loosen the rule, and it cannot be waived */
    /* for each reason, by its index in rule->reasons; -1 if not set, in which case the reason has its natural level,
     * but at most `level` */
    signed char reason_level[OG_REASONS_MOST];
    /* struct settings of the rule. NULL if the rule has no settings; or if it is off and lacks a setting without
     * default, so that it cannot run */
    const void *settings;
    bool idle;                      /* with this setting, the rule can neither find nor predict anything */
    const struct og_template *says; /* message templates, by index in rule->reasons; NULL if not split into pieces */
};

/* The term of a temporary entry: after `until` it has no effect. */
struct og_term {
    int64_t until;      /* ns; OG_TIME_UNKNOWN if the entry is not temporary */
    const char *reason; /* NULL if there is none */
};
static inline bool og_term_is_over(const struct og_term *term, int64_t now)
{
    return term->until != OG_TIME_UNKNOWN && now > term->until;
}

/* An override: an order must match every condition that is set. */
struct og_override {
    struct og_pattern *symbol;  /* pattern for the order's symbol; NULL means any symbol */
    struct og_pattern *account; /* NULL means any */
    struct og_pattern *tag;     /* pattern for the order's tag, which is "" if the order has none; NULL means any tag */
    unsigned securities;        /* bit 1 << enum og_security; 0 means any */
    unsigned sides, types;      /* bits 1 << enum; 0 means any */
    /* split off by the loader from the override that follows: the piece is for orders that an override of a layer below
     * matches too, and has the merged values of both */
    bool split;
    struct og_term term;
    struct og_str when_text;    /* len 0 means no condition */
    const struct og_expr *when; /* NULL means no condition */
    struct og_rule_setting setting;
    const struct og_srcloc *where; /* for each enum og_entry_part: where the override's value is written */
    const struct og_srcloc *from;  /* for each setting, inherited ones included: the place that gave the setting its
                                    * value */
};

struct og_policy_rule {
    const struct og_rule *rule;
    struct og_rule_setting setting;
    const struct og_override *overrides; /* in the sequence in which they are tried: the first that matches applies */
    size_t override_count;
    const struct og_srcloc *where;     /* for each enum og_entry_part: where the value was last written */
    const struct og_srcloc *from;      /* for each setting: the place that gave the setting its value (struct
                                        * og_draft) */
    const struct og_layer_value *said; /* the values that layers give to the rule's settings, the last layer first
                                        * (policy/layer_values.h) */
};

/* A custom rule as the engine runs it: entry.rule points to `rule`, and the settings of `entry` point to this
 * struct. */
struct og_custom {
    struct og_rule rule;
    struct og_reason reason;
    struct og_policy_rule entry;
    struct og_str when_text, require_text, message_text, help_text; /* as written; len is 0 if not set */
    struct og_term term;
    const struct og_expr *when, *require;  /* the compiled expressions; when is NULL if the rule is for every order */
    const struct og_expr_message *message; /* NULL if not set */
    const char *field;                     /* JSON pointer of the first field of the order that `require` reads, or
                                            * "" */
    struct og_srcloc *where;               /* entry.where, but writable */
    const struct og_custom_said *said;     /* what the layers set for the rule, the last layer first
                                            * (policy/custom.h) */
    bool floor;                            /* the floor has the rule: its expressions can only name the floor's lists */
    bool wrong;                            /* used while the policy is made: an expression of the rule does not
                                            * compile */
    struct og_custom *next; /* used while the policy is made: next in the list of rejected rules (strays) */
};

/* A rule as the engine runs it for one kind of case. Members that the engine's loop reads are kept together. */
struct og_run {
    const struct og_rule *rule;
    const struct og_rule_setting *setting; /* the setting for every case of the kind, if `varies` is NULL */
    const void *settings;                  /* setting->settings */
    void (*check)(const struct og_case *c, const void *settings, struct og_sink *sink);
    /* if not NULL, the setting depends on more than the kind, or the rule is a size limit that refuses nothing */
    const struct og_policy_rule *varies;
};

/* Kinds of cases: orders by their enum og_security, then requests by the bit of their subject. */
#define OG_RUN_KINDS 7
unsigned og_rule_kinds(const struct og_rule *rule); /* the kinds of cases that the rule checks, one bit each */
struct og_run_list {
    struct og_run *run;
    size_t count;
};
struct og_runs {
    struct og_run_list of[OG_TRAIT_ALL + 1]; /* for each set of traits (enum og_trait): the runs that may find
                                              * something in such a case */
    bool varies;                             /* some run has `varies` set */
    unsigned expr_reads; /* OG_FACT_* that the policy's expressions may read, in custom rules and in conditions of
                          * overrides */
};

struct og_policy {
    struct og_arena arena;
    const char *name, *description;
    const char *environment; /* "paper", "live", or "" */
    enum og_unsure_mode unsure;
    enum og_mode mode;
    int32_t exits; /* OG_EXITS_PASS or OG_EXITS_BIND (rules/limit.h): the setting `exits` of rules that do not set it */
    struct og_srcloc where[OG_ENTRY_PARTS]; /* where `unsure`, `mode`, `exits` and `environment` are written */
    struct og_srcloc age_where[OG_FACT_KINDS];
    const struct og_layer_key_value *said; /* the layers' values for the policy's own keys, the last layer first */
    struct og_srcloc locked;               /* the first lock of any layer; .source is NULL if there is none */
    int64_t max_age[OG_FACT_KINDS];        /* greatest age for each kind of fact, in ns; 0 means any age */
    struct og_policy_rule *rules;          /* the built-in rules: og_rules_size of them, in the register's order */
    struct og_custom **custom;             /* the custom rules: custom_count of them, in the order written */
    size_t custom_count;
    struct og_expr_names lists;   /* the lists, in the order first written */
    struct og_srcloc *list_where; /* for each list, in the same order: where the list is written */
    /* for each list, in the same order: if the list has its own key, the text that replaces the list's words in what a
     * signature of the policy covers; NULL if a signature covers the words */
    const char **list_signed;
    unsigned reads;                    /* OG_FACT_* that some rule which is on may use */
    struct og_runs runs[OG_RUN_KINDS]; /* for each kind of case: the rules that may find something in it, in the
                                        * sequence in which they run */
    struct og_patterns *patterns;      /* all compiled patterns, for freeing them */
    char digest[160];                  /* "name@sha256:...", over everything on which decisions depend */
    /* the digest that a signature covers: over the same text, with the key of each list that has its own key in place
     * of the list's words */
    char signed_digest[160];
    /* the signatures that the floor demands for the policy below it; need is 0 once the loader has verified them
     * (loader.c) */
    struct og_signing_demand demand;
    uint64_t serial; /* a number that no other policy has (base/generation.h) */
};

/* Returns the policy's own copy of a rule's id, which lives as long as the policy; NULL if the policy has no such
 * rule. */
const char *og_policy_rule_id(const struct og_policy *policy, const char *id);
