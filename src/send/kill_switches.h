/*
 * What keeps an order from leaving, and what cancels the orders that left: halts, the dead man's switch, and the
 * decision right before the first byte.
 */
#pragma once

#include <limits.h>
#include <uv.h>

#include "broker/broker.h"
#include "ordergate/halt.h"
#include "ordergate/send.h"
#include "send/tracked.h"

/* --- leave.c ------------------------------------------------------------------------------------------------------ */
/* note that the order was accepted by this decision */
void og_send_leave_by(struct og_tracked *o, const struct og_decision *d);
/* Note for the order the value of og_send_since() of its line, and the og_time_up() at which the line began to wait for
 * facts; 0 if the line did not wait. */
void og_send_leave_line(struct og_tracked *o, uint64_t since, uint64_t waits_from);
void og_send_leave_withdrawn(struct og_tracked *o); /* note that another run has recorded a cancel of the order */
/* Note that a halt was seen since the order was decided. */
void og_send_leave_halted(struct og_tracked *o, enum og_trading halt);
void og_send_leave_begin(struct og_tracked *o); /* note that the order's POST is queued for the first time */
/* An og_call_before_send: decides the order once more. Returns NULL if the order's request may leave, otherwise the
 * reason why it may not. */
const char *og_send_may_leave(void *tracked);
/* Call when the order's request has ended. Returns true if the order was not sent and now waits to be decided once
 * more. */
bool og_send_stays(struct og_tracked *o, const struct og_call_reply *reply);
/* End the order's wait to leave, and the order with it. Returns false if the order does not wait. */
bool og_send_leave_ends(struct og_tracked *o, const char *why);
/* Post the orders that wait and may leave now, and end those that may not leave any more; once a tick. */
void og_send_leave_due(struct og_sender *s);

/* --- emergency.c -------------------------------------------------------------------------------------------------- */
/* Cancel the orders of that run, and those of runs that have ended, over a connection that is made for this purpose.
 * May be called in any thread. *asked: how many orders were to be canceled; *failed: how many of their cancels
 * failed. */
enum og_status og_send_cancel_apart(const struct og_send_options *options, const struct og_settings *settings,
                                    const char *run, int *asked, int *failed, struct og_error *err);

/* --- kill_switches.c ---------------------------------------------------------------------------------------------- */
/* The halt and the dead man's switch (kill_switches.c). */
struct og_guard {
    enum og_trading halt;
    struct og_halt halted;       /* the halt that was obeyed last, and that may be over */
    char halt_why[700];          /* since when, by whom and why trading is halted, or what is wrong with the flag */
    char halt_flag[PATH_MAX];    /* path of the flag that halts, or halted last; "" if there is none */
    bool halt_begun;             /* the flags were looked at, and compared with the ledger's newest record of them */
    struct og_sentry *sentry;    /* watches the halt flags and this loop, in its own thread */
    struct og_sentry_deed *deed; /* what the sentry did while the loop was blocked */
    uv_async_t snapshot;         /* by this the sentry's thread asks the loop for a snapshot */
    bool asks_snapshot;          /* `snapshot` is initialized on the loop */
    int64_t began_ns;            /* time by the machine's clock when the run began */
    int64_t alive_ms;            /* loop time at which the newest line was read */
    bool dead;                   /* the dead man's switch has fired since the newest line */
};

enum og_status og_send_guard_begin(struct og_sender *s, struct og_error *err);
void og_send_guard_end(struct og_sender *s);
void og_send_guard(struct og_sender *s); /* check the halts and the dead man's switch; early in each tick */
void og_send_look_for_halt(struct og_sender *s);
/* Halt the book, or let it go on, by what is known of the newest halt. */
void og_send_halt_book(struct og_sender *s, enum og_trading trading);
/* Returns what guard.halt_why ends with in a message: what to do about the halt; "" if trading is on. */
const char *og_send_halt_advice(const struct og_sender *s);
void og_send_alive(struct og_sender *s); /* note that a line was read */
/* Returns a text about the halt that keeps the order from leaving; NULL if there is no such halt. leaves: without such
 * a halt the order leaves right after this call. */
const char *og_send_halts(struct og_tracked *o, bool leaves);
