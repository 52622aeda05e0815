/*
 * The states of an order that was decided, and the one table that moves it: state x event -> state and action.
 * It refuses I/O, clocks and figures; who asks, records and reports does so by the actions it answers.
 */
#ifndef OG_OUTCOME_STATE_H
#define OG_OUTCOME_STATE_H

#include "base/str.h"
#include "wire/row.h"

#include <stdbool.h>

/* Spelled in the ledger; the terminal ones, refused and not-sent are outcomes too. */
enum og_state {
    OG_REFUSED = 0,     /* by us; never posted */
    OG_INTENDED,        /* in the ledger, its POST not yet answered */
    OG_POSTED,          /* answered PendingNew: the broker has it, nothing decided */
    OG_OUTCOME_UNKNOWN, /* its answer was lost: the broker has not been asked, or has not said */
    OG_NOT_SENT,        /* surely without effect */
    OG_WORKING,
    OG_FILLED,
    OG_CANCELED,
    OG_REJECTED,
    OG_EXPIRED,
    OG_DONE, /* done for the day, and not an order that comes back */
    OG_STATES
};

enum og_event {
    OG_EV_UNSENT = 0, /* its POST ended and surely had no effect: no byte written, 401, 404, 429 given up */
    OG_EV_BAD,        /* 400 */
    OG_EV_LOST,       /* its POST ended in 3xx, 5xx, a reply cut short or unreadable, a lost connection */
    OG_EV_RESTART,    /* read from the ledger of a run that is over */
    OG_EV_PENDING,    /* a row says PendingNew */
    OG_EV_WORKING,    /* a row says it works: Accepted, New, PartiallyFilled, PendingCancel, a name we do not know */
    OG_EV_FILLED,
    OG_EV_CANCELED,
    OG_EV_REJECTED,
    OG_EV_EXPIRED,
    OG_EV_DONE,
    OG_EV_DUPLICATE, /* a row says Rejected with R114, and this was the only POST of the id */
    OG_EV_COLLISION, /* the same after an earlier POST of the id: evidence that the earlier one arrived */
    OG_EV_ABSENT,    /* looked for long enough, between two good answers for the account, and nowhere */
    OG_EV_RESEND,    /* the user wants an order that was not sent posted again */
    OG_EVENTS
};

enum og_action {
    OG_ACT_NONE = 0,
    OG_ACT_RECORD = 1 << 0, /* into the ledger and out as an event */
    OG_ACT_ASK = 1 << 1,    /* look it up */
    OG_ACT_ANOMALY = 1 << 2 /* should not happen: recorded and reported, the state says what we believe */
};

struct og_step {
    unsigned char next;    /* enum og_state */
    unsigned char actions; /* enum og_action, or-ed */
};

struct og_step og_state_step(enum og_state from, enum og_event event);

bool og_state_is_final(enum og_state s);    /* nothing more will come of it: terminal, refused or not-sent */
const char *og_state_name(enum og_state s); /* "not-sent" */
bool og_state_of(struct og_str name, enum og_state *s);

/* What a row of the broker says.  tif is the order's own, for DoneForDay; posts how often its id was posted. */
enum og_event og_event_of_row(const struct og_order_row *row, struct og_str tif, int posts);

#endif
