/*
 * The reasons for which a line, a decided order or a cancel waits. The file that makes it wait sets the reason;
 * wait_reports.c reports it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct og_sender;

/* Each value stands for one `reason` in the event "held" (wait_reports.c). */
enum og_held_by {
    OG_HELD_NOT = 0,
    OG_HELD_READING,   /* the account must be read first */
    OG_HELD_ELSEWHERE, /* the account must be read first, since an order made elsewhere has changed */
    /* the account must be read first: present figures, which may lack a fill or count an order twice, would have the
     * order refused */
    OG_HELD_SETTLE,
    OG_HELD_BORROW, /* a short sale: the answer to its borrow check, or the locates, have not come yet */
    /* at the last decision before the order is sent, a fact is missing or too old, or a limit on the number of orders
     * within a time is reached */
    OG_HELD_FACT,
    OG_HELD_IN_FLIGHT, /* for an order: too many other POSTs have no answer yet; for a cancel: the POST of the order has
                        * no answer yet */
    OG_HELD_RATE,      /* the order or cancel waits for the budget of requests */
    OG_HELD_BUSY,      /* an answer 429 came, and the pause after it is not over */
    OG_HELD_UNREACHED, /* for a cancel: its DELETE could not be sent or had no answer, and the pause after it is not
                        * over */
    OG_HELD_LEDGER,    /* the ledger cannot be written */
    OG_HELD_EARLIER,   /* a line that was read earlier must be decided first */
    /* for an order: another order is being canceled first, either the one that it replaces, or one that would cause its
     * refusal */
    OG_HELD_CANCEL,
    OG_HELD_UNKNOWN, /* for a cancel: its order, whose outcome is unknown, must be looked up first */
};

/* What was reported about one wait (wait_reports.c). */
struct og_held {
    enum og_held_by told; /* the reason that was reported last; OG_HELD_NOT if none was */
    enum og_held_by by;   /* the reason at the last check of wait_reports.c */
    uint64_t from;        /* og_time_up() when wait_reports.c first saw the present reason */
    uint64_t
        /* og_time_up() when the line was read or the order was decided, or of the newest event about it if that is
         * later; 0 if wait_reports.c has not seen it yet */
        since;
};

/* Write an event "held" for everything that has waited for OG_HELD_TELL_NS without an event; called once a tick. */
void og_send_tell_held(struct og_sender *s);
/* Call when another event about the line or order was written: a "held" then follows only after a further wait. */
void og_send_held_anew(struct og_held *h);
/* Call when a new wait begins: its reason is reported even if the previous wait had the same reason. */
void og_send_held_begins(struct og_held *h);
