/*
 * What a line, a decided order or a cancel waits for. The file that makes it wait sets the reason; wait_reports.c
 * reports it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct og_sender;

/* One for each value of `reason` in the event "held" (wait_reports.c). */
enum og_held_by {
    OG_HELD_NOT = 0,
    OG_HELD_READING,   /* the account must be read first */
    OG_HELD_ELSEWHERE, /* the account must be read first, since an order made elsewhere has changed */
    /* the account must be read first: the order would be refused by figures that may lack a fill, or count an order
     * twice */
    OG_HELD_SETTLE,
    OG_HELD_BORROW, /* a short sale: the answer to its borrow check, or the locates, have not come yet */
    /* the last decision before the order is sent: a fact is missing or too old, or a limit on orders within a time is
     * reached */
    OG_HELD_FACT,
    OG_HELD_IN_FLIGHT, /* an order: other POSTs have no answer yet; a cancel: the POST of its order has no answer yet */
    OG_HELD_RATE,      /* the order or cancel waits for the budget of requests */
    OG_HELD_BUSY,      /* the pause after an answer 429 */
    OG_HELD_UNREACHED, /* a cancel: the pause after its DELETE could not be sent, or had no answer */
    OG_HELD_LEDGER,    /* the ledger cannot be written */
    OG_HELD_EARLIER,   /* a line that was read earlier is still to be decided */
    /* an order: another order is being canceled, either the one to be replaced, or one because of which this order
     * would be refused */
    OG_HELD_CANCEL,
    OG_HELD_UNKNOWN, /* a cancel: it waits for the look-up of its order, whose outcome is unknown */
};

/* What was reported about one wait (wait_reports.c). */
struct og_held {
    enum og_held_by told; /* the reason that was reported last; OG_HELD_NOT: none so far */
    enum og_held_by by;   /* the reason when wait_reports.c looked last */
    uint64_t from;        /* og_time_up() when wait_reports.c first saw the present reason */
    uint64_t
        /* og_time_up() when the line was read, when the order was decided, or of the newest event about it; 0 if
         * wait_reports.c has not seen it yet */
        since;
};

/* Write an event "held" for everything that has waited for OG_HELD_TELL_NS without an event; once a tick. */
void og_send_tell_held(struct og_sender *s);
/* Another event about the line or order was written: a "held" follows only after a further wait. */
void og_send_held_anew(struct og_held *h);
/* A new wait begins: its reason is reported even if the wait before had the same reason. */
void og_send_held_begins(struct og_held *h);
