/*
 * The states of the cancel of one order, and the table of their transitions.  The answer of a DELETE is not trusted:
 * the order is followed until it is over, and another DELETE is sent only once the broker has shown the order working.
 * There is no I/O and no clock here; the caller carries out the actions.
 */
#pragma once

#include "outcome/state.h"

enum og_cancel_state {
    OG_CANCEL_NONE = 0, /* nobody wants the order to be canceled */
    OG_CANCEL_DUE,      /* a DELETE will be sent as soon as the POST is answered and the order registered */
    OG_CANCEL_SENT,     /* a DELETE is in the client's request queue, or was sent and is not answered */
    OG_CANCEL_FOLLOWED, /* no DELETE is sent: the broker accepted one, or the order is thought to be over */
    OG_CANCEL_UNSURE,   /* the DELETE may not have reached the broker */
    OG_CANCEL_OVER,     /* the order has ended and the lines have their outcome, but the DELETE is not answered yet */
    OG_CANCEL_STATES
};

enum og_cancel_event {
    OG_CANCEL_EV_WANTED = 0, /* a line, the dead man's switch or a signal wants the order to be canceled */
    OG_CANCEL_EV_FOLLOW,  /* a line wants to cancel an order that is thought to be over: the order is only looked up */
    OG_CANCEL_EV_SENT,    /* a DELETE was given to the client's request queue */
    OG_CANCEL_EV_TAKEN,   /* the DELETE was answered 200: the broker accepted it */
    OG_CANCEL_EV_REFUSED, /* the DELETE was answered 400 or 401 */
    OG_CANCEL_EV_UNSENT,  /* no byte of the DELETE was written, or it was answered 429 until the client gave up */
    /* the DELETE ended in another way; after a 404 the order may be over, or not registered yet */
    OG_CANCEL_EV_LOST,
    OG_CANCEL_EV_WORKS,   /* a look-up or a list shows the order as working, and nothing shows a cancel */
    OG_CANCEL_EV_OVER,    /* the order has ended */
    OG_CANCEL_EV_GIVE_UP, /* the wait for the order's end is over */
    OG_CANCEL_EV_STOP,    /* the run ends: no answer is waited for */
    OG_CANCEL_EVENTS
};

enum og_cancel_action {
    OG_CANCEL_ACT_LOOK = 1 << 0, /* look the order up */
    OG_CANCEL_ACT_END = 1 << 1   /* report the outcome of the waiting cancel lines: og_cancel_outcome() */
};

/* Returns true if the cancel may still end the order. */
static inline bool og_cancel_is_under_way(enum og_cancel_state s)
{
    return s != OG_CANCEL_NONE && s != OG_CANCEL_OVER;
}

struct og_step og_cancel_step(enum og_cancel_state from, enum og_cancel_event event);

/* Returns the outcome of the cancel lines if the event ended the cancel. heard: true if the broker has shown the order
 * in this run. */
const char *og_cancel_outcome(enum og_cancel_event event, enum og_state order, bool heard);
