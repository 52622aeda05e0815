/*
 * The engine: applies one policy to one order and its facts.  It reads and writes nothing but its arguments and the
 * scratch, reports all findings, not only the first, and never allocates.
 */
#pragma once

#include "base/buf.h"
#include "check/counted.h"
#include "ordergate/book.h"
#include "policy/policy.h"

#define OG_FINDINGS_MOST 64
#define OG_SHADOW_MOST   64
#define OG_TEXT_MOST     32768 /* bytes of all messages of one decision */

/* A finding inside the engine. Its rule may still change it until og_check_settle() sets its level. */
struct og_made {
    struct og_found found; /* the finding with its natural level, prediction and rank */
    const struct og_reason *reason;
    bool unsure;
};

extern const struct og_report og_check_report; /* the functions by which rules report findings to the engine */

/* Values that all decisions of one book at one time share; they are computed for the first order. */
struct og_common {
    /* usable: set of the kinds of facts that are not older than the policy allows (a bit each); the members after it
     * say for which facts, which policy and which times the set was computed */
    uint64_t usable_facts, usable_policy;
    /* the maximum ages by which `usable` was computed: the policy's max_age, or closes_age */
    const int64_t *usable_ages;
    int64_t usable_from, usable_until;
    bool lacks_fill; /* og_facts_lacks_fill() */
    unsigned usable;
    /* the facts by which the batch's last order was decided: the case has what follows from them alone; NULL before the
     * batch's first order */
    const struct og_facts *seen;
    bool may_tag;    /* an order of the batch may have a tag although it gives none */
    bool read_since; /* facts were requested after the orders were written: og_scratch_read_since() */
    bool holds_ages; /* ages of facts are taken at ages_at, whatever the time of the decision */
    int64_t ages_at; /* ns */
    int today_of;    /* the date for which `today` was looked up */
    struct og_day today;
    struct og_days_seen days;
    int64_t eastern_of; /* ns: time of which `eastern` has the date and hour in New York */
    struct og_eastern eastern;
    uint64_t digest_of, facts_of; /* the serials of the policy and of the facts whose digests are in `stamp` */
    char facts_digest[80], policy_digest[160];
    size_t stamp_len;                  /* length of stamp; 0 if there is none yet */
    int64_t stamp_of;                  /* ns: the time that is written in the stamp */
    char stamp[320];                   /* text made by og_decision_stamp() */
    int64_t closes_age[OG_FACT_KINDS]; /* max_age of closes while read_since is true */
};

/* The beginning of the newest message about a missing fact, kept for the next order (findings.c). */
struct og_missing {
    const struct og_reason *reason; /* the reason in the message; NULL if no message is kept */
    enum og_fact kind;
    size_t len;
    char text[128];
};

struct og_scratch {
    struct og_sink sink;
    /* for a rule that is run although it is not in the lists of the policy's runs: with an override's setting, or
     * because the caller asked for this rule alone */
    struct og_run own;
    int count, last;             /* findings made, of which `last` is the index of the newest */
    int settled;                 /* index of the first finding that has no level yet */
    const struct og_run *finder; /* the run of the rule that made the findings from index `settled` on */
    int shadows;
    bool cut, cut_refuses, shadow_cut;
    bool way_out;                  /* a cancel or a close: missing facts must not refuse it */
    bool sized;                    /* some limit on the size of orders applies to the order */
    bool says_uncounted;           /* limits are run only to report that they cannot count the order */
    struct og_uncounted uncounted; /* the part of the order that limits cannot count */
    /* undecided: a finding that would refuse the order could not be decided, because a fact is missing; unsure: the
     * same for a finding that would not refuse it */
    bool undecided, unsure;
    unsigned asked;               /* OG_FACT_* that the running rule read; for tests */
    const struct og_case *waives; /* the case, or NULL if the book has no waivers */
    enum og_rank first_rank;      /* rank of the failure that `first` predicts; NONE: no failure is certain */
    /* rank of the broker's first check whose result is uncertain; NONE if all results are certain */
    enum og_rank doubt_rank;
    enum og_rank body_rank;     /* rank of the lines in body */
    bool body_known;            /* the service's wording of every line in body is known */
    struct og_prediction first; /* the decision's prediction: the first certain failure */
    struct og_buf text, body_text;
    struct og_lookup_keys hashes; /* hashes of the order's keys */
    struct og_pattern_room *room;
    struct og_margin_inputs *margin_room;
    struct og_common common; /* values that the orders of a batch share; used only in the batch's first scratch */
    struct og_missing missing;
    char account_id[64];
    char tag[OG_TAG_MOST + 1]; /* memory of the decision's tag */
    struct og_mleg mleg;
    struct og_mleg_payoff result;
    struct og_strategy_info strategy;
    struct og_margin margin;
    struct og_own_worth worth; /* the order's worth, computed on first use */
    /* members this large come last, so that the members that every order needs are close together in memory */
    struct og_made made[OG_FINDINGS_MOST + 1];
    struct og_finding finding[OG_FINDINGS_MOST + 1]; /* the last entry is for findings that have no room and are
                                                      * dropped */
    char storage[OG_TEXT_MOST];                      /* memory of text */
    struct og_finding shadow[OG_SHADOW_MOST];        /* findings of rules in mode shadow, which do not refuse */
    char body[4096];                                 /* memory of body_text, the predicted body of a 400 answer */
    struct og_expr_room expr;
};

/* Run every rule of the policy on the case, and make the decision; its findings are in the scratch.  The caller sets
 * account, policy, facts and stamp of the decision (og_book_names()). */
void og_check_case(const struct og_policy *policy, const struct og_case *c, struct og_scratch *scratch,
                   struct og_decision *decision);

/* Make one unsure finding for a rule that cannot count the order. Its reason is the rule's reason with the highest
 * level. */
void og_check_uncounted(const struct og_rule *rule, struct og_scratch *scratch);
#define OG_WORKING_COUNTED 16
/* Set id[] to the ids of working orders, at most `room`, and *named to how many were set. count: how many such orders
 * there are; negative: not known. Returns how many were found; more than OG_WORKING_COUNTED are not counted, and the
 * result is then OG_WORKING_COUNTED + 1. The ids live until the book changes. */
int og_check_working(const struct og_case *c, const struct og_working_of *of, int64_t count, struct og_str *id,
                     int room, int *named);
/* Make an unsure finding of this reason in the scratch's current run. Its message says which field limits cannot count,
 * and why. */
void og_check_say_uncounted(struct og_sink *sink, const struct og_reason *reason, const char *field, const char *why);

/* Returns true if a limit of the desk, or a custom rule, is unsure because the order itself cannot be counted.  A
 * policy's `unsure` is about missing facts, but here no fact is missing. So a limit at level refuse refuses such an
 * order. Buying power is an exception: the broker itself rejects an order whose cost it cannot compute. */
static inline bool og_check_is_by_order(const struct og_scratch *s, const struct og_rule *rule)
{
    return s->uncounted.part && !s->uncounted.only_symbol && (!rule->code || (rule->counts && og_rule_is_local(rule)));
}

/* Set *most to m if m reserves more. Before the first call, set the state of *most to NOT_ASKED. */
void og_check_keep_margin(struct og_margin *most, const struct og_margin *m);
/* Returns the rule's setting for the case: the setting of the first override that certainly matches, or the policy's if
 * no override does. */
const struct og_rule_setting *og_check_setting(const struct og_policy_rule *rule, const struct og_case *c,
                                               struct og_pattern_room *room);

/* Iterate over the settings of a rule that may apply to the case. Call it for amounts that the engine computes from
 * a rule's settings, such as margin, because such an amount uses the strictest setting. *i: the override to begin
 * with, 0 at first; after the last setting *i is above override_count. *why (why may be NULL): set to the reason if
 * an override was passed over and it is not known whether that override applies. */
const struct og_rule_setting *og_check_next_setting(const struct og_policy_rule *rule, const struct og_case *c,
                                                    struct og_pattern_room *room, size_t *i, struct og_expr_why *why);

/* Write the members "policy", "facts" and "at" of a decision.  Returns their length, or 0 if they do not fit. */
size_t og_decision_stamp(const char *policy, const char *facts, int64_t at, char *to, size_t size);

/* Refuse an accepted order, because what it reserves cannot be added to the sums exactly.  Call once, with the case and
 * the decision of og_check_case(). */
void og_check_unreserved(const struct og_policy *policy, const struct og_case *c, struct og_scratch *scratch,
                         struct og_decision *decision);

/* Refuse a decided order that cannot be in a basket, or that is in a basket of which another order (its index) is
 * refused.  Call with the case and the decision of og_check_case(). */
void og_check_not_in_basket(const struct og_policy *policy, const struct og_case *c, struct og_scratch *scratch,
                            struct og_decision *decision, const char *field, const char *why);
void og_check_basket_refused(const struct og_policy *policy, const struct og_case *c, struct og_scratch *scratch,
                             struct og_decision *decision, size_t refused, const char *reason);

/* Run a rule whose setting depends on the order (overrides.c).  Returns the index of the first finding that has no
 * level yet. */
int og_check_overridden(const struct og_run *r, const struct og_case *c, struct og_scratch *s);
/* Returns a copy of the text that stays valid as long as the decision; "" if there is no room. */
const char *og_check_keep(struct og_scratch *s, const char *text);
/* From now on, findings are made for this rule and under this setting. */
void og_check_under(struct og_scratch *s, const struct og_rule *rule, const struct og_rule_setting *setting);
/* Settle the findings of the last rule that found something. Each finding (a) gets its level, (b) changes the
 * decision's prediction, (c) is moved to the shadow findings if its rule is in mode shadow. */
void og_check_settle(struct og_scratch *s);
/* Returns the level that a finding has under the sink's setting. */
enum og_level og_check_weigh(struct og_sink *sink, int finding);
/* Update the decision's prediction of the broker's answer by a finding. */
void og_check_fold(struct og_scratch *s, const struct og_made *m);
/* Copy a finding of a rule in mode shadow to the shadow findings, and set its level there. */
void og_check_set_aside(struct og_scratch *s, int finding, enum og_level level);

/* Returns the level of a finding that would refuse: warn if a waiver covers the finding, refuse if none does. The
 * finding's message then names the waiver, or says why no waiver applies. */
enum og_level og_waive(struct og_sink *sink, const struct og_case *c, int finding);

/* Called after each rule with the OG_FACT_* that the rule read.  NULL by default; only tests set it. */
extern void (*og_check_asked)(const struct og_rule *rule, unsigned asked);
