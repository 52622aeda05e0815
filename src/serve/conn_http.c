/*
 * HTTP on a connection: reads requests, sends answers, and makes the transport faults that the program asks for.
 * Rejects heads over 8 KiB and bodies over the program's limit, and reads no request before the previous one was
 * answered.
 */
#include <stdlib.h>
#include <sys/socket.h>

#include "base/timeouts.h"
#include "serve/conn.h"

/* maximum number of bytes of a too large body that are read and discarded, so that the client can read the answer */
#define MOST_SWALLOWED ((int64_t)64 << 20)
#define MOST_KEPT      ((size_t)256 << 10)

static void set_timeout(struct og_serve_conn *conn, int seconds)
{
    lws_set_timeout(conn->wsi, seconds ? PENDING_TIMEOUT_USER_OK : NO_PENDING_TIMEOUT, seconds);
}

bool og_serve_conn_new(const struct og_serve_shared *shared, struct lws *wsi)
{
    struct og_serve_conn *conn = calloc(1, sizeof *conn);

    if (!conn)
        return false;
    conn->shared = shared;
    conn->wsi = wsi;
    conn->since = lws_now_usecs();
    og_buf_init(&conn->in, 0);
    og_buf_init(&conn->head_bytes, 0);
    og_buf_init(&conn->body, shared->options->body_most + 1);
    og_buf_init(&conn->answer, 0);
    og_buf_init(&conn->out, 0);
    og_buf_init(&conn->fields, 0);
    lws_set_opaque_user_data(wsi, conn);
    set_timeout(conn, OG_CONN_HEAD_S);
    return true;
}

struct og_serve_conn *og_serve_conn_get(struct lws *wsi)
{
    return lws_get_opaque_user_data(wsi);
}

void og_serve_conn_free(struct og_serve_conn *conn)
{
    if (conn->client)
        conn->shared->app->leave(conn->shared->with, conn->client);
    og_buf_clear(&conn->in);
    og_buf_clear(&conn->head_bytes);
    og_buf_clear(&conn->body);
    og_buf_clear(&conn->answer);
    og_buf_clear(&conn->out);
    og_buf_clear(&conn->fields);
    lws_set_opaque_user_data(conn->wsi, NULL);
    free(conn);
}

void og_serve_conn_finish(struct og_serve_conn *conn)
{
    conn->closing = true;
    if (!conn->client && !conn->active && !lws_partial_buffered(conn->wsi))
        lws_set_timeout(conn->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

void og_serve_conn_consume(struct og_serve_conn *conn, size_t len)
{
    if (!len)
        return;
    memmove(conn->in.s, conn->in.s + len, conn->in.len - len);
    conn->in.len -= len;
    conn->looked_at = 0;
}

bool og_serve_conn_write(struct og_serve_conn *conn, const void *bytes, size_t len)
{
    return lws_write(conn->wsi, (unsigned char *)(uintptr_t)bytes, len, LWS_WRITE_RAW) >= 0;
}

/* --- sending answers ---------------------------------------------------------------------------------------------- */

static const char *reason_phrase(int status)
{
    switch (status) {
    case 200: return "OK";
    case 303: return "See Other";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    default: return "Status";
    }
}

static void compose_response(struct og_serve_conn *conn, const struct og_serve_reply *reply)
{
    struct og_buf *out = &conn->out;

    og_buf_reset(out);
    og_buf_format(out, "HTTP/1.1 %d %s\r\n", reply->status, reason_phrase(reply->status));
    og_buf_bytes(out, reply->fields->s, reply->fields->len);
    if (conn->closing)
        og_buf_text(out, "Connection: close\r\n");
    if (reply->streams)
        og_buf_text(out, "\r\n");
    else
        og_buf_format(out, "Content-Length: %zu\r\n\r\n", reply->no_body ? 0 : reply->body->len);
    if (!reply->no_body)
        og_buf_bytes(out, reply->body->s, reply->body->len);
    out->bad |= reply->fields->bad || reply->body->bad;
}

/* Send the first len bytes of the output, and then close the connection if `closing` is set. libwebsockets keeps the
 * bytes that the socket does not take. */
static int send_bytes(struct og_serve_conn *conn, size_t len)
{
    if (conn->out.bad || !og_serve_conn_write(conn, conn->out.s, len))
        return -1;
    if (lws_partial_buffered(conn->wsi))
        lws_callback_on_writable(conn->wsi);
    else if (conn->closing && !conn->draining)
        return -1;
    return 0;
}

static int send_answer(struct og_serve_conn *conn)
{
    int end = send_bytes(conn, conn->out.len);

    conn->active = conn->busy = false;
    conn->since = lws_now_usecs();
    set_timeout(conn, conn->shared->options->idle_s);
    if (conn->out.cap > MOST_KEPT) { /* shrink the buffer: a single long list must not occupy memory for as long as the
                                      * connection lasts */
        og_buf_clear(&conn->out);
        og_buf_clear(&conn->answer);
        og_buf_clear(&conn->fields);
    }
    return end;
}

/* Reset the connection: after connect() to AF_UNSPEC the kernel sends RST instead of FIN. */
static void reset_connection(struct lws *wsi)
{
    struct sockaddr none = { .sa_family = AF_UNSPEC };

    connect(lws_get_socket_fd(wsi), &none, sizeof none);
}

static int apply_fate(struct og_serve_conn *conn, const struct og_serve_reply *reply)
{
    switch (reply->fate) {
    case OG_SERVE_SEND: return send_answer(conn);
    case OG_SERVE_DELAY:
        conn->busy = true;
        set_timeout(conn, 0);
        lws_set_timer_usecs(conn->wsi, reply->delay_ns / 1000 + 1);
        return 0;
    case OG_SERVE_HANG:
        conn->active = false;
        conn->busy = true;
        set_timeout(conn, 0);
        return 0;
    case OG_SERVE_TRUNCATE:
        conn->active = false;
        conn->closing = true;
        return send_bytes(conn, conn->out.len - (reply->body->len + 1) / 2 - (reply->body->len ? 0 : 2));
    case OG_SERVE_RESET: reset_connection(conn->wsi); return -1;
    default: return -1;
    }
}

static int send_reply(struct og_serve_conn *conn, const struct og_serve_reply *reply)
{
    compose_response(conn, reply);
    return apply_fate(conn, reply);
}

/* Begin an answer with empty buffers. */
static struct og_serve_reply begin_reply(struct og_serve_conn *conn)
{
    og_buf_reset(&conn->answer);
    og_buf_reset(&conn->fields);
    return (struct og_serve_reply){ .fields = &conn->fields, .body = &conn->answer };
}

/* Answer with an error and close.  Closing a socket with unread input could make the kernel discard the answer, so the
 * rest of the input is read and discarded until the client closes. */
static int reject_request(struct og_serve_conn *conn, int status, const char *text)
{
    const struct og_serve_request request = { &conn->head, OG_STR("") };
    struct og_serve_reply reply = begin_reply(conn);
    int end;

    reply.status = status;
    og_buf_text(reply.body, text);
    conn->shared->app->refuse(conn->shared->with, &request, &reply);
    conn->closing = conn->draining = true;
    end = send_reply(conn, &reply);
    set_timeout(conn, OG_CONN_CLOSE_S);
    if (!end && !lws_is_ssl(conn->wsi) && !lws_partial_buffered(conn->wsi))
        shutdown(lws_get_socket_fd(conn->wsi), SHUT_WR);
    return end || lws_is_ssl(conn->wsi) ? -1 : 0;
}

/* Send the head of a stream without frames, and turn the connection into that stream. */
static int begin_plain_stream(struct og_serve_conn *conn, const struct og_serve_request *request,
                              struct og_serve_reply *reply)
{
    conn->closing = conn->plain = true;
    compose_response(conn, reply);
    if (conn->out.bad || !og_serve_conn_write(conn, conn->out.s, conn->out.len))
        return -1;
    conn->active = false;
    set_timeout(conn, conn->shared->options->stalled_s);
    conn->client = conn->shared->app->join(conn->shared->with, request, conn);
    lws_callback_on_writable(conn->wsi);
    return conn->client ? 0 : -1;
}

static int serve_request(struct og_serve_conn *conn)
{
    const struct og_serve_request request = { &conn->head, { conn->body.s, conn->body.len } };
    struct og_serve_reply reply;

    if (conn->body.bad)
        return reject_request(conn, 413, conn->shared->options->too_large);
    reply = begin_reply(conn);
    if (!conn->shared->app->answer(conn->shared->with, &request, &reply))
        return -1;
    return reply.streams ? begin_plain_stream(conn, &request, &reply) : send_reply(conn, &reply);
}

/* Returns the maximum number of bytes of a body that are read from the client. A strict server reads no more than the
 * program wants. */
static int64_t most_taken(const struct og_serve_conn *conn)
{
    const struct og_serve_options *o = conn->shared->options;

    return o->reading.strict ? (int64_t)o->body_most : MOST_SWALLOWED;
}

/* --- reading requests --------------------------------------------------------------------------------------------- */

static int begin_request(struct og_serve_conn *conn, size_t len)
{
    const char *wrong;

    og_buf_reset(&conn->head_bytes);
    og_buf_reset(&conn->body);
    og_buf_bytes(&conn->head_bytes, conn->in.s, len);
    og_serve_conn_consume(conn, len);
    if (conn->head_bytes.bad)
        return -1;
    conn->active = true;
    conn->blanks = false;
    wrong = og_serve_head_read(conn->head_bytes.s, len, &conn->shared->options->reading, &conn->head);
    conn->closing = conn->closing || conn->head.closes;
    conn->body_left = conn->head.length;
    conn->chunks = (struct og_serve_chunked){ .strict = conn->shared->options->reading.strict };
    if (wrong)
        return reject_request(conn, 400, wrong);
    if (conn->head.length > most_taken(conn))
        return reject_request(conn, 413, conn->shared->options->too_large);
    if (conn->head.socket_key.s && og_serve_conn_stream_open(conn)) {
        set_timeout(conn, 0);
        return 0;
    }
    set_timeout(conn, OG_CONN_HEAD_S);
    if (!conn->body_left && !conn->head.chunked)
        return serve_request(conn);
    if (conn->head.expects && !conn->in.len)
        return og_serve_conn_write(conn, "HTTP/1.1 100 Continue\r\n\r\n", 25) ? 0 : -1;
    return 0;
}

/* Returns the number of bytes of empty lines before a request, which are skipped: all of them, or only one if the
 * server is strict. */
static size_t empty_lines(struct og_serve_conn *conn)
{
    const struct og_buf *in = &conn->in;
    size_t len = 0;

    if (conn->shared->options->reading.strict) {
        if (conn->blanks || in->len < 2 || memcmp(in->s, "\r\n", 2) != 0)
            return 0;
        conn->blanks = true;
        return 2;
    }
    while (len < in->len && (in->s[len] == '\r' || in->s[len] == '\n'))
        len++;
    return len;
}

/* Read the next request head if it is complete. If more bytes are needed, sets *waits. */
static int read_head(struct og_serve_conn *conn, bool *waits)
{
    size_t len = empty_lines(conn);

    og_serve_conn_consume(conn, len);
    len = og_serve_head_end((struct og_str){ conn->in.s, conn->in.len }, conn->looked_at);
    if (!len && conn->in.len && !conn->looked_at)
        set_timeout(conn, OG_CONN_HEAD_S);
    conn->looked_at = conn->in.len;
    if (len ? len > OG_SERVE_HEAD_MOST : conn->in.len > OG_SERVE_HEAD_MOST) {
        conn->head = (struct og_serve_head){ .length = 0 };
        return reject_request(conn, 431, "the head of the request is larger than 8 KiB");
    }
    *waits = !len;
    return len ? begin_request(conn, len) : 0;
}

static int read_body(struct og_serve_conn *conn, bool *waits)
{
    size_t len = conn->in.len < (size_t)conn->body_left ? conn->in.len : (size_t)conn->body_left;

    if (len)
        /* if the body is too long, the buffer takes no more bytes and is marked as failed */
        og_buf_bytes(&conn->body, conn->in.s, len);
    og_serve_conn_consume(conn, len);
    conn->body_left -= (int64_t)len;
    *waits = conn->body_left > 0;
    return *waits ? 0 : serve_request(conn);
}

static int read_chunks(struct og_serve_conn *conn, bool *waits)
{
    long used = og_serve_chunked_decode(&conn->chunks, (struct og_str){ conn->in.s, conn->in.len }, &conn->body);

    if (used < 0)
        return reject_request(conn, 400, "the chunks of the body cannot be read");
    og_serve_conn_consume(conn, (size_t)used);
    if ((int64_t)conn->chunks.total > most_taken(conn))
        return reject_request(conn, 413, conn->shared->options->too_large);
    *waits = conn->chunks.at != OG_CHUNKED_DONE;
    return *waits ? 0 : serve_request(conn);
}

static bool is_blocked(const struct og_serve_conn *conn)
{
    return conn->busy || lws_partial_buffered(conn->wsi);
}

/* Handle all input received so far. Input that cannot be handled yet stays in the socket: a client that does not read
 * its answers can therefore not fill the memory. */
static int process_input(struct og_serve_conn *conn)
{
    bool waits = false;
    int end = 0;

    while (!end && !waits && !conn->client && !conn->draining && !is_blocked(conn)) {
        if (!conn->active && conn->closing)
            return -1;
        end = !conn->active        ? read_head(conn, &waits)
              : conn->head.chunked ? read_chunks(conn, &waits)
                                   : read_body(conn, &waits);
    }
    if (conn->draining)
        og_buf_reset(&conn->in);
    if (!end && conn->client)
        return og_serve_conn_stream_receive(conn);
    if (!end)
        lws_rx_flow_control(conn->wsi, !is_blocked(conn));
    return end;
}

int og_serve_conn_receive(struct og_serve_conn *conn, const void *bytes, size_t len)
{
    if (conn->draining)
        return 0;
    og_buf_bytes(&conn->in, bytes, len);
    if (conn->in.bad)
        return -1;
    return conn->client ? og_serve_conn_stream_receive(conn) : process_input(conn);
}

int og_serve_conn_writable(struct og_serve_conn *conn)
{
    if (conn->client)
        return og_serve_conn_stream_writable(conn);
    if (lws_partial_buffered(conn->wsi)) {
        lws_callback_on_writable(conn->wsi);
        return 0;
    }
    return conn->draining || (conn->closing && !conn->active) ? -1 : process_input(conn);
}

int og_serve_conn_delayed(struct og_serve_conn *conn)
{
    int end = conn->busy ? send_answer(conn) : 0;

    return end ? end : process_input(conn);
}
