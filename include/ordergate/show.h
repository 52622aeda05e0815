/*
 * Documents for people: decisions, events of a sender and answers of the broker as tables and words of a terminal, or
 * as CSV. They are made from the same JSON that a pipe gets; texts that others wrote cannot move the cursor.
 * Threads: one at a time for each og_show.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing.
 */
#ifndef ORDERGATE_SHOW_H
#define ORDERGATE_SHOW_H

#include <stdbool.h>
#include <stddef.h>

#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_show;

enum og_show_format {
    OG_SHOW_TABLE = 0,
    OG_SHOW_CSV = 1,
    OG_SHOW_ROWS = 2 /* of answers: each row of the list as JSON, on a line of its own */
};
struct og_show_look {
    enum og_show_format format;
    int columns; /* width of the terminal; less than 40 counts as 40 */
    bool colour;
};

/* Make a view, which keeps what it has to remember from one document to the next: widths of columns, counts.
 *   OG_EINVAL, OG_ENOMEM  *show is NULL */
OG_API OG_MUST_USE enum og_status og_show_new(const struct og_show_look *look, struct og_show **show);
OG_API void og_show_free(struct og_show *show); /* NULL is allowed */

/* Show the decisions about one line of orders, as a table or CSV. decisions: as og_decision_write() writes them, a line
 * each; a basket has several. line: what was read, from which the order's side, quantity, symbol and price are taken; a
 * line that is no JSON has none.
 *   OG_ESYNTAX  decisions are not JSON */
OG_API OG_MUST_USE enum og_status og_show_decisions(struct og_show *show, const char *decisions, size_t len,
                                                    const char *line, size_t line_len);
/* Show how many orders were accepted and refused, and why; as CSV nothing. */
OG_API OG_MUST_USE enum og_status og_show_decided(struct og_show *show);

/* Show an answer of the broker, or a document like it, such as the result of a locate: a list as a table, an object as
 * a line for each member.  As CSV and as rows: the rows of its list with all their members; an object is one row.
 *   OG_ESYNTAX  the answer is not JSON */
OG_API OG_MUST_USE enum og_status og_show_answer(struct og_show *show, const char *json, size_t len);

/* Show an event of a sender (og_event_listener), as a table that goes on with each, or as CSV. Decisions show the terms
 * of their orders if og_sender_tell_orders() was called.
 *   OG_ESYNTAX  the event is not JSON */
OG_API OG_MUST_USE enum og_status og_show_event(struct og_show *show, const char *event, size_t len);
/* Show how many orders had which outcome, by the events; as CSV nothing. */
OG_API OG_MUST_USE enum og_status og_show_sent(struct og_show *show);
/* Make one line, without newline, of what a sender does now. snapshot: as og_sender_snapshot() writes it. It is the
 * text of the next og_show_text().
 *   OG_ESYNTAX  the snapshot is not JSON */
OG_API OG_MUST_USE enum og_status og_show_now(struct og_show *show, const char *snapshot, size_t len);

/* Get what is to be printed now, valid until the next call with this view, which forgets them.
 *   OG_ENOMEM  something was lost since the last call; *text is "" */
OG_API OG_MUST_USE enum og_status og_show_text(struct og_show *show, const char **text, size_t *len);

#ifdef __cplusplus
}
#endif
#endif
