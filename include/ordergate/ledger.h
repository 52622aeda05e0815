/*
 * Read the ledger: the record of every decision, intent, POST, update and outcome (docs/contract.md "ordergate
 * ledger").  Records are never changed; what a person resolves or waives is appended as a new record.
 * Threads: a ledger belongs to one thread; other processes may send on the same file meanwhile.
 * fork(): a child may not use or free a ledger of its parent, since SQLite forbids it; it opens the file anew.
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

/* Print records, one line each.  account NULL: of all accounts.  id is used by OG_LEDGER_SHOW: a clientOrderId, or the
 * broker's id of the order.  LIST and OPEN show an intent whose run has ended as "unknown", because its outcome is not
 * on record; SHOW and EXPORT show each record as it was written, with its hash and detail (decision, body, broker's
 * rows).
 *   OG_ENOENT  SHOW: there is no record with that id
 *   OG_EINVAL  unknown view, or SHOW without an id */
OG_API OG_MUST_USE enum og_status og_ledger_print(struct og_ledger *ledger, enum og_ledger_view view,
                                                  const char *account, const char *id, og_ledger_listener *line,
                                                  void *with, struct og_error *err);

/* Which orders a list has.  A member that is NULL or 0 lets every order through; an order must pass all others. */
struct og_ledger_filter {
    const char *account;
    /* at least one record of the order is of this time or later, and of before that; in ns, widened to whole seconds */
    int64_t since, until;
    const char *const *states; /* its state is one of these words, as the list shows it ("unknown") */
    size_t state_count;
    const char *symbol; /* it is for this symbol, or has a leg of it; in any case of letters */
    const char *tag;
    const char *rule; /* a decision about it has a finding of this rule, or with this reason */
    bool open;        /* it is not over: intended, posted, working or unknown */
};
/* How records are written. */
enum og_ledger_format {
    OG_LEDGER_JSON = 0, /* a line each, as og_ledger_print() does */
    OG_LEDGER_TABLE,    /* for a terminal; the listener gets parts of several lines, each without its last end */
    OG_LEDGER_HTML,     /* a page that needs nothing else, for og_ledger_report() */
    /* For og_ledger_list(): a line an order that has every column and no value within a value; as CSV after a line of
     * their names, in which no text is taken for a formula, and as JSON. */
    OG_LEDGER_CSV,
    OG_LEDGER_FLAT
};
struct og_ledger_look {
    enum og_ledger_format format;
    int columns; /* of the terminal, at least 40; less counts as 40 */
    bool colour;
};
/* Print the newest record of every order that passes, oldest first, a line each as of OG_LEDGER_LIST.  filter NULL: of
 * every order.  look NULL: as JSON.  Orders that are open are found at once in a ledger of any size, those of a time by
 * an index.
 *   OG_EINVAL  a word that is not a state */
OG_API OG_MUST_USE enum og_status og_ledger_list(struct og_ledger *ledger, const struct og_ledger_filter *filter,
                                                 const struct og_ledger_look *look, og_ledger_listener *line,
                                                 void *with, struct og_error *err);
/* Tell in words what became of one order: its body, its decision and what is on record of what was known then, and each
 * record since.  account, id: as of OG_LEDGER_SHOW; an id of several accounts is told for each.  look NULL: 80 columns,
 * no colour; its format is not used.  Texts of others cannot move the cursor.
 *   OG_ENOENT  there is no record with that id */
OG_API OG_MUST_USE enum og_status og_ledger_story(struct og_ledger *ledger, const char *account, const char *id,
                                                  const struct og_ledger_look *look, og_ledger_listener *line,
                                                  void *with, struct og_error *err);

/* Print what the records of one day add up to, as one JSON object, in words, or as a page (docs/contract.md "ordergate
 * report").  day: "2026-01-15", "today" or "yesterday", a day of the exchange (og_time_read_day()).  account NULL: of
 * all accounts.  look NULL: as JSON.
 *   OG_EINVAL  day is not a day, or the format is not one of these */
OG_API OG_MUST_USE enum og_status og_ledger_report(struct og_ledger *ledger, const char *day, const char *account,
                                                   const struct og_ledger_look *look, og_ledger_listener *line,
                                                   void *with, struct og_error *err);

/* What is moved into an archive. */
struct og_ledger_archive {
    const char *before; /* a day of the exchange ("2026-01-15") that began 26 hours ago or more */
    const char *to;     /* the new file; NULL: beside the ledger, "ledger-before-2026-01-15.db" */
    const char *by;     /* who archives; may be NULL */
};
/* Move the records of before that day into a file, and print one line about it: {"from","to","before","file","ledger",
 * "copied","removed","head","gaps","archived","by"}.  The file has every record after the last archive, up to the last
 * one of before that day; the ledger keeps what sending needs: every used id, the intent, newest record and fills of
 * each order, and everything of orders that are open or have newer records.  Both pass og_ledger_verify() afterwards.
 *   OG_EINVAL  not a day, or too late a one
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

/* Print counts: one line for each run of send, then one for all.  Times are by the clock of send: the machine's, or the
 * broker's if the broker file says "clock: broker".  Records that people append (resolve, waive, revoke, resume)
 * belong to no run: the last line has their number in "byHand", and counts resolved orders among the outcomes. */
OG_API OG_MUST_USE enum og_status og_ledger_stats(struct og_ledger *ledger, og_ledger_listener *line, void *with,
                                                  struct og_error *err);

/* Print what each strategy (tag) holds and has realized, by the fills on record: one line for each account, tag and
 * symbol, in the sequence of their first fills (docs/contract.md "ordergate ledger").  account NULL means of all
 * accounts. */
OG_API OG_MUST_USE enum og_status og_ledger_positions(struct og_ledger *ledger, const char *account,
                                                      og_ledger_listener *line, void *with, struct og_error *err);

/* Print what was refused lately: of the newest 10,000 records, one line for each rule and reason that refused an order,
 * the newest first, at most 50: {"rule","reason","at","accountId","clientOrderId","message","count"}; all but count are
 * of the newest such order.  account NULL: of all accounts. */
OG_API OG_MUST_USE enum og_status og_ledger_refusals(struct og_ledger *ledger, const char *account,
                                                     og_ledger_listener *line, void *with, struct og_error *err);

/* Print one line: a facts document of one account (docs/contract.md "Facts") with the used ids and the orders that are
 * in flight or unknown.  account NULL means the ledger's only account.
 *   OG_EINVAL  the ledger has several accounts and none is named; err lists them
 *   OG_ENOENT  the ledger has no record of that account, or of any */
OG_API OG_MUST_USE enum og_status og_ledger_facts(struct og_ledger *ledger, const char *account,
                                                  og_ledger_listener *line, void *with, struct og_error *err);

/* What a person found out about an order whose state is unknown. */
struct og_ledger_settlement {
    const char *account; /* NULL means the only account that has the id */
    const char *id;      /* its clientOrderId */
    const char *outcome; /* the outcome: not-sent, rejected, filled, canceled, expired, done or working */
    const char *reason;  /* how the person knows; not empty */
    const char *by;      /* who the person is */
    /* filled quantity. If it is NULL, a filled order has filled as a whole; for other outcomes the newest record's
     * quantity counts */
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
    const char *id;     /* its clientOrderId */
    const char *rule;   /* for og_ledger_revoke(), NULL means all waivers of the order */
    bool refused_by;    /* fail unless a recorded decision about the order names the rule; to be set for a rule that is
                         * not built in */
    const char *by;     /* who waives, 1 to 64 bytes */
    const char *reason; /* why, 1 to 200 bytes; for og_ledger_revoke() it may be NULL */
    int64_t for_ns;     /* how long it is valid: 1 s to 24 h, by the machine's clock */
    /* digest of the order's terms (og_order_digest()); NULL means the digest of the newest body with that id that a
     * recorded decision refused */
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
/* Append a record "revoke" for each live waiver that matches, and print a line for each.  Statuses as of
 * og_ledger_waive(), but OG_EBUSY means that no matching waiver is live. */
OG_API OG_MUST_USE enum og_status og_ledger_revoke(const char *path, const struct og_ledger_waiver *waiver,
                                                   og_ledger_listener *line, void *with, struct og_error *err);
/* Print the newest waiver of each order and rule, a line each:
 * {"seq","at","accountId","clientOrderId","rule","by","reason","until","digest","order","state"}.  order is the body
 * with that digest, or null if the ledger does not have it; state is live, used (an order of that id was accepted
 * since), revoked or expired.  A live waiver may have a "warning": nothing was ever sent for its account, or its rule
 * refused the order in spite of it, for example because the rule is locked.  all: print also waivers that are no longer
 * live.  account NULL: of all accounts. */
OG_API OG_MUST_USE enum og_status og_ledger_waivers(struct og_ledger *ledger, const char *account, bool all,
                                                    og_ledger_listener *line, void *with, struct og_error *err);

/* A person's resume of a latch (struct og_latch in ordergate/book.h): somebody looked, and orders may be sent again. */
struct og_ledger_resumption {
    const char *account; /* NULL means the only account whose latch of that name is tripped */
    const char *latch;   /* one of og_latch_name() */
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
/* Print the latches that are tripped, a line each: {"seq","at","accountId","latch","value","limit","until","day",
 * "since","state"}.  until is "resumed", or "day" for one that is over on the session day after `day`; it is printed
 * even then.  all: print also those that were resumed, with state "resumed", "resumedAt", "by" and "reason".  account
 * NULL: of all accounts. */
OG_API OG_MUST_USE enum og_status og_ledger_latches(struct og_ledger *ledger, const char *account, bool all,
                                                    og_ledger_listener *line, void *with, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
