/*
 * An order that is followed, in parts with one owner each: a field is written by the file that its part names, after
 * og_orders_add() made it (tests/house/owners.py).
 */
#pragma once

#include "ordergate/book.h"
#include "outcome/absence.h"
#include "outcome/cancel.h"
#include "outcome/execution.h"

struct og_sender;
struct og_account_state;

/* Where an order came from in this run; line 0: from an earlier run. */
struct og_origin {
    long long line;
    int file; /* index in sender->file; -1: given by the program */
};

/* The line to which the order's outcome is reported (track.c). */
struct og_owed {
    struct og_origin origin;
    bool owed; /* that line has no outcome yet, or the order is recovered and has no line */
    /* loop time at which the outcome is reported as far as it is known; INT64_MAX: not posted yet */
    int64_t give_up_ms;
};

/* How it waits to leave, from its decision until the first byte of its POST is written (leave.c). */
struct og_leave {
    bool waits;    /* no request of it is under way, and it is decided once more before there is one */
    bool held;     /* its last request was held back, to wait so */
    bool waived;   /* it was accepted because of a waiver */
    bool closes;   /* the order only reduces, by its newest decision: a halt lets it pass, unless all are halted */
    bool canceled; /* its cancel came before its request left */
    uint64_t turn; /* orders that were decided before it have smaller ones */
    uint64_t facts_from; /* og_time_up() after which the reading begins by which a refusal counts; 0: any reading */
    int64_t until_ms;    /* loop time until which it may wait */
    char *why;           /* why it may not leave now, or did not; NULL: nothing is in its way but a 429 */
};

/* Its POST (post.c). */
struct og_post {
    char *body; /* NULL: not known */
    size_t len;
    char digest[72];
    char *traded;    /* symbol of a single order; NULL: not known */
    bool borrows;    /* it sells stock short: its borrow check and locates are asked for before it leaves */
    bool under_way;  /* the POST is queued, sent or waits, and has not ended */
    bool taken_back; /* it is being taken back, since the order is to be canceled */
    int busy;        /* answers 429 so far */
    int attempts;    /* requests that were sent, or may have been */
};

/* What the order takes of the account (hold.c). */
struct og_hold {
    og_ticket ticket;
    bool claims; /* an order of an earlier run with an unknown end: the book counts its body, as a claim */
    /* og_time_up() when the order was last seen to work or to end; of an earlier run's order: when the ledger's
     * newest record of it was written */
    uint64_t seen_at;
};

/* Its look-ups (ask.c). */
struct og_look {
    bool under_way;
    int count;       /* look-ups answered so far */
    int64_t next_ms; /* loop time; INT64_MAX: none is due */
    bool missed;     /* a list lacks the order although it may work, so it is looked up */
};

/* A line that waits for the end of an order that is canceled. */
struct og_cancel_line {
    struct og_cancel_line *next;
    struct og_origin origin;
    struct og_waiting *after; /* the line whose order takes its place, queued again then; NULL: the line is a cancel */
    struct og_money executed; /* quantity that had filled when the line was read */
};

/* Its cancel (cancel.c). */
struct og_cancel {
    enum og_cancel_state state;
    struct og_cancel_line *lines;
    int64_t until_ms; /* loop time until which the cancel is tried; 0 in OG_CANCEL_NONE */
    int64_t from_ms;  /* loop time before which no DELETE is sent while the order is PendingNew */
    bool urgent;
    int failures; /* DELETEs in a row that may not have reached the broker */
};

struct og_tracked {
    /* orders.c */
    struct og_tracked *next_in_bucket;
    struct og_tracked *next, **at; /* in the list of all */
    struct og_sender *sender;
    struct og_account_state *account;
    char *id;

    struct og_execution execution;
    struct og_owed line;
    struct og_post post;
    struct og_leave leave;
    struct og_hold hold;
    struct og_look look;
    struct og_absence absence; /* outcome/absence.c */
    struct og_cancel cancel;
    uint64_t stood_ns; /* how long the process had stood still when it was decided (pause.c) */
    bool recovered;    /* of an earlier run (resume.c) */
    bool external;     /* not posted by any run on this ledger (external.c) */
    bool in_book;      /* the book was told that its id is used (cancel.c, og_send_know()) */
    bool heard;        /* the broker showed the order in this run (track.c) */
    bool has_namesake; /* the broker has another order under the same id, and an event reported that (track.c) */
};
