/*
 * The states of an order after its decision, and the table of their transitions: from state and event to a new state
 * and actions. No I/O, clock or figures are here; the caller carries out the actions.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "wire/row.h"

/* og_state_name() gives a state's name in the ledger. The names of final states, "refused" and "not-sent" are outcomes
 * too. */
enum og_state {
    OG_REFUSED = 0,     /* the gate refused the order, which is never posted */
    OG_INTENDED,        /* the order's intent is in the ledger; its POST is not answered yet */
    OG_POSTED,          /* the POST was answered PendingNew: the broker has the order, and has not decided about it */
    OG_OUTCOME_UNKNOWN, /* the answer to the POST was lost, and the broker has not shown the order since */
    OG_NOT_SENT,        /* the POST certainly had no effect at the broker */
    OG_WORKING,
    OG_FILLED,
    OG_CANCELED,
    OG_REJECTED,
    OG_EXPIRED,
    OG_DONE, /* the order is done for the day, and does not continue in the next session */
    OG_STATES
};

enum og_event {
    OG_EV_UNSENT = 0, /* the POST certainly had no effect: no byte was written, or it was answered 401, 404, or 429
                       * until the client gave up */
    OG_EV_BAD,        /* the POST was answered 400 */
    OG_EV_LOST,       /* the POST ended in 3xx, 5xx, an incomplete or unreadable reply, or a lost connection */
    OG_EV_RESTART,    /* the order, left open by an earlier run, was read from the ledger */
    OG_EV_PENDING,    /* a row shows PendingNew */
    /* a row shows a working status: Accepted, New, PartiallyFilled, PendingCancel, or a status that the service does
     * not document */
    OG_EV_WORKING,
    OG_EV_FILLED,
    OG_EV_CANCELED,
    OG_EV_REJECTED,
    OG_EV_EXPIRED,
    OG_EV_DONE,
    OG_EV_DUPLICATE, /* a row shows Rejected with R114, and the id was posted only once */
    OG_EV_COLLISION, /* a row shows Rejected with R114 after an earlier POST of the id, which shows that the earlier
                      * POST did reach the broker */
    /* proof of absence: look-ups and lists lacked the order for long enough, between two good readings of the
     * account */
    OG_EV_ABSENT,
    OG_EV_RESEND, /* the user wants an order in state not-sent to be posted again */
    OG_EVENTS
};

enum og_action {
    OG_ACT_NONE = 0,
    OG_ACT_RECORD = 1 << 0, /* write the new state to the ledger, and report an event */
    OG_ACT_ASK = 1 << 1,    /* look the order up at the broker */
    /* the event should not happen in this state: record and report it; the new state is what the broker shows */
    OG_ACT_ANOMALY = 1 << 2
};

struct og_step {
    unsigned char next;    /* the new state, an enum og_state */
    unsigned char actions; /* values of enum og_action, combined with | */
};

struct og_step og_state_step(enum og_state from, enum og_event event);

/* Returns true if nothing can happen to the order any more: its state is final, refused or not-sent. */
bool og_state_is_final(enum og_state s);
const char *og_state_name(enum og_state s); /* such as "not-sent" */
bool og_state_of(struct og_str name, enum og_state *s);

/* Returns the event for which a row of the broker stands. tif: the order's time in force, on which the meaning of
 * DoneForDay depends; posts: number of POSTs of the order's id. */
enum og_event og_event_of_row(const struct og_order_row *row, struct og_str tif, int posts);
