/*
 * Looking into the ledger: the record of every decision, intent, POST, update and outcome (docs/contract.md "ordergate
 * ledger").  Records are never changed; what a person settles is appended.
 * A ledger belongs to one thread; other processes may send on the same file meanwhile.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_LEDGER_H
#define ORDERGATE_LEDGER_H

#include "ordergate/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct og_ledger;

/* One line: a JSON object without newline, it lives during the call.  Anything but 0 ends the call with OG_EIO. */
typedef int og_ledger_listener(void *with, const char *json, size_t len);

/* Open to look only: nothing is made or written, and a file of an older ordergate is read as it is.
 * path NULL: $XDG_STATE_HOME/ordergate/ledger.db.
 *   OG_ENOENT   there is none; err names the path
 *   OG_ELEDGER  not a ledger, a newer one, damaged, or it cannot be read
 *   OG_ENOMEM   In all of these *ledger is NULL. */
OG_API OG_MUST_USE enum og_status og_ledger_peek(const char *path, struct og_ledger **ledger, struct og_error *err);
OG_API void og_ledger_close(struct og_ledger *ledger); /* NULL is allowed; what was not committed is gone */

enum og_ledger_view {
    OG_LEDGER_LIST = 0, /* the newest record of every order */
    OG_LEDGER_OPEN,     /* of those whose state is unknown */
    OG_LEDGER_SHOW,     /* every record of one order, in time order */
    OG_LEDGER_EXPORT    /* every record */
};

/* Records, a line each.  account NULL: of all.  id: for OG_LEDGER_SHOW, a clientOrderId or the broker's id of it.
 * LIST and OPEN call an intent whose run is over "unknown", which it is; SHOW and EXPORT give what was recorded, with
 * the hash and the detail (the decision, the body, what was heard).
 *   OG_ENOENT  SHOW: no record of that id
 *   OG_EINVAL  no such view, or SHOW without an id */
OG_API OG_MUST_USE enum og_status og_ledger_print(struct og_ledger *ledger, enum og_ledger_view view,
                                                  const char *account, const char *id, og_ledger_listener *line,
                                                  void *with, struct og_error *err);

/* Check the chain of hashes, the used ids and the runs.  A line for every fault, {"seq","fault","message"} (seq null:
 * of the file), then {"rows","seq","head","faults"}.  expected: a head told by an earlier run ("sha256:" may be left
 * out), which the chain must contain; NULL: none is.
 *   OG_OK       it was looked at: *faults says how many
 *   OG_ELEDGER  it has no hashes yet (schema 1), or cannot be read */
OG_API OG_MUST_USE enum og_status og_ledger_verify(struct og_ledger *ledger, const char *expected,
                                                   og_ledger_listener *line, void *with, long long *faults,
                                                   struct og_error *err);

/* What was counted: a line a run of send, then one for all.  Times are send's: the machine's clock, or with "clock:
 * broker" the broker's.  What people settled, waived and took back is no run: the last line has how many records in
 * "byHand", and counts what was settled among the outcomes. */
OG_API OG_MUST_USE enum og_status og_ledger_stats(struct og_ledger *ledger, og_ledger_listener *line, void *with,
                                                  struct og_error *err);

/* One line: a facts document of one account (docs/contract.md "Facts") with the ids that are used and the orders in
 * flight and unknown.  account NULL: the only one.
 *   OG_EINVAL  several accounts and none named; err lists them
 *   OG_ENOENT  nothing of that account, or of any */
OG_API OG_MUST_USE enum og_status og_ledger_facts(struct og_ledger *ledger, const char *account,
                                                  og_ledger_listener *line, void *with, struct og_error *err);

/* What a person knows of an order that is unknown. */
struct og_ledger_settlement {
    const char *account;  /* NULL: the only one with that id */
    const char *id;       /* its clientOrderId */
    const char *outcome;  /* not-sent, rejected, filled, canceled, expired, done or working */
    const char *reason;   /* why it is so, not empty */
    const char *by;       /* who says so */
    const char *executed; /* a quantity; NULL: all of it when filled, else as last heard */
    const char *price;    /* what it was filled at; NULL: as last heard */
};

/* Append a record "resolve" that settles it; the record as a line.
 *   OG_EINVAL  an outcome or a number that is none, more than was ordered, no reason, or the id stands in several
 *              accounts
 *   OG_ENOENT  no ledger, or no such order in it
 *   OG_EBUSY   the order is not unknown: err says what it is
 *   OG_ELEDGER nothing was recorded */
OG_API OG_MUST_USE enum og_status og_ledger_resolve(const char *path, const struct og_ledger_settlement *settlement,
                                                    og_ledger_listener *line, void *with, struct og_error *err);

/* One order, as it stands, let through one named rule (ordergate/book.h): a running ordergate send on the same file
 * takes it in at its next decision. */
struct og_ledger_waiver {
    const char *account; /* NULL: that of the order's recorded decisions, else the only one in the ledger */
    const char *id;      /* its clientOrderId */
    const char *rule;    /* to take back: NULL is all of the order's */
    bool refused_by;     /* the rule must stand in a recorded decision about the order: it is none of the register */
    const char *by;      /* who says so, 1 to 64 bytes */
    const char *reason;  /* why, 1 to 200 bytes; to take back: may be NULL */
    int64_t for_ns;      /* 1 s to 24 h, by the machine's clock */
    const char *digest;  /* of the order's body (og_order_digest()); NULL: of the newest one of that id that a recorded
                          * decision refused */
};

/* Append a record "waive"; the waiver as a line, as og_ledger_waivers() tells it.
 *   OG_EINVAL  a text is missing or too long, the time out of bounds, the account is open, no decision names the
 *              rule, or no body is named and no order of that id is recorded as refused
 *   OG_ENOENT  no ledger
 *   OG_EBUSY   the order was posted before: err says what it is
 *   OG_ELEDGER nothing was recorded */
OG_API OG_MUST_USE enum og_status og_ledger_waive(const char *path, const struct og_ledger_waiver *waiver,
                                                  og_ledger_listener *line, void *with, struct og_error *err);
/* Append a record "revoke" for each that counts; a line each.  Statuses as before; OG_EBUSY: none counts. */
OG_API OG_MUST_USE enum og_status og_ledger_revoke(const char *path, const struct og_ledger_waiver *waiver,
                                                   og_ledger_listener *line, void *with, struct og_error *err);
/* The newest waiver of each order and rule, a line each:
 * {"seq","at","accountId","clientOrderId","rule","by","reason","until","digest","order","state"}; order: the body
 * that the digest is of, null where it was named by its digest alone; state: live, used (an order of that id
 * was accepted since), revoked or expired.  One that is live may have a "warning": nothing was ever sent for its
 * account, or its rule refused the order all the same (locked, say).  all: those that do not count any more too.
 * account NULL: of all. */
OG_API OG_MUST_USE enum og_status og_ledger_waivers(struct og_ledger *ledger, const char *account, bool all,
                                                    og_ledger_listener *line, void *with, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
