/*
 * The engine: one policy over one order and its facts.  Pure except for the scratch it writes to.  It reports all
 * findings, not only the first, and never allocates.
 */
#pragma once

#include "base/buf.h"
#include "check/counted.h"
#include "ordergate/book.h"
#include "policy/policy.h"

#define OG_FINDINGS_MOST 64
#define OG_SHADOW_MOST   64
#define OG_TEXT_MOST     32768 /* all messages of one decision */

/* A finding as the engine keeps it: its rule may still change it until it is weighed (og_check_settle()), which makes
 * it the public one. */
struct og_made {
    struct og_found found; /* natural level, prediction, rank: a rule may still change them */
    const struct og_reason *reason;
    bool unsure;
};

extern const struct og_report og_check_report; /* how sinks of the engine take findings */

/* What decisions of one book at one instant have in common: worked out for the first of them. */
struct og_common {
    /* usable: which facts are of an age that the policy allows; the others say for which facts, policy and times */
    uint64_t usable_facts, usable_policy;
    int64_t usable_from, usable_until;
    unsigned usable;
    int today_of; /* the date of today */
    struct og_day today;
    struct og_days_seen days;
    int64_t eastern_of; /* the instant of eastern */
    struct og_eastern eastern;
    uint64_t digest_of, facts_of; /* the policy of policy_digest; the serial of facts_digest */
    char facts_digest[80], policy_digest[160];
    size_t stamp_len; /* 0: not spelled */
    int64_t stamp_of; /* the instant of the stamp */
    char stamp[320];  /* og_decision_stamp() of the digests */
};

/* What a message begins with that says which fact is missing (find.c): of the reason that said so last. */
struct og_missing {
    const struct og_reason *reason; /* NULL: none did */
    enum og_fact kind;
    size_t len;
    char text[128];
};

struct og_scratch {
    struct og_sink sink;
    struct og_run own;           /* a run that is not the policy's: under an override, or by itself */
    int count, last;             /* last: where the newest was put */
    int settled;                 /* the findings before it have their levels */
    const struct og_run *finder; /* who found the others */
    int shadows;
    bool cut, cut_refuses, shadow_cut;
    bool way_out;                  /* a cancel or a close, which is not refused for what is not known */
    bool sized;                    /* a limit on the size of orders covers this one */
    bool says_uncounted;           /* rules run to say that they cannot count the order */
    struct og_uncounted uncounted; /* what limits cannot count */
    bool undecided, unsure;        /* for want of a fact a refusal was not decided, or something less */
    unsigned asked;                /* OG_FACT_* asked for since the rule began, for tests */
    const struct og_case *waives;  /* the case while there are waivers; NULL: there are none */
    enum og_rank first_rank;       /* of first */
    enum og_rank doubt_rank;       /* where the first lesser finding may fail; NONE: none may */
    enum og_rank body_rank;        /* whose lines body holds */
    bool body_known;               /* every line of it is */
    struct og_prediction first;    /* the decision's own */
    struct og_buf text, body_text;
    struct og_lookup_keys hashes; /* of the order */
    struct og_pattern_room *room;
    struct og_margin_inputs *margin_room;
    struct og_expr_room expr;
    struct og_common common; /* with the decisions of other scratches, where this is the first */
    struct og_missing missing;
    char account_id[64];
    struct og_mleg mleg;
    struct og_mleg_payoff result;
    struct og_strategy_info strategy;
    struct og_margin margin;
    struct og_own_worth worth; /* of the order */
    /* what is large comes last, so that all that every order needs is close together */
    struct og_made made[OG_FINDINGS_MOST + 1];
    struct og_finding finding[OG_FINDINGS_MOST + 1]; /* the last takes what does not fit, and is dropped */
    char storage[OG_TEXT_MOST];                      /* of text */
    struct og_finding shadow[OG_SHADOW_MOST]; /* of rules that are only watched: they take no place from what counts */
    char body[4096];                          /* a whole 400 body, of body_text */
};

/* Every rule of the policy over the case; the decision lives in scratch.  What it was made of is the caller's: account,
 * policy, facts and their stamp (og_book_names()). */
void og_check_case(const struct og_policy *policy, const struct og_case *c, struct og_scratch *scratch,
                   struct og_decision *decision);

/* Make the findings of a rule that counts, for an order that cannot be counted. */
void og_check_uncounted(const struct og_rule *rule, struct og_scratch *scratch);
/* Make one such finding, in the scratch's run. */
void og_check_say_uncounted(struct og_sink *sink, const struct og_reason *reason, const char *field, const char *why);

/* Returns true if what a limit of the desk, or a custom rule, is unsure of is the order itself, which cannot be
 * counted.  A policy's `unsure` is about missing facts, and no fact makes such an order countable: a limit that refuses
 * what exceeds it refuses this order.  The broker itself refuses an order that it cannot hold against buying power. */
static inline bool og_check_is_by_order(const struct og_scratch *s, const struct og_rule *rule)
{
    return s->uncounted.part && !s->uncounted.only_symbol && (!rule->code || (rule->counts && rule->local));
}

/* The setting that a rule has for the case: the first override that matches, or else the policy's. */
const struct og_rule_setting *og_check_setting(const struct og_policy_rule *rule, const struct og_case *c,
                                               struct og_pattern_room *room);

/* Write the members "policy", "facts" and "at" of a decision.  Returns their length, 0 if there is not the room. */
size_t og_decision_stamp(const char *policy, const char *facts, int64_t at, char *to, size_t size);

/* Refuse an accepted order, because reserving it has no exact sum.  Call once, with the case and the decision of
 * og_check_case(). */
void og_check_unreserved(const struct og_policy *policy, const struct og_case *c, struct og_scratch *scratch,
                         struct og_decision *decision);

/* Inside (vary.c): run a rule whose setting depends on the order. */
int og_check_varied(const struct og_run *r, const struct og_case *c, struct og_scratch *s);
/* A copy that lives as long as the decision; "" where there is no room for it. */
const char *og_check_keep(struct og_scratch *s, const char *text);
/* Let all findings from now on be those of that rule under that setting. */
void og_check_under(struct og_scratch *s, const struct og_rule *rule, const struct og_rule_setting *setting);
/* Inside (check.c).  Settle what the last finder found: give each finding its level, take it into the decision's
 * prediction, and keep it apart if its rule is in mode shadow. */
void og_check_settle(struct og_scratch *s);
/* The level of a finding under the sink's setting. */
enum og_level og_check_weigh(struct og_sink *sink, int finding);
/* Take a finding into the decision's own prediction. */
void og_check_fold(struct og_scratch *s, const struct og_made *m);
/* Keep a finding that does not count apart, with that level. */
void og_check_set_aside(struct og_scratch *s, int finding, enum og_level level);

/* The level of a finding that would refuse: refuse, or warn if it is waived, which its message then says. */
enum og_level og_waive(struct og_sink *sink, const struct og_case *c, int finding);

/* Called after each rule with what it asked for; NULL by default.  For the tests alone. */
extern void (*og_check_asked)(const struct og_rule *rule, unsigned asked);
