/*
 * Connects the service to the server of src/serve (serve/serve.h): header fields and compression of answers, faults as
 * fates of answers, and the streams.
 */
#include "paper/server.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/timeouts.h"
#include "paper/gzip.h"
#include "paper/hub.h"
#include "paper/log.h"
#include "serve/page.h"
#include "serve/serve.h"
#include "wire/write.h"

#define MOST_BODY ((size_t)1 << 20)
#define MOST_KEPT ((size_t)256 << 10)

struct server {
    struct og_paper *paper;
    const struct og_paper_server_options *options;
    struct og_buf packed; /* the compressed body of the answer that is being made */
};

/* --- requests ----------------------------------------------------------------------------------------------------- */

static struct og_paper_request request_of(const struct og_serve_request *request)
{
    const struct og_serve_head *h = request->head;

    return (struct og_paper_request){ .method = h->method,
                                      .path = h->path.s ? h->path : OG_STR(""),
                                      .query = h->query.s ? h->query : OG_STR(""),
                                      .key = h->key,
                                      .secret = h->secret,
                                      .content_type = h->content_type.s ? h->content_type : OG_STR(""),
                                      .body = request->body,
                                      .host = h->host,
                                      .origin = h->origin,
                                      .accept = h->accept.s ? h->accept : OG_STR("") };
}

static enum og_serve_fate fate_of(enum og_paper_fault_action action)
{
    switch (action) {
    case OG_PAPER_FAULT_NONE: return OG_SERVE_SEND;
    case OG_PAPER_FAULT_DROP: return OG_SERVE_DROP;
    case OG_PAPER_FAULT_HANG: return OG_SERVE_HANG;
    case OG_PAPER_FAULT_RESET: return OG_SERVE_RESET;
    case OG_PAPER_FAULT_TRUNCATE: return OG_SERVE_TRUNCATE;
    case OG_PAPER_FAULT_DELAY: return OG_SERVE_DELAY;
    }
    return OG_SERVE_DROP;
}

/* Compress the answer if the client accepts that. The service compresses only answers of the account endpoints. */
static bool compress(struct server *s, struct og_str taken, const struct og_paper_reply *from,
                     struct og_serve_reply *to)
{
    if (!s->paper->switches.gzip || !from->no_store || !from->body->len || !taken.s || !og_paper_gzip_taken(taken))
        return false;
    if (s->packed.cap > MOST_KEPT) /* a single long list must not occupy memory for ever */
        og_buf_clear(&s->packed);
    if (!og_paper_gzip((struct og_str){ from->body->s, from->body->len }, &s->packed))
        return false;
    to->body = &s->packed;
    return true;
}

/* Copy the service's answer into the server's reply. */
static void put_reply(struct server *s, struct og_str taken, const struct og_paper_reply *from,
                      struct og_serve_reply *to)
{
    const bool gzip = compress(s, taken, from, to);
    struct og_buf *b = to->fields;

    to->status = from->status;
    to->no_body = !from->content_type;
    to->fate = fate_of(from->action);
    to->delay_ns = from->delay_ns;
    og_buf_format(b, "Date: %s\r\n", og_wire_time_http(og_paper_clock_now(&s->paper->clock)).s);
    if (from->page)
        og_serve_page_fields(b, from->content_type);
    else if (from->content_type)
        og_buf_format(b, "Content-Type: %s\r\n", from->content_type);
    if (gzip)
        og_buf_text(b, "Content-Encoding: gzip\r\n");
    if (from->allow)
        og_buf_format(b, "Allow: %s\r\n", from->allow);
    if (from->no_store)
        og_buf_text(b, "Cache-Control: max-age=0, no-cache, no-store\r\n");
}

static bool answer(void *with, const struct og_serve_request *request, struct og_serve_reply *reply)
{
    struct server *s = with;
    const struct og_paper_request asked = request_of(request);
    struct og_paper_reply made = { .body = reply->body };

    if (!og_paper_serve(s->paper, &asked, &made))
        return false;
    put_reply(s, request->head->accept_encoding, &made, reply);
    return true;
}

static void refuse(void *with, const struct og_serve_request *request, struct og_serve_reply *reply)
{
    struct server *s = with;
    const struct og_paper_request asked = request_of(request);
    const struct og_paper_reply made = { .status = reply->status, .content_type = OG_TEXT_TYPE, .body = reply->body };

    og_paper_log_add(s->paper, &asked, &made, false);
    put_reply(s, (struct og_str){ NULL, 0 }, &made, reply);
}

/* --- streams ------------------------------------------------------------------------------------------------------ */

static enum og_paper_stream stream_of(const struct og_serve_request *request)
{
    return og_str_is(request->head->path, og_paper_stream_paths[OG_STREAM_PNL]) ? OG_STREAM_PNL : OG_STREAM_PORTFOLIO;
}

static bool opens(void *with, const struct og_serve_request *request)
{
    (void)with;
    return og_str_is(request->head->path, og_paper_stream_paths[stream_of(request)]);
}

static void *join(void *with, const struct og_serve_request *request, struct og_serve_conn *conn)
{
    struct server *s = with;
    const enum og_paper_stream stream = stream_of(request);

    og_paper_log_line(
        s->paper, &(struct og_paper_request){ .path = og_str_of(og_paper_stream_paths[stream]), .query = OG_STR("") },
        &(struct og_paper_reply){ .status = 101 }, false);
    return og_paper_hub_join(s->paper, stream, conn);
}

static void receive(void *client, struct og_str message)
{
    og_paper_hub_receive(client, message);
}

static void end(void *client, int code)
{
    og_paper_hub_end(client, code);
}

static void leave(void *with, void *client)
{
    og_paper_hub_leave(((struct server *)with)->paper, client);
}

static bool next(void *client, struct og_serve_frame *frame)
{
    struct og_paper_message *m = og_paper_hub_next(client);

    if (m)
        *frame = (struct og_serve_frame){ m->text, m->len, m };
    return m != NULL;
}

static void sent(const struct og_serve_frame *frame)
{
    og_paper_hub_sent(frame->owner);
}

static void wake_connection(void *connection)
{
    og_serve_wake(connection);
}

static void drop_connection(void *connection, int code)
{
    og_serve_drop(connection, code);
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

/* Fire the timers that are due, and store what changed. */
static int64_t tick(void *with)
{
    struct og_paper *p = ((struct server *)with)->paper;

    og_paper_clock_run(&p->clock);
    (void)og_paper_store(p); /* if this fails, failed() returns true */
    return og_paper_clock_wait_us(&p->clock);
}

static bool failed(void *with)
{
    return ((struct server *)with)->paper->failed;
}

static void stopping(void *with)
{
    og_paper_hub_close_all(((struct server *)with)->paper);
}

static enum og_status announce(void *with, int port, struct og_error *err)
{
    const struct og_paper_server_options *o = ((struct server *)with)->options;
    FILE *file;

    if (o->port_file) {
        file = fopen(o->port_file, "w");
        if (!file || fprintf(file, "%d\n", port) < 0 || fclose(file) != 0)
            return og_fail_because(err, OG_EIO, errno, "cannot write the port file '%s': %s", o->port_file,
                                   strerror(errno));
    }
    printf(strchr(o->host, ':') ? "listening on %s://[%s]:%d\n" : "listening on %s://%s:%d\n",
           o->cert ? "https" : "http", o->host, port);
    return fflush(stdout) == 0 ? OG_OK
                               : og_fail_because(err, OG_EIO, errno, "cannot write to stdout: %s", strerror(errno));
}

enum og_status og_paper_server_run(struct og_paper *p, const struct og_paper_server_options *options,
                                   struct og_error *err)
{
    static const struct og_paper_transport wire = { wake_connection, drop_connection };
    static const struct og_serve_app app = { .answer = answer,
                                             .refuse = refuse,
                                             .opens = opens,
                                             .join = join,
                                             .receive = receive,
                                             .end = end,
                                             .leave = leave,
                                             .next = next,
                                             .sent = sent,
                                             .tick = tick,
                                             .failed = failed,
                                             .stopping = stopping };
    const struct og_serve_options to = { .host = options->host,
                                         .port = options->port,
                                         .most_connections = options->most_connections,
                                         .cert = options->cert,
                                         .key = options->key,
                                         .reading = { .prefix = p->options.prefix },
                                         .body_most = MOST_BODY,
                                         .too_large = "the body is larger than 1 MiB",
                                         .idle_s = OG_CONN_IDLE_S };
    struct server s = { .paper = p, .options = options };
    enum og_status status;

    og_buf_init(&s.packed, 0);
    og_paper_hub_set_transport(p, &wire);
    status = og_serve_run(&app, &s, &to, announce, err);
    og_buf_clear(&s.packed);
    return status;
}
