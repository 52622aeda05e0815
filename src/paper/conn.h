/*
 * One connection to the server: an HTTP request being read, or a client of a stream.
 */
#pragma once

#include <libwebsockets.h>

#include "base/buf.h"
#include "base/timeouts.h"
#include "paper/chunked.h"
#include "paper/hub.h"
#include "paper/request_head.h"
#include "paper/ws_frame.h"

struct og_paper_conn {
    struct og_paper *paper;
    struct lws *wsi;
    struct og_buf in; /* bytes that were received and not used yet */
    size_t looked_at; /* number of bytes of `in` that were searched for the end of a request head already */
    /* HTTP */
    struct og_buf head_bytes, body, answer, packed, out;
    struct og_paper_request_head head; /* head of the current request; its texts are in head_bytes */
    int64_t body_left;
    struct og_paper_chunked chunks;
    bool active;   /* a request is being read or served */
    bool busy;     /* a fault delays the answer to the request */
    bool closing;  /* close the connection after the answer is sent */
    bool draining; /* an error answer was sent; all further input is discarded */
    /* WebSocket */
    struct og_paper_client *client;
    char pong[OG_WS_FRAME_CONTROL_MOST];
    size_t pong_len;
    bool pong_due, more; /* more: a message is fragmented, and its last frame is still to come */
    bool ignores_input;  /* the client closed the stream or broke the protocol: its input is discarded */
    bool close_sent, peer_closed;
    int close_code; /* close with this code when the queue is empty */
};

bool og_paper_conn_new(struct og_paper *p, struct lws *wsi); /* Returns false if out of memory. */
struct og_paper_conn *og_paper_conn_get(struct lws *wsi);    /* Returns NULL if the socket has no connection. */
void og_paper_conn_free(struct og_paper_conn *conn);
/* The service stops: close the connection now, or after the current request is answered. */
void og_paper_conn_finish(struct og_paper_conn *conn);

/* Three calls for the event loop: bytes were received; the socket is writable; the delay of an answer has ended.  Each
 * returns nonzero if the connection must be closed. */
int og_paper_conn_receive(struct og_paper_conn *conn, const void *bytes, size_t len);
int og_paper_conn_writable(struct og_paper_conn *conn);
int og_paper_conn_delayed(struct og_paper_conn *conn);

/* Remove the first bytes of the input, after they were used. */
bool og_paper_conn_stream_open(struct og_paper_conn *conn);
int og_paper_conn_stream_receive(struct og_paper_conn *conn);
int og_paper_conn_stream_writable(struct og_paper_conn *conn);

/* Remove the first bytes of the input, after they were used. */
void og_paper_conn_consume(struct og_paper_conn *conn, size_t len);
/* Write at once; no other bytes may be queued.  Returns false on failure. */
bool og_paper_conn_write(struct og_paper_conn *conn, const void *bytes, size_t len);
