/*
 * One WebSocket connection on the event loop.  The only file that includes libwebsockets on this side.
 * It refuses unverified TLS, proxies to loopback, binary frames and messages over a limit.
 */
#ifndef OG_STREAM_WS_H
#define OG_STREAM_WS_H

#include "ordergate/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

struct og_ws;

struct og_ws_place {
    const char *host, *path, *ca_file; /* ca_file NULL: the machine's */
    int port;
    bool tls, loopback;
};

struct og_ws_events {
    void (*opened)(void *with);
    void (*text)(void *with, char *bytes, size_t len); /* one whole message, its bytes the callback's to change */
    void (*closed)(void *with, const char *why);       /* also when it could not be opened; once per og_ws_open() */
};

/* place's texts are copied; events are borrowed.  OG_ENOMEM, OG_ENET (libwebsockets cannot be started). */
enum og_status og_ws_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_ws_events *events,
                         void *with, struct og_ws **ws, struct og_error *err);
void og_ws_open(struct og_ws *ws);                               /* not while one is open or opening */
bool og_ws_send(struct og_ws *ws, const char *text, size_t len); /* copied, wiped once written; false: out of memory */
void og_ws_close(struct og_ws *ws); /* closed() follows; nothing when there is no connection */
/* No event comes any more; its handles close as the loop runs.  NULL is allowed. */
void og_ws_free(struct og_ws *ws);

#endif
