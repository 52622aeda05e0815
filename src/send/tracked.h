/*
 * A followed order, in parts with one owner each: a field is written only by the file that the comment of its part
 * names, once og_orders_add() has made the order (tests/house/owners.py).
 */
#pragma once

#include "ordergate/book.h"
#include "ordergate/halt.h"
#include "outcome/absence.h"
#include "outcome/cancel.h"
#include "outcome/execution.h"
#include "send/wait_reports.h"

struct og_sender;
struct og_account_state;

/* Where an order came from in this run; line is 0 if an earlier run made the order. */
struct og_origin {
    long long line;
    int file;        /* index in sender->file; -1 if the program or a writer gave the line */
    uint64_t writer; /* number of the writer that gave the line (intake.c); 0: none */
};

/* The line for which the order's outcome is reported (track.c). */
struct og_owed {
    struct og_origin origin;
    bool owed; /* no outcome was reported yet for the line or, if a recovered order has no line, for the order */
    /* loop time at which the outcome is reported as far as it is known; INT64_MAX if the order is not posted yet */
    int64_t give_up_ms;
    bool unknown; /* the order's outcome was reported as unknown, and is not settled yet */
};

/* How the order waits to be sent, from its decision until the first byte of its POST is written (leave.c). */
struct og_leave {
    bool waits;  /* the order has no request under way, and is decided once more before the next one */
    bool held;   /* the order's last request was held back by the decision before it, so the order waits */
    bool waived; /* the order was accepted because of a waiver */
    bool closes; /* by its newest decision the order only reduces, so a halt does not stop it unless everything is
                  * halted */
    enum og_trading halt; /* the strictest halt since the order was decided, even if trading was resumed meanwhile */
    bool canceled;        /* the order was canceled before its request left */
    bool withdrawn;       /* another run has recorded a cancel of the order */
    /* a number that grows with each order whose POST is queued: the order with the lowest number goes first */
    uint64_t turn;
    uint64_t
        facts_from; /* og_time_up(): only a reading that began after this time makes a refusal final; 0 if any reading
                     * does */
    /* og_time_up() since when the order waits for a reading because an order of somebody else has changed; 0 if it does
     * not wait */
    uint64_t elsewhere_from;
    uint64_t asked_at;   /* og_time_up(); the argument asked_at of og_send_account_ready() */
    uint64_t line_at;    /* og_send_since() of the order's line */
    uint64_t waits_from; /* og_time_up() since when the order, or its line, has waited for facts of its account; 0 if it
                          * did not wait */
    int64_t until_ms;    /* loop time until which the order may wait to leave */
    enum og_held_by held_by; /* what the order waits for; OG_HELD_NOT: its request may leave, or has left */
    /* why the order may not leave now, or could not leave; NULL if only an answer 429 delays it */
    char *why;
};

/* The order's POST (post.c). */
struct og_post {
    char *body; /* NULL if the body is not known */
    size_t len;
    char digest[72];
    char *tag;       /* the strategy that the order counts for; NULL if it has none */
    char *traded;    /* symbol of a single order; NULL if the order is a spread or the symbol is not known */
    bool sells;      /* the single order is a sale; valid only if `traded` is set */
    bool borrows;    /* the order sells stock short: its borrow check and locates are requested before it leaves */
    bool under_way;  /* the POST is queued, sent or waiting, and has not ended */
    bool taken_back; /* the POST is being withdrawn, since the order is to be canceled */
    int busy;        /* number of answers 429 so far */
    int attempts;    /* number of requests that were, or may have been, sent */
};

/* The order's reservation in the account (reservations.c). */
struct og_hold {
    og_ticket ticket;
    bool overfilled; /* the broker showed a fill that the book cannot count */
    /* og_time_up() when the broker last showed the order, working or ended. For an earlier run's order: when the
     * ledger's newest record of it was written */
    uint64_t seen_at;
};

/* The order's look-ups (lookups.c). */
struct og_look {
    bool under_way;
    int count;       /* number of look-ups answered so far */
    int64_t next_ms; /* loop time of the next look-up; INT64_MAX if none is due */
    int64_t date;    /* the newest Date of the broker when the last look-up was requested; OG_TIME_UNKNOWN if there is
                      * none */
    bool missed;     /* a list lacks the order although it may be working, so it is looked up */
};

/* A line that waits for the end of an order that is being canceled. */
struct og_cancel_line {
    struct og_cancel_line *next;
    struct og_origin origin;
    struct og_waiting *after; /* the line whose order replaces the canceled one: it is queued again afterwards; NULL if
                               * the line is a cancel */
    struct og_money executed; /* the order's filled quantity when the line was read */
    struct og_held held;
};

/* The order's cancel (cancel.c). */
struct og_cancel {
    enum og_cancel_state state;
    struct og_cancel_line *lines;
    uint64_t began; /* og_time_up() when the cancel began */
    /* og_time_up() when the broker first showed the order PendingCancel; 0 if it does not show that now */
    uint64_t seen_at;
    int64_t until_ms; /* loop time until which DELETEs are sent; 0 in OG_CANCEL_NONE */
    int64_t from_ms;  /* loop time before which no DELETE is sent while the order is PendingNew */
    struct og_origin
        answered; /* the line that was answered last (the first one, if several were answered together): events name it
                   * until the DELETE is answered too */
    bool urgent;
    /* the order ended by an answer that denied it, and must be canceled if the broker shows it as working nevertheless.
     * For that purpose lists of orders are read until loop time shown_until_ms, and until a list was requested after
     * shown_from (og_time_up()) */
    bool if_shown;
    int64_t shown_until_ms;
    uint64_t shown_from;
    bool recorded; /* the ledger has the cancel (record "withdraw"), so that no run on it posts the order any more */
    int failures;  /* number of DELETEs in a row that may not have reached the broker */
};

struct og_tracked {
    /* track.c */
    bool shown; /* the order never worked as far as is known here, but the newest row with its id showed a working
                 * order */

    /* orders.c */
    struct og_tracked *next_in_bucket;
    struct og_tracked *next, **at; /* links in the list of all followed orders */
    struct og_sender *sender;
    struct og_account_state *account;
    char *id;

    struct og_execution execution;
    struct og_owed line;
    struct og_post post;
    struct og_leave leave;
    struct og_held held;
    struct og_hold hold;
    struct og_look look;
    struct og_absence absence; /* outcome/absence.c */
    struct og_cancel cancel;
    uint64_t
        stood_ns;   /* total time for which the process had been suspended when the order was decided (suspension.c) */
    bool recovered; /* an earlier run made the order (resume.c) */
    /* seq of the ledger's record from which the order's state was taken; 0 if there is none (resume.c) */
    int64_t recovered_seq;
    bool external;     /* no run on this ledger posted the order (external.c) */
    bool in_book;      /* the book was told that the order's id is used (cancel.c, og_send_know()) */
    bool heard;        /* the broker has shown the order during this run (track.c) */
    bool has_namesake; /* the broker has another order with the same id, and an event has reported that (track.c) */
};

/* --- an order whose outcome was reported as unknown: track.c, event.c, account_locks.c ---------------------------- */
/* Returns true while the order is looked up: it is pending, or its outcome is not known, even if that outcome was
 * already reported as unknown. */
bool og_send_is_followed(const struct og_tracked *o);
void og_send_was_unknown(struct og_tracked *o); /* note that an outcome of the order was reported as unknown */
/* Returns true if the order's outcome was reported as unknown, and its state is known by now. */
bool og_send_settles(const struct og_tracked *o);
void og_send_count_unknown(struct og_sender *s); /* count an order whose outcome was reported as unknown */
/* Call when an outcome that was reported as unknown is known: counts it for the exit code like one reported in time. */
void og_send_count_settled(struct og_sender *s, struct og_origin origin, const char *outcome);
/* Returns the process id of the only other sender that sends for the account; 0 if there is no other sender, or more
 * than one. */
long og_send_fellow(const struct og_account_state *a);

/* --- an order whose cancel is on record: cancel.c ----------------------------------------------------------------- */
/* Note that the ledger has the order's cancel: no run on it posts the order any more. */
void og_send_cancel_recorded(struct og_tracked *o);
/* Write the intent of an order that is never posted, so that its id counts as used. If the ledger cannot be written
 * now, the intent is written later. Returns false if the run ends (post.c). */
bool og_send_intend_later(struct og_tracked *o, bool again);
/* Returns true if the order was not sent, and its cancel is recorded. */
bool og_send_is_withdrawn(const struct og_tracked *o);
