/*
 * Sending: orders in, decided, recorded in the ledger, posted once, and followed until their fate is known
 * (docs/contract.md "ordergate send").  An order is never posted twice, nor before its intent is on the disk.
 * Threads: a sender belongs to one thread, but for og_sender_stop().  It runs inside og_sender_run(), best in a thread
 * of its own, where lines come from other threads through a pipe (og_sender_read()) and events are told on the sender's
 * thread; or on the caller's loop (og_sender_start()).  Signals: none are caught or ignored; a program that writes
 * events to a pipe ignores SIGPIPE itself.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_SEND_H
#define ORDERGATE_SEND_H

#include "ordergate/source.h"
#include "ordergate/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct og_sender;

/* One event, a JSON object without newline (docs/contract.md "Events"); it lives during the call.  What it tells is
 * already in the ledger.  Answer 0; anything else says that events cannot be taken any more: then nothing more is
 * posted, what is in flight is followed into the ledger, and the run ends with 4.  Lines may be given from inside,
 * nothing freed. */
typedef int og_event_listener(void *with, const char *event, size_t len);
/* A sentence for people, without newline; it lives during the call. */
typedef void og_word_listener(void *with, const char *text);

/* How to send; zero it first.  Strings are copied. */
struct og_send_options {
    struct og_policy *policy; /* taken when og_sender_new() answers OG_OK */
    bool policy_named;        /* the user chose it: an account that is not Paper demands it */
    const char *broker;       /* broker file; NULL: the environment alone */
    const char *account;      /* NULL: the broker file's, the environment's, or the only one the keys reach */
    const char *ledger;       /* NULL: $XDG_STATE_HOME/ordergate/ledger.db */
    const char *quotes;       /* NDJSON that may grow, or a FIFO; NULL: none */
    const char *batch;        /* makes the ids of lines without one, from batch, file, line and bytes; NULL: new
                                * ones */
    int64_t wait_ns;          /* from the POST to giving up; 0: 30 s */
    int64_t timeout_ns;       /* of one request; 0: 10 s */
    int64_t dead_man_ns;      /* no line for so long: the orders this gate made are canceled; 0: never */
    int max_in_flight;        /* POSTs without an answer; 0: 10 */
    bool until_final;         /* wait for a terminal state, not only for an acknowledgement */
    bool dry_run;             /* decide only: nothing is written, posted or used up */
    bool recover;             /* settle what earlier runs left open, for as long as it takes, within the wait */
    bool resend_not_sent;     /* post orders again that were not sent, under their ids */
    bool trust_input;         /* lines may be facts and quotes too: whoever writes them decides what is known of
                                      * the account.  false: such a line is refused (input-not-trusted) */
    bool ledger_may_vanish;   /* it may lie on tmpfs or a container's own layers.  false: told by word, and with
                                      * environment live and a broker on another machine an error, OG_ELEDGER */
    bool accept_damage;       /* send on a ledger that is not what its hashes say, once this acceptance is recorded
                                      * there.  false: it does not start, OG_ELEDGER, unless just this damage was
                                      * accepted before */
    bool share_account;       /* beside a sender of this user on another ledger: the two see each other's orders by the
                                * broker alone, about a second late.  false: such an account ends the run with 4 */
    og_event_listener *event; /* NULL: nobody listens */
    og_word_listener *word;   /* NULL: nobody reads */
    void *with;               /* handed to both */
    struct og_policy_source *source; /* where the policy was loaded from, the caller's, alive as long as the sender:
                                      * read
                                      * again when a file changes; NULL: never */
};

/* Make a sender; nothing is contacted or written yet.
 *   OG_EINVAL  an option or a setting of the broker cannot be used; err says which, the value seen and what to do
 *   OG_EPOLICY the broker's settings demand a signature (require_signature), and the policy has none; told by word
 *   OG_EIO     the broker file, the secret or the quotes cannot be read, or others may
 *   OG_ENET    libcurl or libuv cannot be started
 *   OG_ENOMEM  In all of these *sender is NULL and the policy stays the caller's. */
OG_API OG_MUST_USE enum og_status og_sender_new(const struct og_send_options *options, struct og_sender **sender,
                                                struct og_error *err);
OG_API void og_sender_free(struct og_sender *sender); /* NULL is allowed; not from a listener */

/* Facts the broker does not have (docs/contract.md "Facts"); statuses as og_book_apply(). */
OG_API OG_MUST_USE enum og_status og_sender_facts(struct og_sender *sender, const char *json, size_t len,
                                                  const char *name, struct og_error *err);

/* Read lines from a descriptor until its end; several are read one after the other.  name stands in the events as
 * "file"; NULL: it does not.  The descriptor stays the caller's.  OG_ENOMEM. */
OG_API OG_MUST_USE enum og_status og_sender_read(struct og_sender *sender, int fd, const char *name);
/* Give one line, without newline; copied.  Facts are refused but with options.trust_input: give og_sender_facts().
 * Before or during the run.  OG_ENOMEM. */
OG_API OG_MUST_USE enum og_status og_sender_line(struct og_sender *sender, const char *bytes, size_t len);
/* Lines will be given later: the run does not end before og_sender_end(). */
OG_API void og_sender_hold(struct og_sender *sender);
OG_API void og_sender_end(struct og_sender *sender);

/* What was read and not posted becomes not-sent; what is in flight is followed for up to 10 s.  From any thread, and
 * from a signal handler. */
OG_API void og_sender_stop(struct og_sender *sender);

/* Load the policy again from options.source, as when one of its files changed: put in force between two orders; one
 * that does not load leaves the one before in force.  An event "policy" and the ledger tell of both.  From any thread,
 * and from a signal handler. */
OG_API void og_sender_reload(struct og_sender *sender);

/* Run until every line has its outcome, once.
 *   OG_OK    *exit_code is 5, 4, 1 or 0 (docs/contract.md "Exit codes")
 *   others   it could not start, or had to end early: *exit_code is 2, 3 or 4, or 5 when an outcome is unknown; err
 *            says why */
OG_API OG_MUST_USE enum og_status og_sender_run(struct og_sender *sender, int *exit_code, struct og_error *err);

/* The same on the caller's loop: start; step whenever the descriptor can be read or the time is over, and after giving
 * lines; once step answers false, finish.  A step that is seconds late is a standstill: an order that was decided more
 * than 5 s before and has not left is not sent.  og_sender_finish() answers as og_sender_run() does, also after a start
 * that failed; before the end it may not be called. */
OG_API OG_MUST_USE enum og_status og_sender_start(struct og_sender *sender, struct og_error *err);
OG_API int og_sender_fd(const struct og_sender *sender);   /* for poll() or epoll; the sender's own */
OG_API int og_sender_timeout_ms(struct og_sender *sender); /* until the next step; 0: now, -1: none is due */
OG_API bool og_sender_step(struct og_sender *sender);      /* never waits for the network; a record's way to the disk it
                                                       * does */
OG_API OG_MUST_USE enum og_status og_sender_finish(struct og_sender *sender, int *exit_code, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
