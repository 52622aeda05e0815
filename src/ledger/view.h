/*
 * Views of the records: the newest of each order, all of one order, every record; and records as JSON.
 */
#pragma once

#include "ledger/inside.h"
#include "text/doc.h"

#define OG_LEDGER_OF_ACCOUNT "(?1 IS NULL OR r.account = ?1 COLLATE NOCASE)"
/* Condition for records without an id that belong to no order. All other records without an id are decisions about
 * lines without an id. */
#define OG_LEDGER_OF_NO_ORDER                                                                                       \
    "record IN ('policy', '" OG_LEDGER_PEAK "', '" OG_LEDGER_LATCH "', '" OG_LEDGER_RESUME "', '" OG_LEDGER_TRADING \
    "', '" OG_LEDGER_ACCEPTANCE "', '" OG_LEDGER_ARCHIVE "', '" OG_LEDGER_ARCHIVED "')"
/* Condition for records without an id that tell when nothing, or less, could be sent, and who let it go on. */
#define OG_LEDGER_OF_HALTS \
    "id IS NULL AND record IN ('" OG_LEDGER_TRADING "', '" OG_LEDGER_LATCH "', '" OG_LEDGER_RESUME "')"
/* Query for the newest record of each order. Its second part finds orders that were never accepted, which are not in
 * the table of used ids. A record without an id counts as an order of its own. */
#define OG_LEDGER_NEWEST_OF_EACH                                                                                       \
    "SELECT " OG_LEDGER_NEWEST_OF " FROM ids i UNION ALL SELECT max(d.seq) FROM rows d WHERE d.id IS NOT NULL AND"     \
    " d.record NOT IN (" OG_LEDGER_BESIDE ") AND NOT EXISTS (SELECT 1 FROM ids u WHERE u.account = d.account AND u.id" \
    " = d.id) GROUP BY d.account, d.id UNION ALL SELECT d.seq FROM rows d WHERE d.id IS NULL AND NOT"                  \
    " d." OG_LEDGER_OF_NO_ORDER

/* A record in a view. */
struct og_ledger_seen_row {
    struct og_ledger_row row; /* the record, with the state that it has in the ledger */
    enum og_state state;      /* the state to show: an intent whose run is over has state unknown */
    bool alive;               /* the run that wrote the record is still alive */
    struct og_str hash;
};

/* Prepare a query for records. from: what follows FROM in the query, in which r is the record. The caller finalizes the
 * query. Returns NULL on error, and err says why. */
sqlite3_stmt *og_ledger_select(struct og_ledger *l, const char *from, struct og_error *err);
/* Read the record in the current row of such a query. */
void og_ledger_see(struct og_ledger *l, sqlite3_stmt *s, struct og_ledger_seen_row *seen);
/* Read the body of the order that a record is about: as it was posted or, if the order was refused, as it was given.
 * *doc: to be freed by cJSON_Delete(); *body: the body within it. Both are NULL if the body is not on record, or not
 * readable. */
enum og_status og_ledger_order_of(struct og_ledger *l, const struct og_ledger_row *row, cJSON **doc, const cJSON **body,
                                  struct og_error *err);

/* If a viewer returns a status other than OG_OK, og_ledger_walk() ends and returns that status. */
typedef enum og_status og_ledger_viewer(void *with, const struct og_ledger_seen_row *seen);

/* Call viewer for each record of a view. account: NULL means all accounts; id: only used by OG_LEDGER_SHOW. *count:
 * number of records shown. */
enum og_status og_ledger_walk(struct og_ledger *l, enum og_ledger_view view, const char *account, const char *id,
                              og_ledger_viewer *viewer, void *with, long long *count, struct og_error *err);

/* Write the members of a record (docs/contract.md "ordergate ledger"), with the opening brace but without the closing
 * one. */
void og_ledger_write_row(struct og_buf *b, const struct og_ledger_row *row, enum og_state state);
/* Returns true for the records of OG_LEDGER_OF_HALTS. */
bool og_ledger_is_halt(const struct og_ledger_row *row);
/* Write a record as `list` does: with members about the order, which are null if the body lacks them or is NULL; the
 * record of a halt with its detail, too. */
void og_ledger_write_listed(struct og_buf *b, const struct og_ledger_seen_row *seen, const cJSON *body);
/* Returns true if a record's detail can be written into a line unchanged: it is JSON, without a newline. b: the buffer
 * of that line; it is marked as bad if memory runs out. */
bool og_ledger_is_line(struct og_str json, struct og_buf *b);
/* Pass a complete line to the listener, and empty the buffer. */
enum og_status og_ledger_tell(struct og_buf *b, og_ledger_listener *line, void *with, struct og_error *err);
