/*
 * The durable record of decisions, intents, POSTs, the broker's answers and outcomes. Rows are appended, and never
 * updated or deleted; a clientOrderId is used only once; the file must not be where other users may write. A handle is
 * for one thread; several processes may share the file (WAL, BEGIN IMMEDIATE).
 */
#pragma once

#include "base/crypto.h"
#include "base/latches.h"
#include "base/str.h"
#include "ordergate/book.h"
#include "ordergate/ledger.h"
#include "ordergate/money.h"
#include "outcome/state.h"

/* One record, to be written or as read. A text whose s is NULL stands for null. The texts of a record that was read are
 * valid during the callback. */
struct og_ledger_row {
    int64_t seq, at; /* seq is assigned by the ledger; at: the time in ns */
    struct og_str run, account, id;
    struct og_str tag;  /* the strategy for which the order counts */
    const char *record; /* "decision", "intent", "post", "cancel", "update", "outcome", "anomaly", "resolve", "waive",
                         * "revoke", "replace", "withdraw", "policy", OG_LEDGER_PEAK, OG_LEDGER_LATCH, OG_LEDGER_RESUME,
                         * OG_LEDGER_TRADING, OG_LEDGER_ACCEPTANCE, OG_LEDGER_ARCHIVE, OG_LEDGER_ARCHIVED */
    enum og_state state;
    struct og_str outcome;
    struct og_str broker_id;
    struct og_money executed, price_avg;
    struct og_str code, text;
    /* JSON whose content depends on the kind of record: the decision, the body of the intent, how the POST ended, the
     * broker's row, who resolved the order, and so on */
    struct og_str detail;
};

/* The state of an id for which the ledger has an intent. */
struct og_ledger_known {
    bool found;
    char digest[72]; /* digest of the body */
    bool same_run;   /* the intent belongs to this run */
    bool alive;      /* the intent belongs to another run, which is still alive */
    int posts;       /* number of the id's intents on record */
    bool withdrawn;  /* a cancel of the order is on record (record "withdraw"): the order will not be sent */
    bool by_answer;  /* the newest POST was answered 400, and no row had shown the order before */
    enum og_state state;
};

typedef void og_ledger_seen(void *with, const struct og_ledger_row *row);

/* The newest record and its hash, which depends on all records before it. */
struct og_ledger_head {
    int64_t seq;                /* 0 if the ledger is empty */
    struct og_digest_text hash; /* "" if the ledger is empty */
};

/* Open or create a ledger (folders 0700, file 0600), upgrade an older schema, and register this run. path NULL means
 * the default (ordergate/ledger.h). After og_ledger_peek(), which opens for reading, only functions that write nothing
 * may be called.
 * OG_ELEDGER  not a ledger, of a newer schema, writable by others (or its folder is), on a network filesystem, damaged,
 *             or not to be opened: err says which and what to do; *ledger is NULL
 * OG_ENOMEM   *ledger is NULL */
enum og_status og_ledger_open(const char *path, struct og_str run, struct og_ledger **ledger, struct og_error *err);

/* Returns the path of the ledger's file. */
const char *og_ledger_path(const struct og_ledger *ledger);

/* Note, for whoever watches the runs (ordergate/runs.h), that this run may send orders from now on; and that it has
 * ended by itself. A run of which neither is noted is nobody's concern, nor is what people append. */
void og_ledger_run_opens(struct og_ledger *ledger);
void og_ledger_run_ends(struct og_ledger *ledger, int exit_code);

/* Check that an opened ledger's files are still found by their names, so that other processes find the same ledger.
 * Call this before an order is recorded, and before it is posted.
 * OG_ELEDGER  a file was renamed, replaced or deleted: err says which */
enum og_status og_ledger_stays(const struct og_ledger *ledger, struct og_error *err);

/* A transaction sees the records that other processes committed, and keeps those processes from writing until it ends.
 * Within a transaction, begin does nothing; outside, commit does nothing. What is committed is on the disk. After a
 * failed write the transaction cannot be committed.
 * OG_ELEDGER  err has SQLite's number and text */
enum og_status og_ledger_begin(struct og_ledger *ledger, struct og_error *err);
enum og_status og_ledger_commit(struct og_ledger *ledger, struct og_error *err);
void og_ledger_rollback(struct og_ledger *ledger);

/* Set how long og_ledger_begin() waits while another process holds the ledger; the default is OG_LEDGER_BUSY_MS. After
 * a wait that failed, further waits last only OG_LEDGER_BUSY_AGAIN_MS, until one succeeds. */
void og_ledger_wait(struct og_ledger *ledger, int ms);
/* Return true if the error's cause is that another process holds the ledger, or that the disk is full. Both causes may
 * pass, and the ledger is as it was before the transaction. */
bool og_ledger_is_held(const struct og_error *err);
bool og_ledger_is_full(const struct og_error *err);
/* Returns true if a ledger could not be opened because the file system does not let it be written: it is full, over its
 * quota, read-only or failing, or the permissions or the number of open files do not allow it. */
bool og_ledger_is_unwritable(const struct og_error *err);

/* Append a record, chained to the previous record. Call this inside a transaction. */
enum og_status og_ledger_append(struct og_ledger *ledger, const struct og_ledger_row *row, struct og_error *err);
/* Record the intent `row`, and mark its id as used for this body. again: the user wants an order whose state is
 * not-sent to be posted again.
 *   OG_EBUSY  the id is used already, and (a) again is false, (b) it was used for another body, (c) the order's state
 *             is not "not-sent", or (d) the order was withdrawn */
enum og_status og_ledger_intend(struct og_ledger *ledger, const struct og_ledger_row *row, const char *digest,
                                bool again, struct og_error *err);

enum og_status og_ledger_find(struct og_ledger *ledger, struct og_str account, struct og_str id,
                              struct og_ledger_known *known, og_ledger_seen *newest, void *with, struct og_error *err);
/* Report the newest record with the state of an order, even if this ledger has no intent of the order. */
enum og_status og_ledger_heard(struct og_ledger *ledger, struct og_str account, struct og_str id,
                               og_ledger_seen *newest, void *with, struct og_error *err);
/* Record, inside a transaction, that one order is to replace another (state intended), or will not do so after all
 * (state not-sent). The row's record is "replace"; its account and id name the new order, and row->text is the id of
 * the old one. */
enum og_status og_ledger_replace(struct og_ledger *ledger, const struct og_ledger_row *row, struct og_error *err);
/* Set *refused to true if the ledger has refusals of that id and no other records of it: then no order with the id was
 * sent. */
enum og_status og_ledger_refused(struct og_ledger *ledger, struct og_str account, struct og_str id, bool *refused,
                                 struct og_error *err);
/* Find the order, other than id, that replaced `old` or is about to replace it; *by is empty if there is none. An order
 * does not count if it certainly had no effect, or if its run ended before posting it. */
enum og_status og_ledger_replaced_by(struct og_ledger *ledger, struct og_str account, struct og_str old,
                                     struct og_str id, struct og_buf *by, struct og_error *err);
/* Append to *old the id of the order that the order `id` replaced, or was to replace; append nothing if there is
 * none. */
enum og_status og_ledger_replaces(struct og_ledger *ledger, struct og_str account, struct og_str id, struct og_buf *old,
                                  struct og_error *err);
/* Append the body of the order's newest intent, as it was posted, to *body; append nothing if there is no readable
 * one. */
enum og_status og_ledger_body(struct og_ledger *ledger, struct og_str account, struct og_str id, struct og_buf *body,
                              struct og_error *err);
/* What the line of an order's newest intent had besides the body. */
struct og_ledger_terms {
    struct og_buf replaces; /* the id of the order that is to be replaced; empty if none is */
    struct og_buf tag; /* the tag for which the order counts, whether the line or something else set it; empty if there
                        * is none */
    char digest[72];   /* og_order_digest() of the line; "" if an earlier version recorded none */
    bool decided;      /* the intent follows a decision; false if the line was canceled while it waited */
};
/* Read the terms. The caller owns the texts of *terms, which are appended to. */
enum og_status og_ledger_terms_of(struct og_ledger *ledger, struct og_str account, struct og_str id,
                                  struct og_ledger_terms *terms, struct og_error *err);
/* Append the tag of the order's newest intent to *tag; append nothing if it has none. */
enum og_status og_ledger_tag_of(struct og_ledger *ledger, struct og_str account, struct og_str id, struct og_buf *tag,
                                struct og_error *err);
/* Report every order whose state is not final and whose last intent belongs to a run that is over. The order is
 * reported by its newest record, even if another run wrote that record. */
enum og_status og_ledger_unsettled(struct og_ledger *ledger, og_ledger_seen *seen, void *with, struct og_error *err);
/* Like og_ledger_unsettled(), but reports every order whose state is unknown and whose last intent belongs to another
 * run that is still alive. */
enum og_status og_ledger_unknown_of_running(struct og_ledger *ledger, og_ledger_seen *seen, void *with,
                                            struct og_error *err);
/* Report the records that other runs appended after number seq (0 means all), the oldest first. *newest: the highest
 * number in the ledger, for the next call. */
enum og_status og_ledger_since(struct og_ledger *ledger, int64_t seq, int64_t *newest, og_ledger_seen *seen, void *with,
                               struct og_error *err);
/* Append to `account` the account whose order used the id; append nothing if there is none, or if orders of several
 * accounts used it. */
enum og_status og_ledger_account_of(struct og_ledger *ledger, struct og_str id, struct og_buf *account,
                                    struct og_error *err);
/* Report every used id of an account; of all accounts if account is NULL. The texts are valid during the callback,
 * which may read the ledger. */
typedef void og_ledger_id(void *with, struct og_str account, struct og_str id);
enum og_status og_ledger_used_ids(struct og_ledger *ledger, const char *account, og_ledger_id *seen, void *with,
                                  struct og_error *err);
/* The text of the record of an order that was canceled before any byte of its POST left. */
#define OG_CANCELED_BEFORE "canceled before it was posted"
/* An intent of another run, with the order's present state and filled quantity. */
struct og_ledger_sent_row {
    struct og_ledger_row intent;
    bool alive;   /* the run that wrote the intent is still alive */
    int64_t left; /* time, in ns, at which the end of the POST was recorded; OG_TIME_UNKNOWN if no end is on record */
    int64_t newest, at; /* number and time of the record with that state; the time is in ns, or OG_TIME_UNKNOWN */
    bool never_left;    /* the order was canceled before any byte of its POST left */
};
typedef void og_ledger_sent(void *with, const struct og_ledger_sent_row *row);
/* Report the intents of other runs for an account since the time `since`, the oldest first. The first record is found
 * by the sequence of the records, not by their dates, since clocks of runs differ: some reported records may be older
 * than `since`, and some may be dated ahead of the caller's clock. */
enum og_status og_ledger_sent_since(struct og_ledger *ledger, struct og_str account, int64_t since,
                                    og_ledger_sent *seen, void *with, struct og_error *err);
/* A waiver on record; its texts are valid during the callback. */
struct og_ledger_waiver_row {
    struct og_str rule, by, reason;
    int64_t until; /* by the machine's clock, in ns */
    /* digest of the body to which the waiver applies; {NULL, 0} if the record has none, because an older ordergate
     * wrote it. The waiver then has no effect */
    struct og_str digest;
};
typedef void og_ledger_waived(void *with, const struct og_ledger_waiver_row *waiver);
/* Report the waivers in force for an order at the time `now`: those that are not revoked, not expired, and not used by
 * an intent. intended: waivers that this run's own intent used are in force too, since the order has not left. */
enum og_status og_ledger_waivers_of(struct og_ledger *ledger, struct og_str account, struct og_str id, int64_t now,
                                    bool intended, og_ledger_waived *seen, void *with, struct og_error *err);
/* Kind of the records with an account's highest P&L of a session day. The record's text is the day. */
#define OG_LEDGER_PEAK "pnl-peak"
/* og_ledger_append_peak(): append such a record, inside a transaction. og_ledger_read_peak(): read such a record;
 * returns false if the record is of another kind, or damaged. og_ledger_peak(): get the highest P&L on record for a day
 * (yyyymmdd); *peak is 0 if there is none. */
enum og_status og_ledger_append_peak(struct og_ledger *ledger, struct og_str account, int64_t at,
                                     const struct og_pnl_peak *peak, struct og_error *err);
bool og_ledger_read_peak(const struct og_ledger_row *row, struct og_pnl_peak *peak);
enum og_status og_ledger_peak(struct og_ledger *ledger, struct og_str account, int day, struct og_money *peak,
                              struct og_error *err);
/* Kinds of the records that a latch of an account tripped, and that a person resumed it (ordergate/book.h). */
#define OG_LEDGER_LATCH  "latch"
#define OG_LEDGER_RESUME "resume"
/* Make *row a record of the latch, without time and account. Its texts are in the two buffers, which the caller clears.
 * Returns false if memory ran out. */
bool og_ledger_latch_row(struct og_ledger_row *row, struct og_buf *text, struct og_buf *detail,
                         const struct og_latch *latch);
/* Read what a record says about a latch. *latch is set if the result is TRIPPED; *kind if it is TRIPPED or RESUMED. */
enum og_ledger_of_latch { OG_LEDGER_NO_LATCH = 0, OG_LEDGER_TRIPPED, OG_LEDGER_RESUMED };
enum og_ledger_of_latch og_ledger_read_latch(const struct og_ledger_row *row, enum og_latch_kind *kind,
                                             struct og_latch *latch);
/* The latches of an account that are on record and not resumed, including those of a day that has passed. */
struct og_ledger_latched {
    struct og_latch latch[OG_LATCHES]; /* .name is NULL if the latch has not tripped */
    int64_t resumed[OG_LATCHES]; /* number of the record of each latch's newest resume; 0 if it was never resumed */
};
enum og_status og_ledger_latches_of(struct og_ledger *ledger, struct og_str account, struct og_ledger_latched *to,
                                    struct og_error *err);
/* Append the members that describe a latch: latch, value, limit, until, day, since. */
void og_ledger_write_latch(struct og_buf *to, const struct og_latch *latch);
/* Kind of the records that a run obeyed a halt, or its end (trading.c). */
#define OG_LEDGER_TRADING "trading"
struct og_ledger_trading {
    const char *trading, *was;              /* what may be sent now, and before: og_trading_name() */
    const char *since, *by, *reason, *flag; /* what the flag says, and its path; NULL or "" if that is not known */
    const char *text;                       /* the same in words */
};
/* Make *row such a record, without time. Its texts are those of *t and of the buffer, which the caller clears. Returns
 * false if memory ran out. */
bool og_ledger_trading_row(struct og_ledger_row *row, struct og_buf *detail, const struct og_ledger_trading *t);
/* Read what the newest such record says: the state of trading, and the path of the flag; "" if there is no record, or
 * the record does not say it. */
enum og_status og_ledger_trading_of(struct og_ledger *ledger, char *trading, size_t trading_size, char *flag,
                                    size_t flag_size, struct og_error *err);
/* Kinds of the record that old records were moved into a file, and of the record that ends such a file. */
#define OG_LEDGER_ARCHIVE  "archive"
#define OG_LEDGER_ARCHIVED "archived"
/* The faults that og_ledger_verify() finds. A person may accept them by a record OG_LEDGER_ACCEPTANCE, whose code is
 * their digest. */
#define OG_LEDGER_ACCEPTANCE "accept-damage"
struct og_ledger_damage {
    long long faults;
    char first[128];              /* message of the first fault; "" if there is none */
    struct og_digest_text digest; /* digest of all faults; "" if there are none */
    bool accepted;                /* the newest acceptance whose own hash is correct names exactly these faults */
};
/* Verify every record, which takes about a second for 100,000 records. A ledger of schema 1, which is opened only for
 * reading, has no hashes and so no faults. Returns OG_OK, OG_ELEDGER or OG_ENOMEM. */
enum og_status og_ledger_damage(struct og_ledger *ledger, struct og_ledger_damage *damage, struct og_error *err);
/* Read the head that was committed last. */
enum og_status og_ledger_head(struct og_ledger *ledger, struct og_ledger_head *head, struct og_error *err);
