/*
 * One connection of the server: a request being read, or a stream's client.
 */
#ifndef OG_PAPER_CONN_H
#define OG_PAPER_CONN_H

#include "base/buf.h"
#include "paper/http.h"
#include "paper/hub.h"

#include <libwebsockets.h>

struct og_paper_conn {
    struct og_paper *paper;
    struct lws *wsi;
    /* HTTP */
    enum og_paper_method method;
    struct og_buf head; /* path, query, key, secret, content type, encodings, each NUL-terminated */
    size_t query_at, key_at, secret_at, type_at, accept_at;
    bool has_key, has_secret, closing, expects_body, bad_length, too_large;
    struct og_buf body, answer, packed, out; /* out starts with LWS_PRE bytes of room */
    bool active;                     /* a request is under way: from its head to its answer */
    bool busy;                       /* an answer is held back */
    /* WebSocket */
    struct og_paper_client *client;
    int close_code; /* close with it once the queue is empty */
};

bool og_paper_conn_new(struct og_paper *p, struct lws *wsi); /* false: out of memory */
struct og_paper_conn *og_paper_conn_get(struct lws *wsi);   /* NULL: none was made */
void og_paper_conn_free(struct og_paper_conn *conn);
/* The service is about to stop: end it now, or once the request under way is answered. */
void og_paper_conn_finish(struct og_paper_conn *conn);

/* Callbacks of HTTP and of WebSocket; what libwebsockets wants back. */
int og_paper_conn_http(struct og_paper_conn *conn, enum lws_callback_reasons why, const void *in, size_t len);
int og_paper_conn_stream(struct og_paper_conn *conn, enum lws_callback_reasons why, const void *in, size_t len);

#endif
