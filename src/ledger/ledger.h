/*
 * The durable record: what was decided, meant, posted, heard and concluded, appended and never changed.
 * It refuses to update or delete a row, to use a clientOrderId twice, and to live where others may write.
 * One thread; several processes may share the file (WAL, BEGIN IMMEDIATE).
 */
#ifndef OG_LEDGER_LEDGER_H
#define OG_LEDGER_LEDGER_H

#include "base/str.h"
#include "ordergate/money.h"
#include "ordergate/status.h"
#include "outcome/state.h"

#include <stdbool.h>
#include <stdint.h>

struct og_ledger;

/* One row, written or read.  Texts with s NULL are null.  When read they live during the callback. */
struct og_ledger_row {
    int64_t seq, at; /* seq is given by the ledger; at in ns */
    struct og_str run, account, id;
    const char *record; /* "decision", "intent", "post", "update", "outcome", "anomaly" */
    enum og_state state;
    struct og_str outcome;
    struct og_str broker_id;
    struct og_money executed, price_avg;
    struct og_str code, text;
    struct og_str detail; /* the decision's JSON, the anomaly's event */
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

/* Open or create (folders 0700, file 0600), and register this run.
 *   OG_ELEDGER  not a ledger, a newer schema, others may write it or its folder, cannot be opened: err says which and
 *               what to do; *ledger NULL
 *   OG_ENOMEM   *ledger NULL */
enum og_status og_ledger_open(const char *path, struct og_str run, struct og_ledger **ledger, struct og_error *err);
/* To look only, nothing is made or written: og_ledger_find() alone may be used.  OG_ENOENT: there is none. */
enum og_status og_ledger_peek(const char *path, struct og_ledger **ledger, struct og_error *err);
void og_ledger_close(struct og_ledger *ledger); /* NULL is allowed; what was not committed is gone */

/* A transaction takes in what other processes wrote and keeps them out until it ends.  begin may be repeated; commit
 * without begin does nothing.  Committed means on the disk.  OG_ELEDGER: err has SQLite's number and words. */
enum og_status og_ledger_begin(struct og_ledger *ledger, struct og_error *err);
enum og_status og_ledger_commit(struct og_ledger *ledger, struct og_error *err);
void og_ledger_rollback(struct og_ledger *ledger);

/* Append; inside a transaction. */
enum og_status og_ledger_append(struct og_ledger *ledger, const struct og_ledger_row *row, struct og_error *err);
/* Use up an id for a body, with its intent.  again: the user wants an order that was not sent posted again.
 *   OG_EBUSY  the id is used (for another body; or not again and not in state not-sent) */
enum og_status og_ledger_intend(struct og_ledger *ledger, const struct og_ledger_row *row, const char *digest, bool again,
                                struct og_error *err);

enum og_status og_ledger_find(struct og_ledger *ledger, struct og_str account, struct og_str id,
                              struct og_ledger_known *known, og_ledger_seen *newest, void *with, struct og_error *err);
/* The newest row of every order whose state is not final and whose run is over. */
enum og_status og_ledger_unsettled(struct og_ledger *ledger, og_ledger_seen *seen, void *with, struct og_error *err);
#endif
