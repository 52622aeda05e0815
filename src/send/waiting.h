/*
 * The lines that wait to be decided: their queue (queue.c), and the cancels of orders among them (withdraw.c).
 */
#pragma once

#include "send/ident.h"
#include "send/tracked.h"

/* A line that waits to be decided. */
struct og_waiting {
    struct og_waiting *next;
    struct og_origin origin;
    int64_t number;     /* among all lines, in the order that they were read */
    bool cancels;       /* it is a cancel */
    bool unheard;       /* a cancel whose order this run did not know when the line was first looked at */
    size_t makes;       /* og_orders_hash() of the id of the order that it makes; 0: none, or the id is not made yet */
    bool replaced;      /* the order that it replaces is Canceled, or the ledger knows this one already */
    bool again;         /* it was refused once by facts that may be too old: see og_send_decides_again() */
    struct og_ident id; /* made for a line without an id of its own; "": not made yet */
    /* og_time_up(): only a reading that began after it may decide the line; 0: any reading may. Of a cancel: when the
     * line was first looked at */
    uint64_t facts_from;
    /* for a close that was refused because positions may lack a fill: as facts_from, for the reading with that fill; 0:
     * it was not */
    uint64_t fill_from;
    size_t len;
    char bytes[];
};

/* The lines that wait to be decided (queue.c). */
struct og_line_queue {
    struct og_line_list {
        struct og_waiting *first, *last;
    } cancels, others;   /* cancels do not wait for the others; each list is in the order of the lines */
    size_t count, bytes; /* count and bytes of `others` */
    size_t memory;       /* memory that all lines take */
    int64_t taken;       /* number of the newest line */
};

/* --- queue.c ------------------------------------------------------------------------------------------------------ */
/* Queue a line, or take in a heartbeat, which is not queued. Returns false if out of memory. */
bool og_send_take_line(struct og_sender *s, struct og_origin origin, const char *bytes, size_t len);
struct og_waiting *og_send_first_line(const struct og_sender *s); /* the line that was read first; NULL: none waits */
struct og_waiting *og_send_take_out(struct og_sender *s, struct og_waiting *w); /* out of the queue; returns w */
void og_send_put_back(struct og_sender *s, struct og_waiting *w); /* put a line back, before all that wait */
void og_send_free_lines(struct og_sender *s);                     /* free the lines that wait; no outcome is reported */

/* --- withdraw.c --------------------------------------------------------------------------------------------------- */
/* If the cancel (s->order) is of an order whose line was read before and still waits, that order is not posted any
 * more: both lines get the outcome canceled. Returns true if that was so, and if the run ends. s->order is the cancel
 * afterwards. */
bool og_send_withdraw(struct og_account_state *a, const struct og_waiting *cancel);
/* Returns true if a line before the cancel makes its order, so that nothing need be read to decide the cancel. */
bool og_send_is_withdrawable(struct og_account_state *a, const struct og_waiting *cancel);
