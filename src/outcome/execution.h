/*
 * What is known of one sent order: its state, its figures, the broker's id for it, and the first reason it was given.
 * It refuses to lose: executed never falls, the first rejection text stays, a terminal state stays.
 *
 * Rows come from streams, look-ups, lists and replies, and none of them says how old it is.  What can be relied on: a
 * row is whole, and what a frame told had happened before a request that began after the frame arrived.  A row
 * therefore counts as of a moment: a frame's, of its arrival; an answer's, of the beginning of its request.  One of an
 * earlier moment than the newest may move state and figures on, as the table has it, and does not take back what the
 * newest said within the state.  What is believed is then the same as if everything had been held and taken in the
 * order of those moments: a gap closed by buffering the stream, reading a snapshot, and applying the buffer to it; and
 * no frame waits for a snapshot.
 */
#ifndef OG_OUTCOME_EXECUTION_H
#define OG_OUTCOME_EXECUTION_H

#include "outcome/state.h"

struct og_execution {
    enum og_state state;
    int posts; /* POSTs of its id so far, by us */
    struct og_money executed, leaves, price_avg;
    bool has_leaves;
    char status[24];  /* orderStatus as last told, "" before; cut to fit */
    uint64_t told_at; /* the moment of the row that told it */
    char code[8];     /* of the first rejection: "R118", "" when it had none */
    char *text;       /* the first rejection text, cut to 512 bytes; NULL when none.  Owned. */
    char *broker_id;  /* when the broker's differs from ours; NULL else.  Owned. */
    bool seen_as_own; /* a row told of it under our own id */
};

void og_execution_clear(struct og_execution *execution);

/* Take in an event without a row; text and code for a refusal of the broker (400), else empty. */
struct og_step og_execution_event(struct og_execution *execution, enum og_event event, struct og_str text);

/* Take in a row of that moment.  id is ours, tif ours too ("" when not known); adopt: the row is the reply to our POST,
 * so that a rewritten id on it is the one to ask for from now on.  *changed: anything worth
 * reporting moved. */
struct og_step og_execution_row(struct og_execution *execution, const struct og_order_row *row, struct og_str id,
                                struct og_str tif, bool adopt, uint64_t at, bool *changed);

/* Whether an answer to our POST is of our order by its id: ours, or ours as the broker rewrites the id of an order that
 * it rejects (R118): ours, or its first 36 bytes where longer, with a suffix that starts with INVALID. */
bool og_execution_is_named(struct og_str id, struct og_str row_id);

/* Whether a row is of our order by its id: ours, or the one that an answer to our POST gave it.  A rewritten one counts
 * without such an answer on a Rejected row alone, and for an order that was not seen under its own id: another order
 * may have that id. */
bool og_execution_owns(const struct og_execution *execution, struct og_str id, const struct og_order_row *row);

/* The id to ask the broker for. */
struct og_str og_execution_id(const struct og_execution *execution, struct og_str id);

#endif
