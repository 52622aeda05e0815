/*
 * One WebSocket client connection on the event loop, over libwebsockets.  Never accepts unverified TLS, binary frames
 * or messages over a limit, and never uses a proxy for loopback.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

#include "ordergate/status.h"

struct og_ws;

struct og_ws_place {
    const char *host, *path, *ca_file; /* ca_file NULL: the system's CA certificates */
    int port;
    bool tls, loopback;
};

struct og_ws_events {
    void (*opened)(void *with);
    void (*text)(void *with, char *bytes, size_t len); /* one whole message; the callback may change its bytes */
    /* also if the connection could not be opened; once for each og_ws_open() */
    void (*closed)(void *with, const char *why);
};

/* Make a connection.  The texts of place are copied, events are borrowed.  OG_ENOMEM; OG_ENET: libwebsockets cannot be
 * started. */
enum og_status og_ws_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_ws_events *events,
                         void *with, struct og_ws **ws, struct og_error *err);
void og_ws_open(struct og_ws *ws); /* call it only while no connection is open or opening */
/* text is copied, and wiped after it was written; returns false if out of memory */
bool og_ws_send(struct og_ws *ws, const char *text, size_t len);
void og_ws_close(struct og_ws *ws); /* closed() is called later, unless there is no connection */
/* Free the connection.  No event comes any more; its handles close as the loop runs.  NULL is allowed. */
void og_ws_free(struct og_ws *ws);
