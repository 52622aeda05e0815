/*
 * A view: what it has to print, and what it remembers of the documents before.
 */
#pragma once

#include "base/map.h"
#include "ordergate/show.h"
#include "text/doc.h"
#include "text/table.h"

/* A reason of findings. */
struct og_show_reason {
    struct og_str id;
    long long refused; /* how many orders it refused */
};

struct og_show {
    enum og_show_format format;
    struct og_sheet sheet;
    struct og_buf text;    /* what is to be printed */
    bool taken;            /* it was printed */
    struct og_table table; /* rows that are not in `text` yet */
    size_t names;          /* number of their rows that are names of columns: 0 or 1 */
    bool named;            /* the names of columns were written */

    /* decisions */
    struct og_buf file; /* the file of the newest one */
    long long accepted, refused;
    struct og_show_reason **reason; /* in order of first occurrence */
    size_t reasons, reason_room;
    struct og_map reason_of; /* by id */
    struct og_map helped;    /* texts of what to do that were shown */
    struct og_map missing;   /* lists of missing facts that were shown; the value is the number of the line as text */
    struct og_arena arena;   /* memory of these */
};

/* Begin to add text: drop what was printed, and write the rows of the table into it if `rows`. */
void og_show_begin(struct og_show *v, bool rows);
