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

/* How many orders had an outcome. */
struct og_show_count {
    struct og_str name;
    long long orders;
    struct og_show_count *next;
};

struct og_show {
    enum og_show_format format;
    struct og_sheet sheet;
    struct og_buf text;    /* what is to be printed */
    bool taken;            /* it was printed */
    struct og_table table; /* rows that are not in `text` yet */
    size_t names;          /* number of their rows that are names of columns: 0 or 1 */
    bool named;            /* the names of columns were written */

    int indent, hang; /* blanks before the lines of the paragraphs below the last row */

    /* decisions */
    struct og_buf file; /* the file of the newest one */
    long long accepted, refused;
    struct og_show_reason **reason; /* in order of first occurrence */
    size_t reasons, reason_room;
    struct og_map reason_of; /* by id */
    struct og_map helped;    /* texts of what to do that were shown */
    struct og_map missing;   /* lists of missing facts that were shown; the value is the number of the line as text */
    struct og_arena arena;   /* memory of these */

    /* events */
    struct og_map terms;         /* the terms of orders in words, by clientOrderId */
    struct og_map outcome;       /* struct og_show_count of each outcome */
    struct og_show_count *first; /* the outcomes in order of first occurrence, by `next` */
    struct og_buf account;       /* of the first event that has one */
};

/* Begin to add text: drop what was printed, and write the rows of the table into it if `rows`. */
void og_show_begin(struct og_show *v, bool rows);
/* Returns a text of a buffer, "" if it is empty. */
static inline struct og_str og_show_str(const struct og_buf *b)
{
    return (struct og_str){ b->s ? b->s : "", b->len };
}
/* Add the findings of a decision that refuse or warn, and what to do, below the last row; indent, hang: blanks before
 * their first line and the others. */
void og_show_findings(struct og_show *v, const cJSON *decision, int indent, int hang);
