/*
 * One stream of one account, Portfolio or P&L: connect, sign in, subscribe, read, reconnect.  Stops if the keys are
 * refused; everything else is retried with growing, jittered pauses.
 */
#pragma once

#include "base/str.h"
#include "ordergate/status.h"
#include "stream/ws.h"
#include "wire/frame.h"

struct og_stream;

struct og_stream_events {
    /* Signed in and subscribed. Changes from before, or while the stream was down, were not seen: read the account
     * again. */
    void (*ready)(void *with);
    /* The connection failed or was lost; it is tried again. why: for people. */
    void (*down)(void *with, const char *why);
    /* FAILED_AUTH: the keys are bad; nothing is retried. */
    void (*refused)(void *with, const char *why);
    /* An order, a position, figures, or a frame of no known kind.  Messages about the stream itself are handled inside.
     * The secret is masked (base/mask.h). */
    void (*frame)(void *with, const struct og_frame *frame);
};

struct og_stream_keys {
    struct og_str key_id, secret, account; /* borrowed; must outlive the stream */
    bool pnl;                              /* subscribe to the P&L stream; otherwise to Portfolio */
};

/* place as for og_ws_new().  The connection is opened at once. */
enum og_status og_stream_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_stream_keys *keys,
                             const struct og_stream_events *events, void *with, struct og_stream **stream,
                             struct og_error *err);
/* Close the connection and sign in again after the usual pause, for a connection that is open but silent. */
void og_stream_restart(struct og_stream *stream, const char *why);
/* Free the stream.  No event comes any more; its handles close as the loop runs.  NULL is allowed. */
void og_stream_free(struct og_stream *stream);
