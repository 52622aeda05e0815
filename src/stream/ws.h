/*
 * One WebSocket client connection on the event loop, over libwebsockets.  Unverified TLS, binary frames, and messages
 * over a limit are never accepted, and no proxy is used for loopback.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

#include "ordergate/status.h"

struct og_ws;

struct og_ws_place {
    const char *host, *path, *ca_file; /* if ca_file is NULL, the system's CA certificates are used */
    int port;
    bool tls, loopback;
};

struct og_ws_events {
    void (*opened)(void *with);
    void (*text)(void *with, char *bytes, size_t len); /* one whole message; the callback may change its bytes */
    /* called once for each og_ws_open(), even if the connection could not be opened */
    void (*closed)(void *with, const char *why);
};

/* Make a connection.  The texts of `place` are copied; `events` must outlive the connection.  Returns OG_OK; OG_ENOMEM;
 * OG_ENET: libwebsockets cannot be started, or the CA certificates cannot be loaded. */
enum og_status og_ws_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_ws_events *events,
                         void *with, struct og_ws **ws, struct og_error *err);
void og_ws_open(struct og_ws *ws); /* call it only while no connection is open or opening */
/* The text is copied, and the copy is wiped after it was written. Returns false if memory ran out. */
bool og_ws_send(struct og_ws *ws, const char *text, size_t len);
void og_ws_close(struct og_ws *ws); /* closed() is called later, unless there is no connection */
/* Free the connection.  None of its events occur any more; its handles close while the loop runs.  NULL is allowed. */
void og_ws_free(struct og_ws *ws);
