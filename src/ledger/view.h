/*
 * Views of the records: the newest of each order, all of one order, every record; and records as JSON.
 */
#pragma once

#include "ledger/inside.h"

/* A record in a view. */
struct og_ledger_seen_row {
    struct og_ledger_row row; /* the record, with the state that it has in the ledger */
    enum og_state state;      /* the state to be shown: an intent whose run is over is unknown */
    bool alive;               /* the record's run is still running */
    struct og_str hash;
};

/* If a viewer returns another status than OG_OK, the walk ends and returns that status. */
typedef enum og_status og_ledger_viewer(void *with, const struct og_ledger_seen_row *seen);

/* Call viewer for each record of a view.  account NULL means all accounts; id: for OG_LEDGER_SHOW.  *count: records
 * shown. */
enum og_status og_ledger_walk(struct og_ledger *l, enum og_ledger_view view, const char *account, const char *id,
                              og_ledger_viewer *viewer, void *with, long long *count, struct og_error *err);

/* Write the members of a record (docs/contract.md "ordergate ledger"), with the opening brace and without the closing
 * one. */
void og_ledger_write_row(struct og_buf *b, const struct og_ledger_row *row, enum og_state state);
/* Returns true if a record's detail can be written into a line as it is: it is JSON, without a newline. b: the buffer
 * of that line; if memory runs out, it is marked as bad. */
bool og_ledger_is_line(struct og_str json, struct og_buf *b);
/* Pass a finished line to the listener, and empty the buffer. */
enum og_status og_ledger_tell(struct og_buf *b, og_ledger_listener *line, void *with, struct og_error *err);
