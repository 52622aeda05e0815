/*
 * Two policies held against each other by what they decide: the same orders, by both, and what comes of it.
 * Orders are the caller's, of a ledger, or made to probe whatever the two say differently.  Each is decided alone.
 * It refuses to judge which policy is right; that one accepts what the other refuses is all it says.
 * Threads: a diff belongs to one thread at a time.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
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
    OG_DIFF_LOOSENED,  /* before refused, after accepts */
    OG_DIFF_TIGHTENED, /* before accepted, after refuses */
    OG_DIFF_NOTED      /* the same verdict for other reasons, or with other notes */
};

/* A finding that one of them made and the other did not, or not with that weight. */
struct og_diff_finding {
    const char *rule, *reason;
    const char *from, *to; /* "refuse", "warn", "info", "shadow", "none" */
    const char *message;   /* of the one that weighs more */
    bool explains;         /* the verdict is another because of it; of NOTED: always */
};

/* One order that is decided otherwise; all of it lives during the call. */
struct og_diff_change {
    enum og_diff_what what;
    const char *order; /* as one line */
    int64_t at;        /* ns */
    const char *facts; /* the facts document made for it; NULL: those the caller gave */
    const char *with;  /* what of order and facts was set apart from the usual, for people; NULL: nothing */
    const struct og_diff_finding *finding;
    size_t count;
};
typedef void og_diff_listener(void *with, const struct og_diff_change *change);

/* A setting they say differently, of the effective policies. */
struct og_diff_setting {
    const char *path;           /* "rules.order-notional.most", "rules.x.overrides[0].until", or of an override
                                * that one of them alone has: "rules.x.overrides[0]", by its place there */
    const char *before, *after; /* as policy show writes it; NULL: not there */
    enum og_diff_what what;     /* LOOSENED, TIGHTENED; NOTED: neither can be told from the setting alone */
    bool may_pass;              /* by it an order that was refused may be accepted: surely by one that is LOOSENED */
    bool shown;                 /* and one was, by the rule that it is of, of those decided so far */
};

/* The policies stay the caller's and must outlive it.
 *   OG_ENOMEM  *diff is NULL */
OG_API OG_MUST_USE enum og_status og_diff_new(struct og_policy *before, struct og_policy *after, struct og_diff **diff);
OG_API void og_diff_free(struct og_diff *diff); /* NULL is allowed */

/* false past the end */
OG_API bool og_diff_setting(const struct og_diff *diff, size_t i, struct og_diff_setting *setting);

/* Facts for all that is decided from now on; statuses as og_book_apply().  account: whose orders those without are;
 * NULL: as og_book_default_account(). */
OG_API OG_MUST_USE enum og_status og_diff_facts(struct og_diff *diff, const char *json, size_t len, const char *name,
                                                struct og_error *err);
OG_API OG_MUST_USE enum og_status og_diff_account(struct og_diff *diff, const char *account);

/* Decide one line by both: an order, a cancel, a locate or a read; lines with op quote and facts are taken in,
 * heartbeats passed over.  *what is SAME for these.
 *   OG_EFACTS, OG_ESYNTAX  a line with op quote or facts that cannot be used; err says why
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_diff_line(struct og_diff *diff, const char *line, size_t len, int64_t now_ns,
                                               enum og_diff_what *what, og_diff_listener *listener, void *with,
                                               struct og_error *err);

/* Decide one row of `ordergate ledger export`: an intent, at its time, by the facts given.  Other rows hold no order.
 *   OG_ENOENT  it is another row; *refused says whether it is a decision that refused an order, whose body is not kept
 *   OG_ESYNTAX not a row
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_diff_ledger_row(struct og_diff *diff, const char *row, size_t len, bool *refused,
                                                     enum og_diff_what *what, og_diff_listener *listener, void *with,
                                                     struct og_error *err);

/* Make count orders with facts and times that probe what the policies say differently, and decide each.  The same seed
 * makes the same orders.  now_ns: the time of all; OG_TIME_UNKNOWN: times are probed too.  Facts given win over those
 * made.
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_diff_generate(struct og_diff *diff, size_t count, uint64_t seed, int64_t now_ns,
                                                   og_diff_listener *listener, void *with, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
