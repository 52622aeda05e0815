/*
 * The lines that wait to be decided: their queue (queue.c), and the cancels of orders among them (withdraw.c).
 */
#pragma once

#include "ordergate/halt.h"
#include "send/batch.h"
#include "send/tracked.h"
#include "send/ulid.h"
#include "send/wait_reports.h"

/* A line that waits to be decided. */
struct og_waiting {
    struct og_waiting *next;
    struct og_origin origin;
    uint64_t at;    /* og_time_up() when the line was read */
    int64_t number; /* sequence number of the line among all lines read */
    bool cancels;   /* the line is a cancel */
    /* og_orders_hash() of the symbol of the line's order; 0 if the line makes no order, or one that replaces another */
    size_t trades;
    bool closes;     /* the line makes an order that may close */
    size_t replaces; /* og_orders_hash() of the id of the order that the line's order replaces; 0 if it replaces none */
    bool orphaned;   /* the dead man's switch fired after the line was read, so the line's order is not sent */
    /* the strictest halt since the line was read; it applies to the line even if trading was resumed meanwhile */
    enum og_trading halt;
    bool unheard; /* a cancel: this run did not know the order to cancel when it first considered the line */
    /* og_orders_hash() of the id of the order that the line makes; 0 if the line makes no order, or has no id yet */
    size_t makes;
    bool replaced; /* the order that the line's order replaces is Canceled, or the ledger already has the line's
                    * order */
    bool again;    /* the line was refused once because of facts that may be too old: see og_send_decides_again() */
    struct og_ident id; /* id made for an order whose line has none; "" until it is made */
    bool recalled;      /* og_send_batch_recall() was called for the line while the ledger was open */
    /* og_time_up(): only a reading that began after this time may decide the line; 0 if any reading may. For a cancel:
     * when its line was first considered */
    uint64_t facts_from;
    uint64_t fills_since; /* for a close that would be refused: the og_time_up() at which this was first found;
                           * otherwise 0 */
    /* for an order that would be refused while other orders may count twice: the og_time_up() at which this was first
     * found, otherwise 0; and the ticket of the newest of those other orders */
    uint64_t twice_from;
    og_ticket twice_by;
    /* og_time_up(), for an order that was refused while cancels were under way: the order waits for the cancels that
     * began before this time; 0 if there was no such refusal */
    uint64_t cancels_from;
    uint64_t waits_from; /* og_time_up() since when the line has waited for facts of its account; 0 if it did not
                          * wait */
    /* the line is a short sale that would be refused because locates are missing, and the inventory is older than the
     * line */
    bool wants_locates;
    /* for a close that is refused because of orders of unknown outcome: og_time_up() since when it waits for the
     * look-ups of those orders; 0 if it does not wait */
    uint64_t lookups_from;
    enum og_held_by held_by; /* what the line waited for when it was last considered */
    struct og_held held;
    size_t len;
    char bytes[];
};

/* The lines that wait to be decided (queue.c). */
struct og_line_queue {
    struct og_line_list {
        struct og_waiting *first, *last;
    } cancels, others;   /* cancels do not wait for other lines; each list is in the order in which lines were read */
    size_t count, bytes; /* number and bytes of the lines in `others` */
    size_t memory;       /* bytes of memory that all lines take */
    int64_t taken;       /* sequence number of the newest line */
    struct og_batch_ids batch;
};

/* --- queue.c ------------------------------------------------------------------------------------------------------ */
/* Queue a line, or take in a heartbeat, which is not queued. Returns false if out of memory. */
bool og_send_take_line(struct og_sender *s, struct og_origin origin, const char *bytes, size_t len);
/* returns the waiting line that was read first; NULL if no line waits */
struct og_waiting *og_send_first_line(const struct og_sender *s);
struct og_waiting *og_send_take_out(struct og_sender *s, struct og_waiting *w); /* take the line out of the queue;
                                                                                 * returns w */
/* put a line back into the queue, before all others */
void og_send_put_back(struct og_sender *s, struct og_waiting *w);
void og_send_free_lines(struct og_sender *s); /* free the lines that wait, without reporting outcomes */

/* --- withdraw.c --------------------------------------------------------------------------------------------------- */
/* If the cancel (s->order) names an order whose line still waits, that order is never posted: both lines get the
 * outcome canceled. Returns true in that case, or if the run ends. In every case s->order is the cancel again
 * afterwards. */
bool og_send_withdraw(struct og_account_state *a, const struct og_waiting *cancel);
/* Returns true if the cancel names the order of a line that was read before the cancel and still waits: the cancel is
 * then decided without a reading. */
bool og_send_is_withdrawable(struct og_account_state *a, const struct og_waiting *cancel);
