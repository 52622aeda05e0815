/*
 * A client of a stream: assembles its messages from frames, and writes one frame whenever the socket is writable.
 * Messages over 64 KiB, and messages that are not text, are rejected.
 */
#include "base/timeouts.h"
#include "serve/conn.h"

#define MOST_MESSAGE ((size_t)64 << 10)

/* Stop reading from the client, and close the stream with this code once its queued frames are sent. */
static void close_stream(struct og_serve_conn *conn, int code)
{
    conn->ignores_input = true;
    conn->shared->app->end(conn->client, code);
}

static bool send_upgrade(struct og_serve_conn *conn)
{
    char accept[64];

    if (!og_serve_ws_accept_key(conn->head.socket_key, accept, sizeof accept))
        return false;
    og_buf_reset(&conn->out);
    og_buf_format(&conn->out,
                  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  "Sec-WebSocket-Accept: %s\r\n\r\n",
                  accept);
    return !conn->out.bad && og_serve_conn_write(conn, conn->out.s, conn->out.len);
}

bool og_serve_conn_stream_open(struct og_serve_conn *conn)
{
    const struct og_serve_shared *shared = conn->shared;
    const struct og_serve_request request = { &conn->head, OG_STR("") };

    if (!shared->app->opens || !shared->app->opens(shared->with, &request) || !send_upgrade(conn))
        return false;
    conn->client = shared->app->join(shared->with, &request, conn);
    og_buf_clear(&conn->head_bytes);
    conn->head = (struct og_serve_head){ .length = 0 };
    conn->active = false;
    return conn->client != NULL;
}

/* --- receiving ---------------------------------------------------------------------------------------------------- */

static void handle_text(struct og_serve_conn *conn, const struct og_serve_ws_frame *f)
{
    if ((f->opcode == OG_WS_OP_CONTINUATION) != conn->more) {
        close_stream(conn, OG_WS_CLOSE_PROTOCOL);
        return;
    }
    if (conn->body.len + f->payload.len > MOST_MESSAGE) {
        close_stream(conn, OG_WS_CLOSE_TOO_LARGE);
        return;
    }
    og_buf_bytes(&conn->body, f->payload.s, f->payload.len);
    conn->more = !f->last;
    if (conn->more)
        return;
    conn->shared->app->receive(conn->client, (struct og_str){ conn->body.len ? conn->body.s : "", conn->body.len });
    og_buf_reset(&conn->body);
}

static void handle_frame(struct og_serve_conn *conn, const struct og_serve_ws_frame *f)
{
    switch (f->opcode) {
    case OG_WS_OP_TEXT:
    case OG_WS_OP_CONTINUATION: handle_text(conn, f); return;
    case OG_WS_OP_PING: /* of several pings, only the last is answered */
        memcpy(conn->pong, f->payload.s, f->payload.len);
        conn->pong_len = f->payload.len;
        conn->pong_due = true;
        lws_callback_on_writable(conn->wsi);
        return;
    case OG_WS_OP_CLOSE:
        conn->peer_closed = true;
        close_stream(conn, OG_WS_CLOSE_NORMAL);
        return;
    case OG_WS_OP_PONG: return;
    default: close_stream(conn, OG_WS_CLOSE_UNSUPPORTED);
    }
}

int og_serve_conn_stream_receive(struct og_serve_conn *conn)
{
    struct og_serve_ws_frame f;
    size_t at = 0;
    int wrong;

    if (conn->plain) /* the client of a stream without frames sends nothing: discard its bytes */
        og_buf_reset(&conn->in);

    while (!conn->ignores_input && at < conn->in.len) {
        wrong = og_serve_ws_frame_read(conn->in.s + at, conn->in.len - at, MOST_MESSAGE, &f);
        if (wrong)
            close_stream(conn, wrong);
        if (!f.len)
            break;
        handle_frame(conn, &f);
        at += f.len;
    }
    og_serve_conn_consume(conn, conn->ignores_input ? conn->in.len : at);
    return conn->close_sent && conn->peer_closed ? -1 : 0;
}

/* --- sending ------------------------------------------------------------------------------------------------------ */

static int write_control(struct og_serve_conn *conn, enum og_serve_ws_opcode opcode, const void *payload, size_t len)
{
    unsigned char room[OG_WS_FRAME_HEADER_MOST + OG_WS_FRAME_CONTROL_MOST];
    size_t head;

    memcpy(room + OG_WS_FRAME_HEADER_MOST, payload, len);
    head = og_serve_ws_frame_write_header(room + OG_WS_FRAME_HEADER_MOST, opcode, len);
    return og_serve_conn_write(conn, room + OG_WS_FRAME_HEADER_MOST - head, head + len) ? 0 : -1;
}

/* Send a close frame.  The client must then close the connection, unless it sent its close frame first. */
static int send_close(struct og_serve_conn *conn)
{
    unsigned char code[2] = { (unsigned char)(conn->close_code >> 8), (unsigned char)conn->close_code };

    conn->close_sent = true;
    lws_set_timeout(conn->wsi, PENDING_TIMEOUT_USER_OK, OG_CONN_CLOSE_S);
    return write_control(conn, OG_WS_OP_CLOSE, code, sizeof code);
}

static int write_frame(struct og_serve_conn *conn, const struct og_serve_frame *frame)
{
    size_t head = conn->plain ? 0 : og_serve_ws_frame_write_header(frame->text, OG_WS_OP_TEXT, frame->len);
    bool written = og_serve_conn_write(conn, frame->text - head, head + frame->len);

    conn->shared->app->sent(frame);
    return written ? 0 : -1;
}

/* Write the next part of a stream without frames. The client has limited time to read it. */
static int write_plain(struct og_serve_conn *conn)
{
    struct og_serve_frame frame;
    int wrong;

    if (!conn->shared->app->next(conn->client, &frame)) {
        lws_set_timeout(conn->wsi, NO_PENDING_TIMEOUT, 0);
        return conn->close_code ? -1 : 0;
    }
    if (conn->shared->options->stalled_s)
        lws_set_timeout(conn->wsi, PENDING_TIMEOUT_USER_OK, conn->shared->options->stalled_s);
    wrong = write_frame(conn, &frame);
    lws_callback_on_writable(conn->wsi);
    return wrong;
}

int og_serve_conn_stream_writable(struct og_serve_conn *conn)
{
    struct og_serve_frame frame;
    int wrong;

    if (conn->shared->app->failed(conn->shared->with))
        return -1;
    if (lws_partial_buffered(conn->wsi)) {
        lws_callback_on_writable(conn->wsi);
        return 0;
    }
    if (conn->plain)
        return write_plain(conn);
    if (conn->close_sent)
        return conn->peer_closed ? -1 : 0;
    if (conn->pong_due) {
        conn->pong_due = false;
        wrong = write_control(conn, OG_WS_OP_PONG, conn->pong, conn->pong_len);
    } else if (conn->shared->app->next(conn->client, &frame)) {
        wrong = write_frame(conn, &frame);
    } else if (conn->close_code) {
        wrong = send_close(conn);
    } else {
        return 0;
    }
    lws_callback_on_writable(conn->wsi);
    return wrong;
}
