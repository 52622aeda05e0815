/*
 * The durable record of what was decided, intended, posted, heard and concluded.  Rows are appended, and never
 * updated or deleted; a clientOrderId is used once; the file must not be in a place where others may write.  For one
 * thread; several processes may share the file (WAL, BEGIN IMMEDIATE).
 */
#pragma once

#include "base/crypto.h"
#include "base/str.h"
#include "ordergate/ledger.h"
#include "ordergate/money.h"
#include "outcome/state.h"

/* One row, written or read.  Texts with s NULL are null.  When read they live during the callback. */
struct og_ledger_row {
    int64_t seq, at; /* seq is given by the ledger; at in ns */
    struct og_str run, account, id;
    const char *record; /* "decision", "intent", "post", "cancel", "update", "outcome", "anomaly", "resolve", "waive",
                         * "revoke", "replace",
                         * "policy", OG_LEDGER_ACCEPTANCE */
    enum og_state state;
    struct og_str outcome;
    struct og_str broker_id;
    struct og_money executed, price_avg;
    struct og_str code, text;
    struct og_str detail; /* JSON: the decision, the body that was meant, how its POST ended, what was heard, who
                           * settled it */
};

/* What the ledger knows of an id that was meant to be posted. */
struct og_ledger_known {
    bool found;
    char digest[72]; /* of the body */
    bool same_run;   /* the intent is of this run */
    bool alive;      /* of another run that is still running */
    int posts;       /* intents recorded */
    enum og_state state;
};

typedef void og_ledger_seen(void *with, const struct og_ledger_row *row);

/* The newest record and its hash, which vouches for all before it. */
struct og_ledger_head {
    int64_t seq;                /* 0: there is none */
    struct og_digest_text hash; /* "" then */
};

/* Open or create (folders 0700, file 0600), bring an older schema up to date, and register this run.  path NULL: the
 * default (ordergate/ledger.h).  og_ledger_peek() opens to look: of what stands here og_ledger_find() and
 * og_ledger_head() may then be used.
 *   OG_ELEDGER  not a ledger, a newer schema, others may write it or its folder, on a network filesystem, damaged,
 *   cannot
 *               be opened: err says which and what to do; *ledger NULL
 *   OG_ENOMEM   *ledger NULL */
enum og_status og_ledger_open(const char *path, struct og_str run, struct og_ledger **ledger, struct og_error *err);

/* The path of its file. */
const char *og_ledger_path(const struct og_ledger *ledger);

/* Whether an opened ledger's files are still found by their names, so that other processes find what is recorded.  To
 * be asked before an order is recorded, and before it is posted.
 *   OG_ELEDGER  one was renamed, replaced or deleted: err says which */
enum og_status og_ledger_stays(const struct og_ledger *ledger, struct og_error *err);

/* A transaction takes in what other processes wrote and keeps them out until it ends.  begin may be repeated; commit
 * without begin does nothing.  Committed means on the disk; after a write that failed nothing of the transaction can
 * be.
 * OG_ELEDGER: err has SQLite's number and words. */
enum og_status og_ledger_begin(struct og_ledger *ledger, struct og_error *err);
enum og_status og_ledger_commit(struct og_ledger *ledger, struct og_error *err);
void og_ledger_rollback(struct og_ledger *ledger);

/* Append, chained to the record before; inside a transaction. */
enum og_status og_ledger_append(struct og_ledger *ledger, const struct og_ledger_row *row, struct og_error *err);
/* Use up an id for a body, with its intent.  again: the user wants an order that was not sent posted again.
 *   OG_EBUSY  the id is used (for another body; or not again and not in state not-sent) */
enum og_status og_ledger_intend(struct og_ledger *ledger, const struct og_ledger_row *row, const char *digest,
                                bool again, struct og_error *err);

enum og_status og_ledger_find(struct og_ledger *ledger, struct og_str account, struct og_str id,
                              struct og_ledger_known *known, og_ledger_seen *newest, void *with, struct og_error *err);
/* On record, inside a transaction: the order of the row (account, id) is to take the place of the one that its text
 * names (state intended), or will not (not-sent).  The row's record is "replace". */
enum og_status og_ledger_replace(struct og_ledger *ledger, const struct og_ledger_row *row, struct og_error *err);
/* The order other than id that took the place of old, or is about to; empty: none.  One that surely had no effect took
 * no place, nor did one that its run did not come to post. */
enum og_status og_ledger_replaced_by(struct og_ledger *ledger, struct og_str account, struct og_str old,
                                     struct og_str id, struct og_buf *by, struct og_error *err);
/* The body of its newest intent, as it was posted; *body is left as it is where none that can be read is to be had. */
enum og_status og_ledger_body(struct og_ledger *ledger, struct og_str account, struct og_str id, struct og_buf *body,
                              struct og_error *err);
/* The newest row, whichever run wrote it, of every order whose state is not final and whose run (that meant to post it
 * last) is over. */
enum og_status og_ledger_unsettled(struct og_ledger *ledger, og_ledger_seen *seen, void *with, struct og_error *err);
/* What other runs appended behind seq (0: ever), oldest first.  *newest: the last there is, for the next time. */
enum og_status og_ledger_since(struct og_ledger *ledger, int64_t seq, int64_t *newest, og_ledger_seen *seen, void *with,
                               struct og_error *err);
/* An intent of another run, with the order's state as it is now; alive: that run goes on; newest, at: the record that
 * says so and its time in ns (OG_TIME_UNKNOWN). */
typedef void og_ledger_sent(void *with, const struct og_ledger_row *intent, bool alive, int64_t newest, int64_t at);
/* What other runs meant to post on an account since then, oldest first. */
enum og_status og_ledger_sent_since(struct og_ledger *ledger, struct og_str account, int64_t since,
                                    og_ledger_sent *seen, void *with, struct og_error *err);
/* What a waiver says; texts live during the callback. */
struct og_ledger_waiver_row {
    struct og_str rule, by, reason;
    int64_t until;        /* ns of the machine's clock */
    struct og_str digest; /* of the body that it is for; {NULL, 0}: of an older ordergate, and for none */
};
typedef void og_ledger_waived(void *with, const struct og_ledger_waiver_row *waiver);
/* The waivers that count for an order at that time: given, not taken back, not over, and not used up by an intent. */
enum og_status og_ledger_waivers_of(struct og_ledger *ledger, struct og_str account, struct og_str id, int64_t now,
                                    og_ledger_waived *seen, void *with, struct og_error *err);
/* What og_ledger_verify() finds.  A person may accept it, with a record OG_LEDGER_ACCEPTANCE whose code is the
 * digest. */
#define OG_LEDGER_ACCEPTANCE "accept-damage"
struct og_ledger_damage {
    long long faults;
    char first[128];              /* what the first is; "" when there is none */
    struct og_digest_text digest; /* of all of them; "" when there is none */
    bool accepted;                /* the newest acceptance, itself unchanged, is of just these */
};
/* Look at every record: about a second for 100,000.  One of schema 1 (only looked at) has none.  OG_ELEDGER,
 * OG_ENOMEM. */
enum og_status og_ledger_damage(struct og_ledger *ledger, struct og_ledger_damage *damage, struct og_error *err);
/* The head as committed. */
enum og_status og_ledger_head(struct og_ledger *ledger, struct og_ledger_head *head, struct og_error *err);
