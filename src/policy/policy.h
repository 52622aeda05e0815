/*
 * A compiled policy as the engine reads it.  Constant once made; all memory is its arena's.
 */
#ifndef OG_POLICY_POLICY_H
#define OG_POLICY_POLICY_H

#include "base/arena.h"
#include "base/crypto.h"
#include "expr/expr.h"
#include "ordergate/policy.h"
#include "policy/source_location.h"
#include "rules/rule.h"

enum og_unsure_mode { OG_UNSURE_WARN = 1, OG_UNSURE_REFUSE = 2 };

/* What comes of a finding: it is only looked at, it warns at most, it counts.  A higher one is stricter. */
enum og_mode { OG_MODE_SHADOW = 1, OG_MODE_WARN = 2, OG_MODE_ENFORCE = 3 };
extern const char *const og_mode_names[], *const og_unsure_names[]; /* by number, from 1, NULL-ended */

#define OG_REASONS_MOST 40 /* of one rule; a test compares */

/* How one rule stands, for all orders or for those an override matches. */
struct og_rule_setting {
    enum og_level level;        /* the most a finding may weigh (OFF: only its prediction counts) */
    enum og_unsure_mode unsure; /* REFUSE lifts unsure findings whose reason would refuse */
    enum og_mode mode;
    bool locked; /* later layers cannot loosen it, and nobody waives it */
    signed char
        reason_level[OG_REASONS_MOST]; /* by place in rule->reasons: set by the policy; -1: natural, capped by level */
    const void *settings; /* struct settings of the rule; NULL when it has none, or when the rule is off and a
                           * setting without default was not given: then it cannot run at all */
    bool idle;            /* it would neither weigh nor predict */
};

/* What is temporary: after that instant it is as if it were not there. */
struct og_term {
    int64_t until;      /* ns; OG_TIME_UNKNOWN: for good */
    const char *reason; /* NULL: none given */
};
static inline bool og_term_is_over(const struct og_term *term, int64_t now)
{
    return term->until != OG_TIME_UNKNOWN && now > term->until;
}

/* Which orders an override is for; every part given must match. */
struct og_override {
    struct og_pattern *symbol;  /* NULL: any; matched against symbol */
    struct og_pattern *account; /* NULL: any */
    unsigned securities;        /* bit 1 << enum og_security; 0: any */
    unsigned sides, types;      /* bits; 0: any */
    bool split; /* nobody wrote it: it is what the next that is not holds for orders of an override below */
    struct og_term term;
    struct og_str when_text;    /* len 0: no condition */
    const struct og_expr *when; /* NULL: likewise */
    struct og_rule_setting setting;
    const struct og_srcloc *where; /* by enum og_entry_part, of what was written in it */
};

struct og_policy_rule {
    const struct og_rule *rule;
    struct og_rule_setting setting;
    const struct og_override *overrides; /* first match wins */
    size_t override_count;
    const struct og_srcloc *where; /* by enum og_entry_part: the last that was written of it */
};

/* A rule of the policy's own, as the engine runs it: entry.rule is &rule, and its settings are this. */
struct og_custom {
    struct og_rule rule;
    struct og_reason reason[2];
    struct og_policy_rule entry;
    struct og_str when_text, require_text, message_text, help_text; /* as written; len 0: not given */
    struct og_term term;
    const struct og_expr *when, *require;  /* when NULL: for every order */
    const struct og_expr_message *message; /* NULL: not given */
    const char *field;                     /* pointer of the first field of the order that require reads, or "" */
    struct og_srcloc *where;               /* entry.where */
    bool floor;                            /* the floor has it: its names are the floor's */
    bool wrong;                            /* while it is made: an expression does not compile */
    struct og_custom *next;                /* while it is made: of the strays */
};

/* A rule as it is run over one kind of case: what the engine's loop reads lies together. */
struct og_run {
    const struct og_rule *rule;
    const struct og_rule_setting *setting; /* of every case of the kind, unless it varies */
    const void *settings;                  /* its settings */
    void (*check)(const struct og_case *c, const void *settings, struct og_sink *sink);
    const struct og_policy_rule
        *varies; /* its setting depends on more than the kind, or it is a limit of size that stops nothing */
};

/* Kinds of cases: orders by their enum og_security, then requests by the bit of their subject. */
#define OG_RUN_KINDS 7
struct og_runs {
    struct og_run *run;
    size_t count;
    bool varies; /* one of them does */
};

struct og_policy {
    struct og_arena arena;
    const char *name, *description;
    const char *environment; /* "paper", "live", or "" */
    enum og_unsure_mode unsure;
    enum og_mode mode;
    struct og_srcloc where[OG_ENTRY_PARTS]; /* of unsure, mode, environment */
    struct og_srcloc age_where[OG_FACT_KINDS];
    int64_t max_age[OG_FACT_KINDS]; /* ns; 0: any age */
    struct og_policy_rule *rules;   /* og_rules_size of them, in the register's order */
    struct og_custom **custom;      /* custom_count, in the order written */
    size_t custom_count;
    struct og_expr_names lists; /* in the order first written; list_where beside them */
    struct og_srcloc *list_where;
    unsigned reads;                    /* OG_FACT_* that some rule in force may ask for */
    struct og_runs runs[OG_RUN_KINDS]; /* those that may find something in such a case, in the same order */
    struct og_patterns *patterns;      /* all that were compiled, for freeing */
    char digest[160];                  /* "name@sha256:..." */
    uint64_t serial;                   /* of this policy alone (base/generation.h) */
};

/* The id of a rule as it lives as long as the policy, where a decision's does not; NULL: it has no such rule. */
const char *og_policy_rule_id(const struct og_policy *policy, const char *id);

#endif
