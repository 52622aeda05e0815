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
    struct og_waiting *next, *before; /* links in the list that has the line */
    struct og_origin origin;
    uint64_t at;    /* og_time_up() when the line was read */
    int64_t number; /* sequence number of the line among all lines read */
    bool cancels;   /* the line is a cancel */
    size_t names;   /* for a cancel: og_orders_hash() of the id of the order to cancel */
    bool aside;     /* the line is a cancel that was set aside */
    bool known;     /* the line was set aside, and its order has become known since, or the broker has shown it */
    struct og_waiting *next_aside, **at_aside; /* links in a chain of aside_by_id */
    struct og_account_state *account;          /* account of a line that was set aside; NULL if it is not known yet */
    /* og_orders_hash() of the symbol of the line's order; 0 if the line makes no order, or one that replaces another */
    size_t trades;
    bool closes;     /* the line makes an order that may close */
    size_t replaces; /* og_orders_hash() of the id of the order that the line's order replaces; 0 if it replaces none */
    bool orphaned;   /* the dead man's switch fired after the line was read, so the line's order is not sent */
    /* the strictest halt since the line was read; it applies to the line even if trading was resumed meanwhile */
    enum og_trading halt;
    /* a cancel or a replacement: this run does not know the order to cancel, so the line waits for a list of orders;
     * and og_time_up() since when it waits for that, 0 if it does not wait */
    bool unheard;
    uint64_t list_from;
    unsigned pass; /* the pass in which the line was last considered ahead of earlier ones (overtake.c); 0: none */
    /* og_orders_hash() of the id of the order that the line makes; 0 if the line makes no order, or has no id yet */
    size_t makes;
    bool replaced; /* the order that the line's order replaces is Canceled, or the ledger already has the line's
                    * order */
    bool again;    /* the line was refused once because of facts that may be too old: see og_send_decides_again() */
    struct og_ident id; /* id made for an order whose line has none; "" until it is made */
    bool recalled;      /* og_send_batch_recall() was called for the line while the ledger was open */
    /* og_time_up(): only a reading that began after this time may decide the line; 0 if any reading may. For a cancel
     * that was considered: when its line was read */
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

#define OG_ASIDE_CHAINS 1024
/* largest memory, in bytes, of lines that are set aside; further ones are not sent */
#define OG_ASIDE_MOST ((size_t)32 << 20)

/* The lines that wait to be decided (queue.c). A cancel is set aside while it waits for the list of orders, or of
 * accounts: cancels do not wait for other lines, and only orders that may open wait for lines that are set aside. */
struct og_line_queue {
    struct og_line_list {
        struct og_waiting *first, *last;
    } cancels, aside, others;                        /* each list is in the order in which lines were read */
    struct og_waiting *aside_by_id[OG_ASIDE_CHAINS]; /* the lines that are set aside, by `names` */
    size_t aside_memory;                             /* bytes of memory that they take */
    bool any_known;      /* a line that is set aside may have `known` set, or have no account yet */
    size_t count, bytes; /* number and bytes of the lines in `others` */
    size_t memory;       /* bytes of memory that all lines take */
    int64_t taken;       /* sequence number of the newest line */
    struct og_batch_ids batch;
};

/* The passes over the lines that may be decided ahead of earlier ones (overtake.c). */
struct og_ahead {
    unsigned pass;    /* number of passes that have ended */
    bool more;        /* the present pass has taken several iterations of the loop */
    uint64_t reading; /* og_time_up() of the newest reading of any account when the present pass began */
};

/* --- queue.c ------------------------------------------------------------------------------------------------------ */
/* Queue a line, or take in a heartbeat, which is not queued. Returns false if out of memory. */
bool og_send_take_line(struct og_sender *s, struct og_origin origin, const char *bytes, size_t len);
/* returns the waiting line that was read first; NULL if no line waits */
struct og_waiting *og_send_first_line(const struct og_sender *s);
/* Returns the line that is to be decided next: the one that was read first among those that are not set aside. Returns
 * NULL if there is none, or if it is no cancel and a line that was read before it is set aside. */
struct og_waiting *og_send_next_line(const struct og_sender *s);
/* Set a cancel aside, unless it is already. Returns false if the lines that are set aside take too much memory. */
bool og_send_set_aside(struct og_sender *s, struct og_account_state *a, struct og_waiting *w);
/* Put the lines back that were set aside and need not wait any longer, since their order, or account, is known. */
void og_send_put_back_known(struct og_sender *s);
/* Call when an order becomes known, or the broker has shown it: cancels of it that were set aside are considered
 * again. */
void og_send_heard_of(struct og_sender *s, const struct og_account_state *a, struct og_str id);
/* Returns true if a line that was read before the line is set aside. */
bool og_send_is_behind_aside(const struct og_sender *s, const struct og_waiting *w);
/* Returns true if a line from `first` up to, but not including, w trades the same symbol, or may have the same id. */
bool og_send_is_entangled(const struct og_waiting *first, const struct og_waiting *w);
/* Returns true if a line from `first` up to, but not including, w may make an order with w's id, may make the order
 * that w's order replaces, or may itself replace that order; or if a line that was read before w, and is set aside, may
 * cancel one of the two. */
bool og_send_is_tied(const struct og_sender *s, const struct og_waiting *first, const struct og_waiting *w);
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
