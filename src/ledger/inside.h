/*
 * Internals of an open ledger: its connection, its prepared statements and the transaction under way.
 *   ledger.c  opening, transactions, appending    find.c    records of an id, open ones, those of other runs
 *   schema.c  the tables                          view.c    records as lines
 *   chain.c   the hash of a record                verify.c  checking the chain
 *   parts.c   whether its files stay in place     place.c   file, folder, locks of runs
 *   run_marks.c how runs ended                    runs.c    watching runs for another process
 *   list.c    records of orders that a filter lets through
 *   stats.c, facts.c, resolve.c, waive.c, refusals.c  what their names say
 */
#pragma once

#include "base/json_write.h"
#include "ledger/chain.h"
#include "ledger/ledger.h"
#include "ledger/parts.h"
#include "ledger/schema.h"

enum og_ledger_statement {
    OG_LEDGER_APPEND,
    OG_LEDGER_USE_ID,
    OG_LEDGER_FIND,
    OG_LEDGER_NEWEST,
    OG_LEDGER_HEARD,
    OG_LEDGER_BY_ANSWER,
    OG_LEDGER_BODY,
    OG_LEDGER_TAG_OF,
    OG_LEDGER_TERMS,
    OG_LEDGER_REPLACES,
    OG_LEDGER_UNSETTLED,
    OG_LEDGER_SINCE,
    OG_LEDGER_WAIVERS,
    OG_LEDGER_ADD_RUN,
    OG_LEDGER_READ_HEAD,
    OG_LEDGER_SET_HEAD,
    OG_LEDGER_STATEMENTS
};

struct og_ledger {
    sqlite3 *db;
    sqlite3_stmt *statement[OG_LEDGER_STATEMENTS]; /* each is prepared when it is first needed */
    int runs;                                      /* descriptor of the file with the run locks; -1 if it is not open */
    struct og_ledger_parts parts;                  /* the ledger's files, if it is open for writing */
    /* version of the schema; may be an older one if the ledger is open only for reading */
    int version;
    int64_t n;   /* this run's number; 0 if the ledger is open only for reading */
    bool marked; /* the run is marked as open (run_marks.h) */
    int wait_ms; /* how long to wait while another process holds the ledger, in ms */
    bool begun;
    bool spoilt; /* a write of this transaction failed, so it cannot be committed */
    /* head: the newest record, committed or not; stored: the newest committed one */
    struct og_ledger_head head, stored;
    /* the record that is named in the note of <path>-runs but missing in the ledger; its seq is 0 if no record is
     * missing, or if a person accepted that one is missing */
    struct og_ledger_head lacked;
    struct og_buf room;
    char *key; /* key of the chain, as text; NULL if there is none */
    char run[64];
};

/* SQL expression: seq of the newest record that changed an order's state. It leaves out waivers, which change no state;
 * decisions after the intent, which are about another line with the same id; and the ends of DELETEs, whose state may
 * be outdated. i: the order's row in table ids. */
#define OG_LEDGER_NEWEST_OF                                                                         \
    "(SELECT max(n.seq) FROM rows n WHERE n.account = i.account AND n.id = i.id AND n.seq >= i.seq" \
    " AND n.record NOT IN (" OG_LEDGER_NO_STATE "))"
/* What follows FROM in a query for the newest such record of each open order. It uses the table of open orders, which a
 * ledger has since schema 6. */
#define OG_LEDGER_OPEN_ORDERS                                                                                      \
    "open_orders o JOIN ids i ON i.account = o.account AND i.id = o.id JOIN rows r ON r.seq = o.seq AND r.seq >= " \
    "i.seq"

/* Query for the accounts that have records other than waivers. */
#define OG_LEDGER_ACCOUNTS "SELECT DISTINCT account FROM rows WHERE account <> '' AND NOT " OG_LEDGER_OF_WAIVERS

extern const char og_ledger_waivers_sql[]; /* defined in waive.c */

/* Set err from SQLite's last error. */
enum og_status og_ledger_failed(const struct og_ledger *l, const char *doing, struct og_error *err);
/* Returns a prepared statement; the caller resets it afterwards. Returns NULL on error, and err says why. */
sqlite3_stmt *og_ledger_prepared(struct og_ledger *l, enum og_ledger_statement which, struct og_error *err);
/* Prepare a statement of another text; the caller finalizes it. Returns NULL on error, and err says why. */
sqlite3_stmt *og_ledger_query(struct og_ledger *l, const char *sql, struct og_error *err);
void og_ledger_bind(sqlite3_stmt *s, int at, struct og_str text); /* binds null if text.s is NULL */
/* Step a query to its next row. Returns false after the last row. Also returns false, with *status set, after an error,
 * or if s is NULL because the query could not be prepared. */
bool og_ledger_next(struct og_ledger *l, sqlite3_stmt *s, enum og_status *status, struct og_error *err);
struct og_str og_ledger_column(sqlite3_stmt *s, int at);
/* Read the record in a statement's current row. The statement's columns must begin with OG_LEDGER_COLUMNS. The record's
 * texts are valid until the statement's next step. */
void og_ledger_read_row(sqlite3_stmt *s, struct og_ledger_row *row);
/* Open an existing ledger, to append a record in which a person states something. kind: how the name of the run
 * begins. */
enum og_status og_ledger_open_to_say(const char *path, const char *kind, struct og_ledger **l, struct og_error *err);
/* Read the note about the newest record in <path>-runs. If the ledger does not have that record, because it was cut or
 * replaced by an older copy, set l->lacked to the record. While l->lacked is set, no newer note is written. */
void og_ledger_look_at_note(struct og_ledger *l);
/* Join the account names that a query returns, as in "A, B"; *count: their number. Finalizes s. */
enum og_status og_ledger_accounts(struct og_ledger *l, sqlite3_stmt *s, struct og_buf *names, int *count,
                                  struct og_error *err);
