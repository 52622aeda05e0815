/*
 * Records as people and programs read them: the newest of each order, those of one, all; and as JSON.
 */
#pragma once

#include "ledger/inside.h"

/* A record in a view. */
struct og_ledger_seen_row {
    struct og_ledger_row row; /* state as recorded */
    enum og_state state;      /* as it is: an intent whose run is over is unknown */
    bool alive;               /* its run goes on */
    struct og_str hash;
};

/* What is not OG_OK ends the walk, and is its answer. */
typedef enum og_status og_ledger_viewer(void *with, const struct og_ledger_seen_row *seen);

/* account NULL: of all; id: of OG_LEDGER_SHOW.  *count: how many were shown. */
enum og_status og_ledger_walk(struct og_ledger *l, enum og_ledger_view view, const char *account, const char *id,
                              og_ledger_viewer *viewer, void *with, long long *count, struct og_error *err);

/* Write the members of a record (docs/contract.md "ordergate ledger"), with the left brace and without the right. */
void og_ledger_write_row(struct og_buf *b, const struct og_ledger_row *row, enum og_state state);
/* Whether a detail can stand in a line as it is: JSON, without a newline.  Out of memory, b is bad. */
bool og_ledger_is_line(struct og_str json, struct og_buf *b);
/* A finished line: told and emptied. */
enum og_status og_ledger_tell(struct og_buf *b, og_ledger_listener *line, void *with, struct og_error *err);
