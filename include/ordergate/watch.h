/*
 * The service's two streams (docs/readings.md "X. WebSocket events"), decoded: one JSON object a message.
 * What happened before "ready", and between "down" and the next "ready", was not seen, and is to be read by REST.
 * Threads: a watch belongs to one thread; og_watch_stop() may be called from any, and from a signal handler.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_WATCH_H
#define ORDERGATE_WATCH_H

#include "ordergate/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct og_watch;

/* One object, without newline; it lives during the call:
 *   {"event":"ready","stream":"portfolio","accountId":"L1","at":"..."}     signed in and subscribed
 *   {"event":"down",...,"why":"..."}                                       lost; it is tried again, with jittered
 *   pauses
 *   {"event":"order",...,"order":{...}}          the keys of REST, whichever shape came
 *   {"event":"position",...,"position":{...}}    as it came
 *   {"event":"pnl-init" | "pnl-position" | "pnl-totals",...,"pnl":{...}}   as it came
 *   {"event":"other",...,"frame":{...}}          a message of no known kind
 * Answer 0; anything else ends the watch. */
typedef int og_watch_listener(void *with, const char *line, size_t len);

/* Zero it first.  Strings are copied. */
struct og_watch_options {
    const char *broker, *account; /* as in ordergate/broker.h */
    bool pnl;                     /* the P&L stream; else Portfolio */
    long long count;              /* end after so many messages ("ready" and "down" are none); 0: do not */
    int64_t for_ns;               /* end after that long; 0: do not */
    og_watch_listener *line;
    void *with;
};

/* Where nobody says the account, the service is asked, by REST.
 *   OG_EINVAL, OG_EIO     as og_client_open()
 *   OG_ENOENT             the keys reach no account, or several
 *   OG_EAUTH, OG_ENET     the keys are not taken; the service cannot be reached
 *   OG_ENOMEM             In all of these *watch is NULL. */
OG_API OG_MUST_USE enum og_status og_watch_new(const struct og_watch_options *options, struct og_watch **watch,
                                               struct og_error *err);
OG_API void og_watch_free(struct og_watch *watch); /* NULL is allowed; not from the listener */
OG_API void og_watch_stop(struct og_watch *watch);
/* Once.  OG_OK: stopped, counted out, or its time is over; OG_EAUTH: the stream refused the keys; OG_EIO: the listener
 * ended it. */
OG_API OG_MUST_USE enum og_status og_watch_run(struct og_watch *watch, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
