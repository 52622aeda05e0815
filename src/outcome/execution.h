/*
 * The execution state of one sent order: its state, its figures, the broker's id for it, and the first rejection. The
 * executed quantity never falls, the first rejection text stays, and a final state stays.
 *
 * Rows come from streams, look-ups, lists and replies, and none of them says how old it is.  Two things are certain: a
 * row is complete, and what a frame reports had happened before the frame arrived, so that the answer to any later
 * request includes it.  So each row is given a moment: the arrival of a frame, or the beginning of the request for an
 * answer.  A row with an earlier moment than the newest one may still advance state and figures, as the table allows,
 * but does not change what the newest one said within the state.  The result is the same as if all rows had been
 * buffered and applied in the order of their moments (closing a gap by buffering the stream, reading a snapshot and
 * applying the buffer to it), but no frame has to wait for a snapshot.
 */
#pragma once

#include "outcome/state.h"

struct og_execution {
    enum og_state state;
    int posts; /* number of POSTs that we have made for the order's id so far */
    struct og_money executed, leaves, price_avg;
    bool has_leaves;
    char status[24];    /* the newest orderStatus, cut to fit; "" before the first row */
    uint64_t status_at; /* moment of the row with that orderStatus */
    char code[8];       /* R-code of the first rejection, such as "R118"; "" if its text had no code */
    char *text;         /* the first rejection text, cut to 512 bytes; NULL if there is none.  Owned. */
    /* the broker's id of the order, if it differs from ours; otherwise NULL. Freed with the execution */
    char *broker_id;
    bool seen_as_own; /* some row had our own id */
    bool by_answer;   /* only an answer 400 rejected the order: a row that shows it as working or over is still
                       * believed */
};

void og_execution_clear(struct og_execution *execution);

/* Apply an event that did not come with a row. text: the reason, if the order was rejected by status 400; empty for
 * other events. */
struct og_step og_execution_event(struct og_execution *execution, enum og_event event, struct og_str text);

/* Returns true if an answer denied the order, so that it counts as not sent, or as rejected by the answer 400 alone.
 * Rows that show such an order are still believed. */
bool og_execution_is_denied(const struct og_execution *execution);

/* Apply a row whose moment is `at`. id and tif are those of our order ("" if not known). adopt: the row is the reply to
 * our POST; if the broker has rewritten the id in it, later requests use the rewritten id. *changed: set to true if
 * something worth reporting changed. */
struct og_step og_execution_row(struct og_execution *execution, const struct og_order_row *row, struct og_str id,
                                struct og_str tif, bool adopt, uint64_t at, bool *changed);

/* Returns true if the id in an answer to our POST stands for our order. It is then our own id, or one that the broker
 * derives from our id when it rejects the order with R118: our id, cut to 36 bytes, with a suffix that begins with
 * INVALID. */
bool og_execution_is_named(struct og_str id, struct og_str row_id);

/* Returns true if a row shows our order, judged by the row's id: it must be our own id, or the id in the answer to our
 * POST. Without such an answer, a rewritten id counts only on a Rejected row, and only if no row had our own id, since
 * another order may have the rewritten id. */
bool og_execution_owns(const struct og_execution *execution, struct og_str id, const struct og_order_row *row);

/* Returns the id that requests to the broker must use for the order. */
struct og_str og_execution_id(const struct og_execution *execution, struct og_str id);
