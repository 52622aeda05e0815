/*
 * The service's two streams (docs/readings.md "X. WebSocket events"), decoded: one JSON object for each message.
 * Changes from before "ready", and between "down" and the next "ready", were not seen and must be read by REST, which
 * the watch does if snapshots are wanted.
 * Threads: a watch belongs to one thread; og_watch_stop() may be called from any thread, and from a signal handler.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_WATCH_H
#define ORDERGATE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_watch;

/* Called with one object, without newline, which is valid during the call:
 *   {"event":"ready","stream":"portfolio","accountId":"L1","at":"..."}     signed in and subscribed
 *   {"event":"down",...,"why":"..."}             lost; it is retried, with jittered pauses
 *   {"event":"order",...,"order":{...}}          with the keys of REST, whichever shape was received
 *   {"event":"position",...,"position":{...}}    as received
 *   {"event":"pnl-init" | "pnl-position" | "pnl-totals",...,"pnl":{...}}   as received
 *   {"event":"other",...,"frame":{...}}          a message of no known kind
 * With snapshots, after each "ready", and before what changes later:
 *   {"event":"snapshot",...,"snapshot":{"asOf":"...","orders":[...],"positions":[...],"unknown":["id"]}}
 *   {"event":"unread",...,"why":"..."}           the account could not be read; it is read again
 * What happened before asOf is in the snapshot.  orders: with the keys of REST, those looked up because the service's
 * list left them out last; positions: as received; unknown: orders that worked, and that the service does not know any
 * more.  Where positions may lag fills (`settle` of the broker file), a second snapshot follows if they did.
 * An order frame is left out if a snapshot, or an earlier frame, told as much.
 * Return 0 to go on; any other value ends the watch. */
typedef int og_watch_listener(void *with, const char *line, size_t len);

/* Zero it first.  Strings are copied. */
struct og_watch_options {
    const char *broker, *account; /* as for ordergate/broker.h */
    bool pnl;                     /* true: watch the P&L stream; false: watch the portfolio stream */
    bool snapshot;                /* read the account after each sign-in (not with pnl) */
    /* end after this many messages, not counting "ready", "down", "snapshot" and "unread"; 0 means no limit */
    long long count;
    int64_t for_ns; /* end after this time; 0 means no limit */
    og_watch_listener *line;
    void *with;
};

/* Make a watch. If no account is configured, the service is asked for it, by REST.
 *   OG_EINVAL, OG_EIO     as for og_client_open()
 *   OG_ENOENT             the keys reach no account, or several
 *   OG_EAUTH, OG_ENET     the keys are rejected; the service cannot be reached
 *   OG_ENOMEM             In all of these *watch is NULL. */
OG_API OG_MUST_USE enum og_status og_watch_new(const struct og_watch_options *options, struct og_watch **watch,
                                               struct og_error *err);
OG_API void og_watch_free(struct og_watch *watch); /* NULL is allowed; must not be called from the listener */
OG_API void og_watch_stop(struct og_watch *watch);
/* Run the watch, once.  OG_OK: it was stopped, or count or for_ns was reached; OG_EAUTH: the stream refused the keys;
 * OG_EIO: the listener ended it. */
OG_API OG_MUST_USE enum og_status og_watch_run(struct og_watch *watch, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
