/*
 * One stream of one account, Portfolio or P&L: connect, sign in, subscribe, read, reconnect.  If the keys are refused,
 * the stream stops; after any other failure it tries again, with growing pauses that are varied at random.
 */
#pragma once

#include "base/str.h"
#include "ordergate/status.h"
#include "stream/ws.h"
#include "wire/frame.h"

struct og_stream;

struct og_stream_events {
    /* The stream is signed in and subscribed. It does not report what changed before, or while it was down: read the
     * account again. */
    void (*ready)(void *with);
    /* The connection failed or was lost; the stream tries again. why: the reason, in words. */
    void (*down)(void *with, const char *why);
    /* FAILED_AUTH: the keys are wrong; the stream does not try again. */
    void (*refused)(void *with, const char *why);
    /* A frame with an order, a position or figures, or of no known kind.  Messages about the stream itself are handled
     * inside. The secret is masked (base/mask.h). */
    void (*frame)(void *with, const struct og_frame *frame);
};

struct og_stream_keys {
    struct og_str key_id, secret, account; /* not copied: these texts must outlive the stream */
    bool pnl;                              /* true: subscribe to the P&L stream; false: to the Portfolio stream */
};

/* place: as for og_ws_new().  The connection is opened at once. */
enum og_status og_stream_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_stream_keys *keys,
                             const struct og_stream_events *events, void *with, struct og_stream **stream,
                             struct og_error *err);
/* Close the connection and sign in again after the usual pause. Call this for a connection that is open but sends
 * nothing. */
void og_stream_restart(struct og_stream *stream, const char *why);
/* Free the stream.  None of its events occur any more; its handles close while the loop runs.  NULL is allowed. */
void og_stream_free(struct og_stream *stream);
