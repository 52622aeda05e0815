/*
 * A stream's client on the wire: whole messages in, one frame out whenever the socket takes it.
 * It refuses messages over 64 KiB and every frame that is not text.
 */
#include "paper/conn.h"

#include "paper/log.h"
#include "paper/paper.h"

#include "base/banned.h"

#define MOST_MESSAGE ((size_t)64 << 10)

static const char *const paths[] = { [OG_STREAM_PORTFOLIO] = "/stream/portfolio", [OG_STREAM_PNL] = "/stream/pnl" };

static bool stream_of(struct lws *wsi, enum og_paper_stream *stream)
{
    char path[64];

    if (lws_hdr_copy(wsi, path, sizeof(path), WSI_TOKEN_GET_URI) <= 0)
        return false;
    *stream = strcmp(path, paths[OG_STREAM_PNL]) == 0 ? OG_STREAM_PNL : OG_STREAM_PORTFOLIO;
    return strcmp(path, paths[*stream]) == 0;
}

static int establish(struct og_paper_conn *conn)
{
    enum og_paper_stream stream;

    if (!stream_of(conn->wsi, &stream))
        return -1;
    og_paper_log_line(conn->paper, &(struct og_paper_request){ .path = og_str_of(paths[stream]), .query = OG_STR("") },
                      &(struct og_paper_reply){ .status = 101 }, false);
    conn->client = og_paper_hub_join(conn->paper, stream, conn);
    return conn->client ? 0 : -1;
}

static int receive(struct og_paper_conn *conn, const void *in, size_t len)
{
    if (lws_frame_is_binary(conn->wsi) || conn->body.len + len > MOST_MESSAGE)
        return -1;
    og_buf_bytes(&conn->body, in, len);
    if (!lws_is_final_fragment(conn->wsi) || lws_remaining_packet_payload(conn->wsi))
        return 0;
    og_paper_clock_run(&conn->paper->clock);
    og_paper_hub_hear(conn->client, (struct og_str){ conn->body.s, conn->body.len });
    og_buf_reset(&conn->body);
    return 0;
}

static int write_next(struct og_paper_conn *conn)
{
    struct og_paper_frame *frame;
    int n;

    if (conn->paper->failed)
        return -1;
    frame = og_paper_hub_next(conn->client);
    if (!frame) {
        if (!conn->close_code)
            return 0;
        lws_close_reason(conn->wsi, (enum lws_close_status)conn->close_code, NULL, 0);
        return -1;
    }
    n = lws_write(conn->wsi, frame->text, frame->len, LWS_WRITE_TEXT);
    og_paper_hub_sent(frame);
    lws_callback_on_writable(conn->wsi);
    return n < 0 ? -1 : 0;
}

int og_paper_conn_stream(struct og_paper_conn *conn, enum lws_callback_reasons why, const void *in, size_t len)
{
    enum og_paper_stream stream;

    switch (why) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return stream_of(conn->wsi, &stream) ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED:
        return establish(conn);
    case LWS_CALLBACK_RECEIVE:
        return receive(conn, in, len);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return write_next(conn);
    default:
        return 0;
    }
}
