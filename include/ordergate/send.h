/*
 * The sender: decides orders, records them in the ledger, posts each once, and follows them until their outcome is
 * known (docs/contract.md "ordergate send"). An order is never posted while an earlier POST of it may still have an
 * effect, nor before its intent is on the disk.
 * Threads: a sender belongs to one thread, except for og_sender_stop() and og_sender_reload(). It runs either inside
 * og_sender_run(), best in a thread of its own, with lines from other threads coming through a pipe (og_sender_read()),
 * or on the caller's loop (og_sender_start()). Listeners are called on the sender's thread.
 * fork(): a child must not use, run or free a sender of its parent: its ledger, connections and locks are the parent's.
 * A child calls exec() or _exit(), or makes a sender of its own.
 * Signals: the library catches and ignores none; a program that writes events to a pipe must ignore SIGPIPE itself.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_SEND_H
#define ORDERGATE_SEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ordergate/log.h"
#include "ordergate/source.h"
#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_sender;

/* Called with one event: a JSON object without newline (docs/contract.md "Events"), valid during the call, whose record
 * is in the ledger already. Returns 0 to go on. Any other value means that events can no longer be delivered: nothing
 * more is posted, orders in flight are still followed and recorded, and the run ends with exit code 4. The listener may
 * give lines, and must not free the sender. */
typedef int og_event_listener(void *with, const char *event, size_t len);
/* Called with a message for people, without newline; valid during the call. */
typedef void og_word_listener(void *with, const char *text);

/* Options; zero it first.  Strings are copied. */
struct og_send_options {
    struct og_policy *policy; /* the sender owns it once og_sender_new() returns OG_OK */
    bool policy_named;        /* the user chose the policy by name; required unless the account is Paper */
    /* path of the broker file; if it is NULL, settings come from environment variables alone */
    const char *broker;
    /* NULL means the account of the broker file or the environment variables, or the only one that the keys reach */
    const char *account;
    const char *tag;    /* the strategy of all lines (og_book_client_tag()); NULL if none is given */
    const char *ledger; /* NULL means $XDG_STATE_HOME/ordergate/ledger.db */
    /* path of an NDJSON file, which is followed as it grows, or of a FIFO; NULL if there is none */
    const char *quotes;
    /* name of a batch: a line without an id gets one made from the batch, the order's terms, and how many lines of the
     * run with these terms came before; NULL: a new random one */
    const char *batch;
    /* a path where programs of this user give lines as long as the run lasts, which it does until it is stopped: a FIFO
     * that is there, or a socket that is made (mode 0600). A writer on the socket gets the events of its own lines too,
     * which have its number as "writer"; NULL if there is none */
    const char *intake;
    /* the socket of a service manager, as NOTIFY_SOCKET has it (sd_notify(3)): it is told when the run decides lines,
     * what it does, and when it ends; NULL if there is none */
    const char *notify_socket;
    int64_t watchdog_ns; /* the service manager is told at least so often that the loop turns; at least 1 s; 0: never */
    int64_t wait_ns;     /* how long an order is followed after its POST; 0 means 30 s */
    int64_t timeout_ns;  /* time-out of one request; 0 means 10 s */
    int64_t dead_man_ns; /* cancel this gate's orders if no line comes for so many ns; 0 means never */
    int max_in_flight;   /* maximum number of POSTs that are sent and not answered yet; 0 means 10 */
    bool until_final;    /* follow orders to a terminal state, not only to the acknowledgement */
    bool dry_run;        /* decide only: nothing is written or posted, and no id is used */
    bool recover;        /* first find out the outcome of orders that earlier runs left open; takes at most wait_ns */
    bool resend_not_sent; /* post orders in state not-sent again, under their ids */
    bool trust_input; /* lines may also be facts and quotes, so whoever writes lines can change what is known about the
                       * account. false: such a line is refused (input-not-trusted) */
    bool ledger_may_vanish; /* the ledger may be on tmpfs or in a container's layer.  false: the listener `word` gets
                             * a warning; with environment live and a broker on another machine it is an error,
                             * OG_ELEDGER */
    bool accept_damage;     /* use a ledger that does not match its hashes, after recording in it that the damage is
                             * accepted. false: OG_ELEDGER, unless exactly this damage was accepted before */
    /* another sender of this user may use the account with another ledger; the two senders see each other's orders only
     * through the broker, about a second late. false: the run ends with exit code 4 if there is such a sender */
    bool share_account;
    og_event_listener *event;        /* gets the events; if it is NULL, events are not delivered */
    og_word_listener *word;          /* gets the messages; if it is NULL, messages are not delivered */
    og_log_listener *log;            /* gets the messages with their level, in the place of `word`; NULL: `word` does */
    void *with;                      /* passed to these listeners */
    struct og_policy_source *source; /* where the policy was loaded from; it is loaded again when a file changes.  Freed
                                      * by the caller, after the sender.  NULL: the policy is never loaded again */
};

/* Make a sender.  Nothing is contacted or written yet.
 *   OG_EINVAL  an option or a setting of the broker cannot be used; err says which, the value seen and what to do
 *   OG_EPOLICY the broker file demands a signature (require_signature) that the policy lacks; `word` gets a message
 *   OG_EIO     the broker file, the secret or the quotes cannot be read, or others may read or write them
 *   OG_ENET    libcurl or libuv cannot be started
 *   OG_ENOMEM  In all of these *sender is NULL and the policy stays the caller's. */
OG_API OG_MUST_USE enum og_status og_sender_new(const struct og_send_options *options, struct og_sender **sender,
                                                struct og_error *err);
OG_API void og_sender_free(struct og_sender *sender); /* NULL is allowed; must not be called from a listener */

/* Load facts that the broker cannot give (docs/contract.md "Facts"). Returns the statuses of og_book_apply(). */
OG_API OG_MUST_USE enum og_status og_sender_facts(struct og_sender *sender, const char *json, size_t len,
                                                  const char *name, struct og_error *err);

/* Read lines from a descriptor until its end; several descriptors are read one after the other.  name is the "file" of
 * their events; if it is NULL, events have no "file".  The descriptor stays the caller's.
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_sender_read(struct og_sender *sender, int fd, const char *name);
/* Give one line, without newline; it is copied. Lines of facts are refused unless options.trust_input is set: use
 * og_sender_facts() for facts. May be called before and during the run.
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_sender_line(struct og_sender *sender, const char *bytes, size_t len);
/* og_sender_hold() announces that lines will be given later: the run does not end before og_sender_end() is called. */
OG_API void og_sender_hold(struct og_sender *sender);
OG_API void og_sender_end(struct og_sender *sender);

/* Returns the id of the run, which its events have too; valid as long as the sender. */
OG_API const char *og_sender_id(const struct og_sender *sender);
/* Let events of decisions about orders have a further member, "order": the order's body, with "replaces" if it replaces
 * another one. It is absent if the order has a field that the service does not know. For programs that show people what
 * an event is about; call it before the run. */
OG_API void og_sender_tell_orders(struct og_sender *sender);
/* Call the listener with what the sender does now, a JSON object: a snapshot, as "ordergate schema status" describes
 * it. May be called from the listener of events.
 *   OG_EINVAL  the run has not begun
 *   OG_EIO     the listener returned another value than 0
 *   OG_ENOMEM  the listener was not called */
OG_API OG_MUST_USE enum og_status og_sender_snapshot(struct og_sender *sender, og_event_listener *snapshot, void *with);

/* End the run: orders that were read but not posted get the outcome not-sent, and orders in flight are followed for up
 * to 10 s. May be called from any thread and from a signal handler. */
OG_API void og_sender_stop(struct og_sender *sender);

/* Load the policy again from options.source, as if one of its files had changed. It comes into force between two
 * orders; if it does not load, the present policy stays. Success and failure are reported by an event "policy" and
 * recorded in the ledger. May be called from any thread and from a signal handler. */
OG_API void og_sender_reload(struct og_sender *sender);

/* Give a message that says what the run does now, and one for each account; the level is OG_LOG_INFO. Before the run
 * has begun, nothing happens. May be called from any thread and from a signal handler. */
OG_API void og_sender_report(struct og_sender *sender);

/* Run until every line has its outcome. A sender runs once.
 *   OG_OK    *exit_code is 5, 4, 1 or 0 (docs/contract.md "Exit codes")
 *   others   the sender could not start or had to end early; err says why; *exit_code is 2, 3 or 4, or 5 if an outcome
 *            is unknown */
OG_API OG_MUST_USE enum og_status og_sender_run(struct og_sender *sender, int *exit_code, struct og_error *err);

/* Run on the caller's own event loop: call start; call step whenever the descriptor is readable or the timeout is over,
 * and after giving lines; when step returns false, call finish. Steps must not be seconds late: an order that was
 * decided more than 5 s ago and has not left is not sent. og_sender_finish() returns what og_sender_run() does, also
 * after a start that failed; it must not be called before the run has ended. */
OG_API OG_MUST_USE enum og_status og_sender_start(struct og_sender *sender, struct og_error *err);
OG_API int og_sender_fd(const struct og_sender *sender); /* for poll() or epoll; the descriptor stays the sender's */
/* time until the next step; 0 means now, -1 means to wait for the descriptor only */
OG_API int og_sender_timeout_ms(struct og_sender *sender);
OG_API bool og_sender_step(struct og_sender *sender); /* may wait for the disk, but never for the network; returns
                                                       * false at the end of the run */
OG_API OG_MUST_USE enum og_status og_sender_finish(struct og_sender *sender, int *exit_code, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
