/*
 * One connection of the server: a request being read, or a stream's client.
 */
#ifndef OG_PAPER_CONN_H
#define OG_PAPER_CONN_H

#include "base/buf.h"
#include "paper/chunked.h"
#include "paper/ws_frame.h"
#include "paper/request_head.h"
#include "paper/hub.h"

#include <libwebsockets.h>

struct og_paper_conn {
    struct og_paper *paper;
    struct lws *wsi;
    struct og_buf in; /* received and not yet used */
    size_t looked_at; /* of it, for the end of a head */
    /* HTTP */
    struct og_buf head_bytes, body, answer, packed, out;
    struct og_paper_request_head head; /* of the request under way; its texts are in head_bytes */
    int64_t body_left;
    struct og_paper_chunked chunks;
    bool active;   /* a request is under way: from its head to its answer */
    bool busy;     /* its answer is held back */
    bool closing;  /* the connection ends with the answer, once it has gone out */
    bool draining; /* a refusal was sent and what comes is not read */
    /* WebSocket */
    struct og_paper_client *client;
    char pong[OG_WS_FRAME_CONTROL_MOST];
    size_t pong_len;
    bool pong_due, more; /* more: a message has begun */
    bool ignores_input;  /* what comes is not read: it closed, or broke the protocol */
    bool close_sent, peer_closed;
    int close_code; /* close with it once the queue is empty */
};

bool og_paper_conn_new(struct og_paper *p, struct lws *wsi); /* false: out of memory */
struct og_paper_conn *og_paper_conn_get(struct lws *wsi);    /* NULL: none was made */
void og_paper_conn_free(struct og_paper_conn *conn);
/* The service is about to stop: end it now, or once the request under way is answered. */
void og_paper_conn_finish(struct og_paper_conn *conn);

/* Bytes came; the socket takes bytes again; the delay of an answer is over.  Not 0: the connection is to be closed. */
int og_paper_conn_receive(struct og_paper_conn *conn, const void *bytes, size_t len);
int og_paper_conn_writable(struct og_paper_conn *conn);
int og_paper_conn_delayed(struct og_paper_conn *conn);

/* The same of a stream's client.  join: a WebSocket was asked for; false: it is no stream. */
bool og_paper_conn_stream_open(struct og_paper_conn *conn);
int og_paper_conn_stream_receive(struct og_paper_conn *conn);
int og_paper_conn_stream_writable(struct og_paper_conn *conn);

/* Use up the first bytes of what came. */
void og_paper_conn_consume(struct og_paper_conn *conn, size_t len);
/* Write now, nothing else being on its way; false: it cannot be. */
bool og_paper_conn_write(struct og_paper_conn *conn, const void *bytes, size_t len);

#define OG_CONN_HEAD_S  10 /* for a request's head to arrive, or its body */
#define OG_CONN_CLOSE_S 3  /* for the other side to close when it was told to */

#endif
