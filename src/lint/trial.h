/*
 * Trial orders: an order, the facts around it, and the policy's own decision of it.  Lint reports a claim about orders
 * only if no trial order contradicts it.
 */
#pragma once

#include "lint/lint.h"
#include "order/synthetic.h"
#include "ordergate/book.h"

#define OG_TRIAL_SYMBOL OG_SYNTHETIC_SYMBOL

/* A trial order and the facts to decide it by. */
struct og_trial_order {
    enum og_security security;
    enum og_side side;
    enum og_open_close open_close;
    enum og_order_type type;
    enum og_tif tif;
    char tag[OG_TRIAL_SYMBOL]; /* "": none */
    char symbol[OG_TRIAL_SYMBOL], account[OG_TRIAL_SYMBOL], route[OG_TRIAL_SYMBOL], client_id[OG_TRIAL_SYMBOL];
    int64_t quantity;
    struct og_money price;    /* the order's limit and stop; made-up quotes are around this price */
    struct og_money bid, ask; /* quote of the symbol; coef 0 means a cent below and above the price */
    int64_t at;
    bool bare;         /* decide the order without any facts */
    bool made;         /* decide the order by made-up facts, even if the caller gave facts */
    unsigned without;  /* OG_FACT_* that the made-up facts lack */
    bool covered;      /* the first leg is stock, as in a covered call */
    bool hard;         /* the symbol is hard to borrow */
    bool held;         /* facts made up have the position that the order closes */
    bool lost;         /* the account lost a hundred million today */
    const char *latch; /* this latch is tripped until somebody resumes; NULL: none is */
    bool poor;         /* account and volume are small, so that limits relative to them apply */
};

/* Create the trial.  If options->facts are given, orders are decided by these facts.
 *   OG_EFACTS, OG_ESYNTAX  the facts cannot be used
 *   OG_ENOMEM */
enum og_status og_trial_new(struct og_lint_run *l, struct og_trial **trial, struct og_error *err);
void og_trial_free(struct og_trial *trial); /* NULL is allowed */

/* Returns a small opening order of this kind, within a session and at an ordinary price. If the policy accepts any such
 * order, it accepts this one. */
struct og_trial_order og_trial_ordinary_order(const struct og_trial *trial, enum og_security security,
                                              enum og_side side, enum og_order_type type);
/* Write the symbol of an option that expires about two months after the trial's date. */
void og_trial_option_symbol(const struct og_trial *trial, struct og_str root, char type, int64_t strike,
                            char to[OG_TRIAL_SYMBOL]);

/* Decide an order.  The decision lives until the next call. */
const struct og_decision *og_trial_decide(struct og_trial *trial, const struct og_trial_order *order);
/* Returns a finding of this rule and this reason (reason NULL means any reason); refusing: only a finding at level
 * refuse.  NULL if there is none. */
const struct og_finding *og_decision_finds(const struct og_decision *d, const char *rule, const char *reason,
                                           bool refusing);
/* Returns the index of the rule's override that decided the last order; -1 if no override did; -2: the order could not
 * be decided. */
int og_trial_override(struct og_trial *trial, size_t rule);
/* Returns true if the k-th override of a rule certainly matches the last order, even if an earlier override decides
 * it. */
bool og_trial_matches(struct og_trial *trial, size_t rule, size_t k);
/* Make a witness of the last decision.  Returns NULL if witnesses are not wanted. */
const struct og_lint_witness *og_trial_witness(struct og_trial *trial, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the value of a condition for the last order. */
enum og_truth og_trial_truth(struct og_trial *trial, const struct og_expr *e);
/* Returns the same as og_trial_truth(); sets *why to the cause if the value is unknown. */
enum og_truth og_trial_truth_why(struct og_trial *trial, const struct og_expr *e, struct og_expr_why *why);
void og_trial_why_text(const struct og_trial *trial, const struct og_expr_why *why, struct og_buf *b);
/* Returns true if the facts of the last order include the given one.  *fresh: it is not older than the policy's
 * max_age. */
bool og_trial_has_fact(const struct og_trial *trial, enum og_fact fact, bool *fresh);
/* Get the i-th route in the caller's facts. Returns false if there are fewer routes, or if the caller gave no facts. */
bool og_trial_route(struct og_trial *trial, size_t i, struct og_str *name);

struct og_pattern_room *og_trial_pattern_room(struct og_trial *trial);
struct og_expr_room *og_trial_expr_room(struct og_trial *trial);
