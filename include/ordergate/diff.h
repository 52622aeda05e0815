/*
 * Compare two policies by their decisions: decide the same orders by both, and report each order with another result.
 * Orders come from the caller, from a ledger, or are generated to probe the settings that differ.  Each order is
 * decided as if the others did not exist: none reserves anything.
 * Threads: a diff belongs to one thread at a time.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_DIFF_H
#define ORDERGATE_DIFF_H

#include "ordergate/order.h"
#include "ordergate/policy.h"
#include "ordergate/requests.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_diff;

enum og_diff_what {
    OG_DIFF_SAME = 0,
    OG_DIFF_LOOSENED,  /* refused before, accepted after */
    OG_DIFF_TIGHTENED, /* accepted before, refused after */
    OG_DIFF_NOTED      /* the same verdict, with other findings */
};

/* A finding that only one of the policies made, or that the two policies made at different levels. */
struct og_diff_finding {
    const char *rule, *reason;
    const char *from, *to; /* levels of the finding in the policy before and after: "refuse", "warn", "info", "shadow",
                            * "none" */
    const char *message;   /* message of the finding at its higher level */
    /* the verdict differs because of this finding; if the change is OG_DIFF_NOTED, true for every finding */
    bool explains;
};

/* One order that the policies decide differently; valid during the call of the listener. */
struct og_diff_change {
    enum og_diff_what what;
    const char *order; /* the order as JSON, on one line */
    int64_t at;        /* the instant of the decisions, in ns */
    const char *facts; /* the facts document generated for this order; NULL if it was decided with the caller's facts */
    /* description of the values of order and facts that differ from the ordinary case; NULL if there is none */
    const char *with;
    const struct og_diff_finding *finding;
    size_t count;
};
typedef void og_diff_listener(void *with, const struct og_diff_change *change);

/* A setting that differs between the two effective policies. */
struct og_diff_setting {
    const char *path;           /* "rules.order-notional.most", "rules.x.overrides[0].until"; for an override that only
                                 * one policy has, "rules.x.overrides[0]", with its index in that policy */
    const char *before, *after; /* values as `policy show` writes them; NULL if not set */
    enum og_diff_what what;     /* LOOSENED or TIGHTENED; NOTED if the setting alone does not show the direction */
    bool may_pass;              /* the change of the setting may cause a refused order to be accepted; always true if
                                 * LOOSENED */
    /* an order decided so far shows this change: the order was refused before and is accepted after, because of the
     * rule that has the setting */
    bool shown;
};

/* How the policies differ for one kind of orders. LOOSER and TIGHTER mean that no change in the other direction is
 * known. */
enum og_diff_way { OG_DIFF_WAY_SAME = 0, OG_DIFF_WAY_TIGHTER, OG_DIFF_WAY_LOOSER, OG_DIFF_WAY_NEITHER };

struct og_diff_verdict {
    const char *kind; /* such as "stock buy", "spread" or "cancel" */
    enum og_diff_way way;
    /* proved: `way` is proved for every order of the kind; perhaps_looser, perhaps_tighter: some setting may be looser,
     * or tighter, though no order decided so far shows it */
    bool proved, perhaps_looser, perhaps_tighter;
    /* rules: how many rules can refuse orders of the kind; rules_proved: how many of these rules had each of their
     * changes proved */
    int rules, rules_proved;
    long long orders, loosened, tightened; /* orders of the kind that were decided so far */
};

/* Make a diff.  The policies stay the caller's and must outlive the diff.
 *   OG_ENOMEM  *diff is NULL */
OG_API OG_MUST_USE enum og_status og_diff_new(struct og_policy *before, struct og_policy *after, struct og_diff **diff);
OG_API void og_diff_free(struct og_diff *diff); /* NULL is allowed */

/* Get the i-th setting that differs.  Returns false past the end. */
OG_API bool og_diff_setting(const struct og_diff *diff, size_t i, struct og_diff_setting *setting);

/* Get the verdict on the i-th kind of orders, by the settings and by the orders decided so far.  Returns false past the
 * end.  The first call takes longer, since it makes proofs. */
OG_API bool og_diff_verdict(struct og_diff *diff, size_t i, struct og_diff_verdict *verdict);

/* Load a facts document for all later decisions, and set the account of orders without accountId. Return the statuses
 * of og_book_apply() and og_book_default_account(). */
OG_API OG_MUST_USE enum og_status og_diff_facts(struct og_diff *diff, const char *json, size_t len, const char *name,
                                                struct og_error *err);
OG_API OG_MUST_USE enum og_status og_diff_account(struct og_diff *diff, const char *account);

/* Decide one line by both policies: an order, a cancel, a locate or a read.  A line with op quote or facts is loaded, a
 * heartbeat is ignored; *what is OG_DIFF_SAME for these.  listener is called if the decisions differ; it may be NULL.
 *   OG_EFACTS, OG_ESYNTAX  a line with op quote or facts cannot be used; err says why
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_diff_line(struct og_diff *diff, const char *line, size_t len, int64_t now_ns,
                                               enum og_diff_what *what, og_diff_listener *listener, void *with,
                                               struct og_error *err);

/* Decide again the order in a row of `ordergate ledger export`, as of the time when the row was recorded, with the
 * facts that are loaded. Two kinds of rows have an order: an intent, and a decision that refused an order. *refused is
 * true if the row is of the second kind.
 *   OG_ENOENT  the row has no order; if *refused is true, the line that was refused was not an order
 *   OG_ESYNTAX not a row of an export
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_diff_ledger_row(struct og_diff *diff, const char *row, size_t len, bool *refused,
                                                     enum og_diff_what *what, og_diff_listener *listener, void *with,
                                                     struct og_error *err);

/* From now on, og_diff_ledger_row() decides each row in the state that the rows before it left: orders that were sent
 * count, with what became of them according to the ledger. Before this, load the facts as they were when the day began.
 * These facts do not get too old, since both policies' max_age is set to any.
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_diff_replay(struct og_diff *diff);
/* Recorded decisions, compared with those of the policy `before` in the same state. */
struct og_diff_replayed {
    long long recorded, others; /* recorded: number of decisions on orders; others: decisions made by another policy,
                                 * which are not compared */
    long long reproduced; /* number of decisions with the same verdict, and with the same rules, reasons and levels */
    /* the first decision that is not reproduced, and a finding in which it differs; "" if there is none */
    char first[256];
};
/* Returns false without og_diff_replay(). */
OG_API bool og_diff_replayed(const struct og_diff *diff, struct og_diff_replayed *replayed);

/* Generate count orders, with facts and times, that probe the settings that differ, and decide each.  The same seed
 * generates the same orders.  now_ns: the time of every decision; if it is OG_TIME_UNKNOWN, times are varied too.
 * Loaded facts take precedence over generated ones.
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_diff_generate(struct og_diff *diff, size_t count, uint64_t seed, int64_t now_ns,
                                                   og_diff_listener *listener, void *with, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
