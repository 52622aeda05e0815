/*
 * Read the ledger: the record of every decision, intent, POST, update and outcome (docs/contract.md "ordergate
 * ledger").  Records are never changed; what a person resolves or waives is appended as a new record.
 * Threads: a ledger belongs to one thread; other processes may send on the same file meanwhile.
 * fork(): a child must not use or free a ledger of its parent, since SQLite forbids it; it opens the file anew.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_LEDGER_H
#define ORDERGATE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_ledger;

/* Called with one line: a JSON object without newline, valid during the call. Returns 0 to go on; any other value ends
 * the function with OG_EIO. A listener may be NULL. */
typedef int og_ledger_listener(void *with, const char *json, size_t len);

/* Open a ledger read-only: nothing is created or written, and a file of an older ordergate is not migrated.
 * path NULL means $XDG_STATE_HOME/ordergate/ledger.db.
 *   OG_ENOENT   there is no such file; err names the path
 *   OG_ELEDGER  the file is not a ledger, is one of a newer ordergate, is damaged, or cannot be read
 *   OG_ENOMEM   In all of these *ledger is NULL. */
OG_API OG_MUST_USE enum og_status og_ledger_peek(const char *path, struct og_ledger **ledger, struct og_error *err);
OG_API void og_ledger_close(struct og_ledger *ledger); /* NULL is allowed; an uncommitted transaction is rolled back */

enum og_ledger_view {
    OG_LEDGER_LIST = 0, /* the newest record of every order */
    OG_LEDGER_OPEN,     /* the newest record of every order whose state is unknown */
    OG_LEDGER_SHOW,     /* every record of one order, in time order */
    OG_LEDGER_EXPORT    /* every record */
};

/* Print records, one on each line. account NULL: of all accounts. id is used by OG_LEDGER_SHOW: a clientOrderId, or the
 * broker's id of the order. LIST and OPEN show an intent whose run has ended as "unknown", because its outcome is not
 * on record; SHOW and EXPORT show each record as it was written, with its hash and detail (decision, body, broker's
 * rows).
 *   OG_ENOENT  SHOW: there is no record with that id
 *   OG_EINVAL  unknown view, or SHOW without an id */
OG_API OG_MUST_USE enum og_status og_ledger_print(struct og_ledger *ledger, enum og_ledger_view view,
                                                  const char *account, const char *id, og_ledger_listener *line,
                                                  void *with, struct og_error *err);

/* Whether a list has the records of halts, too: that trading was halted or went on, and that a latch tripped or was
 * resumed (docs/contract.md "ordergate ledger"). */
enum og_ledger_halts {
    OG_LEDGER_NO_HALTS = 0,
    OG_LEDGER_HALTS_TOO, /* beside the orders, unless a condition is set that only orders meet: all except account,
                          * since and until */
    OG_LEDGER_HALTS_ONLY /* and no orders */
};

/* The orders that a list has: those that meet all conditions that are set. A member that is NULL or 0 sets no
 * condition. */
struct og_ledger_filter {
    const char *account;
    /* the order has a record at or after `since` and before `until`; both in ns, widened to whole seconds */
    int64_t since, until;
    const char *const *states; /* the order's state is one of these words, as the list shows it ("unknown") */
    size_t state_count;
    const char *symbol; /* the order is for this symbol, or has a leg in it; case does not matter */
    const char *tag;
    const char *rule; /* a decision about the order has a finding of this rule, or with this reason */
    bool open;        /* the order is not over: intended, posted, working or unknown */
    enum og_ledger_halts halts;
    /* only so many orders, and the newest first: those whose newest records are the newest, among the newest 10,000
     * records of the ledger. It goes with account alone. 0: no bound, and the oldest first */
    int newest;
};
/* How records are written. */
enum og_ledger_format {
    OG_LEDGER_JSON = 0, /* a line for each record, as og_ledger_print() writes it */
    OG_LEDGER_TABLE,    /* for a terminal; the listener gets several lines at a time, without the last newline */
    OG_LEDGER_HTML,     /* a self-contained HTML page, for og_ledger_report() */
    /* For og_ledger_list(): a line for each order that has every column, and no values within values. As CSV, after a
     * line with the names of the columns, and with no text that a spreadsheet takes for a formula; and as JSON. */
    OG_LEDGER_CSV,
    OG_LEDGER_FLAT
};
struct og_ledger_look {
    enum og_ledger_format format;
    int columns; /* width of the terminal in characters; less than 40 counts as 40 */
    bool colour;
};
/* Print the newest record of every order that passes the filter, oldest first, each on a line as for OG_LEDGER_LIST.
 * filter NULL: every order. look NULL: as JSON. As JSON, the record of a halt has its detail, too. Open orders are
 * found at once in a ledger of any size, and those of a time by an index.
 *   OG_EINVAL  a word that is not a state; a value that is not one of og_ledger_halts; newest is negative, or another
 *              condition than account is set beside it */
OG_API OG_MUST_USE enum og_status og_ledger_list(struct og_ledger *ledger, const struct og_ledger_filter *filter,
                                                 const struct og_ledger_look *look, og_ledger_listener *line,
                                                 void *with, struct og_error *err);
/* Describe in words what became of one order: its body, its decision with what is on record of the facts at that time,
 * and each later record. account, id: as for OG_LEDGER_SHOW; an id of several accounts is described for each. look
 * NULL: 80 columns, no colour; its format is not used. Texts that others wrote cannot move the cursor.
 *   OG_ENOENT  there is no record with that id */
OG_API OG_MUST_USE enum og_status og_ledger_story(struct og_ledger *ledger, const char *account, const char *id,
                                                  const struct og_ledger_look *look, og_ledger_listener *line,
                                                  void *with, struct og_error *err);

/* Print the totals of the records of one day, as one JSON object, as text, or as an HTML page (docs/contract.md
 * "ordergate report"). day: "2026-01-15", "today" or "yesterday", a day of the exchange (og_time_read_day()). account
 * NULL: of all accounts. look NULL: as JSON.
 *   OG_EINVAL  day is not a day, or the format is not one of these */
OG_API OG_MUST_USE enum og_status og_ledger_report(struct og_ledger *ledger, const char *day, const char *account,
                                                   const struct og_ledger_look *look, og_ledger_listener *line,
                                                   void *with, struct og_error *err);

/* Which records an archive gets. */
struct og_ledger_archive {
    const char *before; /* a day of the exchange ("2026-01-15") that began at least 26 hours ago; older records are
                         * archived */
    const char *to;     /* path of the new file; NULL: beside the ledger, such as "ledger-before-2026-01-15.db" */
    const char *by;     /* who archives; may be NULL */
};
/* Move the records from before that day into a file, and print one line about that:
 * {"from","to","before","file","ledger", "copied","removed","head","gaps","archived","by"}. The file has every record
 * after the last archive, up to the last one that is dated before that day. The ledger keeps what sending needs: every
 * used id; the intent, newest record and fills of each order; and all records of orders that are open or have newer
 * records. Both pass og_ledger_verify() afterwards.
 *   OG_EINVAL  not a day, or a day that is too late
 *   OG_ENOENT  no ledger, or nothing is left to archive
 *   OG_EBUSY   a sender has the ledger open, or the file is there already
 *   OG_ELEDGER the ledger has faults, or a file cannot be written; nothing was removed */
OG_API OG_MUST_USE enum og_status og_ledger_archive(const char *path, const struct og_ledger_archive *archive,
                                                    og_ledger_listener *line, void *with, struct og_error *err);

/* Check the chain of hashes, the used ids and the runs.  Prints one line for every fault, {"seq","fault","message"}
 * (seq is null if the fault is in the file as a whole), then {"rows","seq","head","faults"}.  expected is a head that
 * an earlier check printed ("sha256:" may be left out), and that the chain must contain; NULL: not checked.
 *   OG_OK       checked; *faults is the number of faults
 *   OG_ELEDGER  the ledger has no hashes (schema 1), or cannot be read */
OG_API OG_MUST_USE enum og_status og_ledger_verify(struct og_ledger *ledger, const char *expected,
                                                   og_ledger_listener *line, void *with, long long *faults,
                                                   struct og_error *err);

/* Print counts: one line for each run of send, then one for all. Times are by the clock of send: the machine's, or the
 * broker's if the broker file says "clock: broker". Records that people append (resolve, waive, revoke, resume) belong
 * to no run: the last line has their number in "byHand", and counts resolved orders among the outcomes. */
OG_API OG_MUST_USE enum og_status og_ledger_stats(struct og_ledger *ledger, og_ledger_listener *line, void *with,
                                                  struct og_error *err);

/* Print the positions and realized P&L of each strategy (tag), computed from the fills on record: one line for each
 * account, tag and symbol, in the sequence of their first fills (docs/contract.md "ordergate ledger"). account NULL
 * means all accounts. */
OG_API OG_MUST_USE enum og_status og_ledger_positions(struct og_ledger *ledger, const char *account,
                                                      og_ledger_listener *line, void *with, struct og_error *err);

/* Print the recent refusals: among the newest 10,000 records, one line for each rule and reason that refused an order,
 * the newest first, at most 50: {"rule","reason","at","accountId","clientOrderId","message","count"}. All members but
 * count are those of the newest such order. account NULL: of all accounts. */
OG_API OG_MUST_USE enum og_status og_ledger_refusals(struct og_ledger *ledger, const char *account,
                                                     og_ledger_listener *line, void *with, struct og_error *err);

/* Print one line: a facts document of one account (docs/contract.md "Facts") with the used ids and the orders that are
 * in flight or unknown. account NULL means the ledger's only account.
 *   OG_EINVAL  the ledger has several accounts and none is named; err lists them
 *   OG_ENOENT  the ledger has no record of that account, or of any account */
OG_API OG_MUST_USE enum og_status og_ledger_facts(struct og_ledger *ledger, const char *account,
                                                  og_ledger_listener *line, void *with, struct og_error *err);

/* What a person found out about an order whose state is unknown. */
struct og_ledger_settlement {
    const char *account; /* NULL means the only account that has the id */
    const char *id;      /* the order's clientOrderId */
    const char *outcome; /* the outcome: not-sent, rejected, filled, canceled, expired, done or working */
    const char *reason;  /* how the person knows; not empty */
    const char *by;      /* who the person is */
    /* filled quantity. NULL: for the outcome filled, the whole order; for other outcomes, the quantity in the newest
     * record */
    const char *executed;
    const char *price; /* average fill price in dollars; NULL means the one in the newest record */
};

/* Append a record "resolve" with the outcome, and print it as a line.
 *   OG_EINVAL  unknown outcome, malformed number, more than was ordered, no reason, or the id exists in several
 *              accounts
 *   OG_ENOENT  no ledger, or no such order in it
 *   OG_EBUSY   the order's state is known: err names it
 *   OG_ELEDGER nothing was recorded */
OG_API OG_MUST_USE enum og_status og_ledger_resolve(const char *path, const struct og_ledger_settlement *settlement,
                                                    og_ledger_listener *line, void *with, struct og_error *err);

/* A waiver, which lets one order pass one named rule (ordergate/book.h).  A running ordergate send on the same file
 * applies it from its next decision on. */
struct og_ledger_waiver {
    /* NULL means the account of the order's recorded decisions, or the ledger's only account if the order has no
     * decision */
    const char *account;
    const char *id;     /* the order's clientOrderId */
    const char *rule;   /* for og_ledger_revoke(), NULL means all waivers of the order */
    bool refused_by;    /* fail unless a recorded decision about the order names the rule; set it for a rule that is not
                         * built in */
    const char *by;     /* who waives, 1 to 64 bytes */
    const char *reason; /* why, 1 to 200 bytes; for og_ledger_revoke() it may be NULL */
    int64_t for_ns;     /* how long the waiver is valid: 1 s to 24 h, by the machine's clock */
    /* digest of the order's terms (og_order_digest()); NULL means that of the newest body with that id that was
     * refused */
    const char *digest;
};

/* Append a record "waive", and print the waiver as og_ledger_waivers() does.
 *   OG_EINVAL  a text is missing or too long, the time is out of bounds, the account is ambiguous, no decision names
 *              the rule, or there is no digest and no refused order of that id is recorded
 *   OG_ENOENT  no ledger
 *   OG_EBUSY   the order was posted before: err names its state
 *   OG_ELEDGER nothing was recorded */
OG_API OG_MUST_USE enum og_status og_ledger_waive(const char *path, const struct og_ledger_waiver *waiver,
                                                  og_ledger_listener *line, void *with, struct og_error *err);
/* Append a record "revoke" for each waiver in force that matches, and print a line for each. Returns the statuses of
 * og_ledger_waive(), except that OG_EBUSY means that no matching waiver is in force. */
OG_API OG_MUST_USE enum og_status og_ledger_revoke(const char *path, const struct og_ledger_waiver *waiver,
                                                   og_ledger_listener *line, void *with, struct og_error *err);
/* Print the newest waiver of each order and rule, one on each line:
 * {"seq","at","accountId","clientOrderId","rule","by","reason","until","digest","order","state"}. order is the body
 * with that digest, or null if the ledger does not have it; state is live (in force), used (an order with that id was
 * accepted since), revoked or expired. A live waiver may have a "warning": nothing was ever sent for its account, or
 * its rule refused the order nevertheless, for example because the rule is locked. all: also print waivers that are no
 * longer live. account NULL: of all accounts. */
OG_API OG_MUST_USE enum og_status og_ledger_waivers(struct og_ledger *ledger, const char *account, bool all,
                                                    og_ledger_listener *line, void *with, struct og_error *err);

/* A person's resume of a latch (struct og_latch in ordergate/book.h): the person has examined the cause, and orders may
 * be sent again. */
struct og_ledger_resumption {
    const char *account; /* NULL means the only account whose latch of that name is tripped */
    const char *latch;   /* one of the names of og_latch_name() */
    const char *by;      /* who resumes, 1 to 64 bytes */
    const char *reason;  /* why, 1 to 200 bytes */
};
/* Append a record "resume", and print the account's latches as og_ledger_latches() does with `all`.  Every running
 * ordergate send on the same file resumes before its next decision.
 *   OG_EINVAL  an unknown latch, a text is missing or too long, or the latch is tripped for several accounts and none
 *              is named
 *   OG_ENOENT  no ledger
 *   OG_EBUSY   the latch is not tripped
 *   OG_ELEDGER nothing was recorded */
OG_API OG_MUST_USE enum og_status og_ledger_resume(const char *path, const struct og_ledger_resumption *resumption,
                                                   og_ledger_listener *line, void *with, struct og_error *err);
/* Print the latches that are tripped, one on each line: {"seq","at","accountId","latch","value","limit","until","day",
 * "since","state"}. until is "resumed", or "day" for a latch that is over on the session day after `day`; such a latch
 * is printed even when it is over. all: also print latches that were resumed, with state "resumed", "resumedAt", "by"
 * and "reason". account NULL: of all accounts. */
OG_API OG_MUST_USE enum og_status og_ledger_latches(struct og_ledger *ledger, const char *account, bool all,
                                                    og_ledger_listener *line, void *with, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
