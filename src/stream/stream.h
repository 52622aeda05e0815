/*
 * A stream of one account, Portfolio or P&L: connect, sign in, subscribe, read, resume.
 * It refuses to go on with refused keys; everything else is tried again, with growing, jittered pauses.
 */
#ifndef OG_STREAM_STREAM_H
#define OG_STREAM_STREAM_H

#include "base/str.h"
#include "ordergate/status.h"
#include "stream/ws.h"
#include "wire/frame.h"

struct og_stream;

struct og_stream_events {
    /* Signed in and subscribed.  What happened before, or while it was down, was not seen: re-read REST. */
    void (*ready)(void *with);
    /* It cannot be had, or was lost; it is being tried again.  why: for people. */
    void (*down)(void *with, const char *why);
    /* FAILED_AUTH: the keys are bad; nothing is tried again. */
    void (*refused)(void *with, const char *why);
    /* An order, a position, figures, or a frame that fits nothing; what the two sides say about the stream itself stays
     * inside.  The secret is masked in it (base/mask.h). */
    void (*frame)(void *with, const struct og_frame *frame);
};

struct og_stream_keys {
    struct og_str key_id, secret, account; /* borrowed; must stay */
    bool pnl;                              /* the subscription of the P&L stream; else Portfolio's */
};

/* place as for og_ws_new(); opened at once. */
enum og_status og_stream_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_stream_keys *keys,
                             const struct og_stream_events *events, void *with, struct og_stream **stream,
                             struct og_error *err);
/* No event comes any more; its handles close as the loop runs.  NULL is allowed. */
/* Close the connection and sign in anew, after the usual pause: it is open and yet says nothing. */
void og_stream_restart(struct og_stream *stream, const char *why);
void og_stream_free(struct og_stream *stream);

#endif
