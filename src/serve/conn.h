/*
 * One connection to the server: an HTTP request being read, or a client of a stream.
 */
#pragma once

#include <libwebsockets.h>

#include "base/buf.h"
#include "serve/chunked.h"
#include "serve/head.h"
#include "serve/serve.h"
#include "serve/ws_frame.h"

/* What all connections of a server share. */
struct og_serve_shared {
    const struct og_serve_app *app;
    void *with;
    const struct og_serve_options *options;
};

struct og_serve_conn {
    const struct og_serve_shared *shared;
    struct lws *wsi;
    struct og_serve_conn *next, **at; /* the list of the server, and where in it this one is noted */
    lws_usec_t since;                 /* when the newest answer was sent or, before the first, the connection began */
    bool evicted;                     /* it is being closed to make room, and handles nothing any more */
    struct og_buf in;                 /* bytes that were received and not used yet */
    size_t looked_at; /* number of bytes of `in` that were already searched for the end of a request head */
    /* HTTP */
    struct og_buf head_bytes, body, answer, fields, out;
    struct og_serve_head head; /* head of the current request; its texts are in head_bytes */
    int64_t body_left;
    struct og_serve_chunked chunks;
    bool active;   /* a request is being read or served */
    bool busy;     /* the answer to the request is being delayed */
    bool closing;  /* close the connection after the answer is sent */
    bool draining; /* an error answer was sent; all further input is discarded */
    /* WebSocket */
    void *client; /* what app.join returned; NULL if the connection is not a stream */
    char pong[OG_WS_FRAME_CONTROL_MOST];
    size_t pong_len;
    bool pong_due, more; /* pong_due: a ping is to be answered; more: a message is fragmented, and its last frame is
                          * still to come */
    bool ignores_input;  /* the client closed the stream or broke the protocol: its input is discarded */
    bool close_sent, peer_closed;
    int close_code; /* close with this code when the queue is empty */
    bool plain;     /* the stream is sent without WebSocket frames */
    bool blanks;    /* an empty line before the request was skipped */
};

/* Returns false if out of memory. */
bool og_serve_conn_new(const struct og_serve_shared *shared, struct lws *wsi);
struct og_serve_conn *og_serve_conn_get(struct lws *wsi); /* Returns NULL if the socket has no connection. */
void og_serve_conn_free(struct og_serve_conn *conn);
/* The service stops: close the connection now or, if a request is being served, after its answer. */
void og_serve_conn_finish(struct og_serve_conn *conn);

/* Three calls for the event loop: bytes were received; the socket is writable; the delay of an answer has ended.  Each
 * returns nonzero if the connection must be closed. */
int og_serve_conn_receive(struct og_serve_conn *conn, const void *bytes, size_t len);
int og_serve_conn_writable(struct og_serve_conn *conn);
int og_serve_conn_delayed(struct og_serve_conn *conn);

/* If the request asks for a stream that the program has, turn the connection into that stream. Returns true if it
 * did. */
bool og_serve_conn_stream_open(struct og_serve_conn *conn);
int og_serve_conn_stream_receive(struct og_serve_conn *conn);
int og_serve_conn_stream_writable(struct og_serve_conn *conn);

/* Remove the first bytes of the input, after they were used. */
void og_serve_conn_consume(struct og_serve_conn *conn, size_t len);
/* Write at once; no other bytes may be queued.  Returns false on failure. */
bool og_serve_conn_write(struct og_serve_conn *conn, const void *bytes, size_t len);
