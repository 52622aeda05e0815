/*
 * What the console answers. The console serves only requests to the names of this machine, so that no page of another
 * site can reach it by a name that resolves to this address. A request made by a page of another origin is refused.
 * Only GET is served, and POST of the two forms, which must come from a page of the console.
 */
#include "console/console.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/timeouts.h"
#include "console/metrics.h"
#include "console/page.h"
#include "serve/page.h"
#include "serve/serve.h"

#define CONNECTIONS_MOST 64
#define WATCHERS_MOST    16
#define TICK_US          1010000 /* a little longer than the time for which a status document is used again */
#define OPEN_METRICS     "application/openmetrics-text"
#define NO_ROOM          "too many pages are open\n"

/* An open page, which gets the state as server-sent events. */
struct watcher {
    struct console *console;
    struct og_serve_conn *conn;
    struct watcher *next;
    int64_t seen, woken; /* numbers of the status documents that were last sent to it (seen), and for which it was last
                          * woken; 0: none */
    struct og_buf out;
};

struct console {
    const struct og_console_options *options;
    enum og_status (*listening)(void *with, int port, struct og_error *err);
    void *with;
    int port;
    struct og_console_view view;
    struct og_console_kept kept[OG_CONSOLE_LISTS];
    struct watcher *watchers;
    int watching;
};

/* --- answers ------------------------------------------------------------------------------------------------------ */

static void put_text(struct og_serve_reply *r, int status, const char *text)
{
    r->status = status;
    og_serve_page_fields(r->fields, "text/plain; charset=utf-8");
    og_buf_reset(r->body);
    og_buf_text(r->body, text);
}

static void put_metrics(struct console *c, const struct og_serve_request *request, struct og_serve_reply *r)
{
    const struct og_str accept = request->head->accept;
    const bool open = accept.len && memmem(accept.s, accept.len, OPEN_METRICS, sizeof OPEN_METRICS - 1);

    r->status = 200;
    og_serve_page_fields(r->fields, open ? OPEN_METRICS "; version=1.0.0; charset=utf-8"
                                         : "text/plain; version=0.0.4; charset=utf-8");
    og_console_metrics(&c->view, open, r->body);
}

static void put_ready(struct console *c, struct og_serve_reply *r)
{
    og_console_faults(&c->view, r->body);
    r->status = r->body->len ? 503 : 200;
    og_serve_page_fields(r->fields, "text/plain; charset=utf-8");
    if (!r->body->len)
        og_buf_text(r->body, "ready\n");
}

static void put_status(struct console *c, struct og_serve_reply *r)
{
    if (!c->view.doc) {
        put_text(r, 503, c->view.err.text);
        return;
    }
    r->status = 200;
    og_serve_page_fields(r->fields, "application/json");
    r->body->bad |= !og_doc_text(c->view.doc, r->body);
    og_buf_char(r->body, '\n');
}

static void put_events(struct console *c, struct og_serve_reply *r)
{
    if (c->watching >= WATCHERS_MOST) {
        put_text(r, 503, NO_ROOM);
        return;
    }
    r->status = 200;
    r->streams = true;
    og_serve_page_fields(r->fields, "text/event-stream");
}

static void put_page(struct console *c, struct og_serve_reply *r)
{
    r->status = 200;
    og_serve_page_fields(r->fields, "text/html; charset=utf-8");
    og_console_page(&c->view, r->body);
}

/* Answer with a page that is made from the ledger. Its forms are sent to this server. */
static void put_ledger(struct console *c, const struct og_serve_head *h, struct og_serve_reply *r)
{
    static const char id[] = "id=";
    const bool named = h->query.len >= sizeof id - 1 && memcmp(h->query.s, id, sizeof id - 1) == 0;
    const struct og_str rest = { h->query.s + sizeof id - 1, named ? h->query.len - (sizeof id - 1) : 0 };
    const enum og_console_list which = og_str_is(h->path, "/orders") ? OG_CONSOLE_ORDERS : OG_CONSOLE_POSITIONS;

    r->status = 200;
    og_serve_page_form_fields(r->fields);
    if (og_str_is(h->path, "/order"))
        r->status = og_console_order(&c->view, &c->options->reads, named ? rest : OG_STR(""), r->body);
    else
        og_console_list(&c->view, &c->options->reads, which, &c->kept[which], r->body);
}

static void refuse_method(struct og_serve_reply *r, bool has_form)
{
    og_buf_text(r->fields, has_form ? "Allow: GET, POST\r\n" : "Allow: GET\r\n");
    put_text(r, 405, has_form ? "there are GET and POST\n" : "only GET is served here\n");
}

/* Answer a request for one of the two pages with a form. */
static void put_form(struct console *c, const struct og_serve_request *request, struct og_serve_reply *r)
{
    const struct og_serve_head *h = request->head;
    const bool resume = og_str_is(h->path, "/resume");

    if (h->method == OG_METHOD_GET)
        og_console_form(&c->options->forms, resume, r);
    else if (h->method != OG_METHOD_POST)
        refuse_method(r, true);
    else if (!h->origin.s)
        put_text(r, 403, "a form is posted by a page of this console, with its Origin: use ordergate halt or resume\n");
    else
        og_console_posted(&c->options->forms, resume, request, &c->view, r);
}

/* Returns the length of the host's name, without ":" and our port; 0 if the text does not end with our port. */
static size_t without_port(const struct console *c, struct og_str host)
{
    char port[16];
    const int len = snprintf(port, sizeof port, ":%d", c->port);

    return host.len > (size_t)len && memcmp(host.s + host.len - len, port, (size_t)len) == 0 ? host.len - (size_t)len
                                                                                             : 0;
}

/* Returns true if the host is a name by which this machine calls itself, with our port. Another name that resolves to
 * this address is not served. */
static bool is_our_host(const struct console *c, struct og_str host)
{
    static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };
    const struct og_str name = { host.s, without_port(c, host) };

    for (size_t i = 0; name.len && i < sizeof names / sizeof names[0]; i++)
        if (og_str_is(name, names[i]))
            return true;
    return name.len && (og_str_is(name, c->options->host) ||
                        (name.len > 2 && name.s[0] == '[' &&
                         og_str_is((struct og_str){ name.s + 1, name.len - 2 }, c->options->host)));
}

/* Returns true if the origin is that of the page by the host of the request. To a browser two names of this machine are
 * two origins, and behind another one there may be another program of another user. */
static bool is_of_host(struct og_str origin, struct og_str host)
{
    static const char http[] = "http://";

    return origin.len == sizeof http - 1 + host.len && memcmp(origin.s, http, sizeof http - 1) == 0 &&
           memcmp(origin.s + sizeof http - 1, host.s, host.len) == 0;
}

static bool answer(void *with, const struct og_serve_request *request, struct og_serve_reply *r)
{
    static const char *const of_status[] = { "/",       "/metrics", "/readyz",    "/status",
                                             "/orders", "/order",   "/positions", NULL };
    struct console *c = with;
    const struct og_serve_head *h = request->head;

    if (!is_our_host(c, h->host)) {
        put_text(r, 403,
                 "this Host is not served: use localhost, 127.0.0.1, [::1] or the address given to --console, "
                 "with its port\n");
    } else if (h->origin.s && !is_of_host(h->origin, h->host)) {
        put_text(r, 403,
                 "nothing was done: Origin is not http:// and the Host of this request. Open the console anew "
                 "by one name, such as http://localhost:PORT/, and use its forms there; behind a proxy, let it "
                 "send both alike. Programs use ordergate halt and resume\n");
    } else if (og_str_is(h->path, "/halt") || og_str_is(h->path, "/resume")) {
        put_form(c, request, r);
    } else if (h->method != OG_METHOD_GET) {
        refuse_method(r, false);
    } else if (og_str_is(h->path, "/healthz")) {
        put_text(r, 200, "alive\n");
    } else if (og_str_is(h->path, "/console.js") || og_str_is(h->path, "/console.css")) {
        r->status = 200;
        og_serve_page_fields(r->fields, og_str_is(h->path, "/console.js") ? "text/javascript; charset=utf-8"
                                                                          : "text/css; charset=utf-8");
        og_buf_text(r->body, og_str_is(h->path, "/console.js") ? og_console_script : og_serve_page_style);
    } else if (og_str_is(h->path, "/events")) {
        put_events(c, r);
    } else if (og_str_is_one_of(h->path, of_status)) {
        og_console_look(&c->view);
        if (og_str_is(h->path, "/metrics"))
            put_metrics(c, request, r);
        else if (og_str_is(h->path, "/readyz"))
            put_ready(c, r);
        else if (og_str_is(h->path, "/status"))
            put_status(c, r);
        else if (og_str_is(h->path, "/"))
            put_page(c, r);
        else
            put_ledger(c, h, r);
    } else {
        put_text(r, 404, "there are /, /orders, /positions, /halt, /resume, /metrics, /healthz, /readyz, /status\n");
    }
    return true;
}

static void refuse(void *with, const struct og_serve_request *request, struct og_serve_reply *r)
{
    (void)with;
    (void)request;
    og_serve_page_fields(r->fields, "text/plain; charset=utf-8");
    og_buf_char(r->body, '\n');
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static void *join(void *with, const struct og_serve_request *request, struct og_serve_conn *conn)
{
    struct console *c = with;
    struct watcher *w = calloc(1, sizeof *w);

    (void)request;
    if (!w)
        return NULL;
    w->console = c;
    w->conn = conn;
    w->next = c->watchers;
    c->watchers = w;
    c->watching++;
    og_buf_init(&w->out, 0);
    og_console_look(&c->view);
    return w;
}

static void leave(void *with, void *client)
{
    struct console *c = with;
    struct watcher **at = &c->watchers, *w = client;

    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    c->watching--;
    og_buf_clear(&w->out);
    free(w);
}

/* Sends the newest state. Nothing is queued: a page that reads slowly misses the states between. */
static bool next(void *client, struct og_serve_frame *frame)
{
    struct watcher *w = client;

    if (w->seen == w->console->view.number)
        return false;
    w->seen = w->console->view.number;
    og_buf_reset(&w->out);
    og_console_event(&w->console->view, &w->out);
    if (w->out.bad)
        return false;
    *frame = (struct og_serve_frame){ .text = (unsigned char *)w->out.s, .len = w->out.len };
    return true;
}

static void sent(const struct og_serve_frame *frame)
{
    (void)frame;
}

static int64_t tick(void *with)
{
    struct console *c = with;

    if (!c->watchers)
        return -1;
    og_console_look(&c->view);
    for (struct watcher *w = c->watchers; w; w = w->next)
        if (w->woken != c->view.number) { /* once for each document: each wake-up makes the loop run again, which ends
                                           * here again */
            w->woken = c->view.number;
            og_serve_wake(w->conn);
        }
    return TICK_US;
}

static bool failed(void *with)
{
    (void)with;
    return false;
}

static void stopping(void *with)
{
    struct console *c = with;

    for (struct watcher *w = c->watchers; w; w = w->next)
        og_serve_drop(w->conn, 0);
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

static enum og_status on_listening(void *with, int port, struct og_error *err)
{
    struct console *c = with;

    c->port = port;
    return c->listening(c->with, port, err);
}

enum og_status og_console_run(const struct og_console_options *options,
                              enum og_status (*listening)(void *with, int port, struct og_error *err), void *with,
                              struct og_error *err)
{
    static const struct og_serve_app app = { .answer = answer,
                                             .refuse = refuse,
                                             .join = join,
                                             .leave = leave,
                                             .next = next,
                                             .sent = sent,
                                             .tick = tick,
                                             .failed = failed,
                                             .stopping = stopping };
    const struct og_serve_options to = { .host = options->host,
                                         .port = options->port,
                                         .most_connections = CONNECTIONS_MOST,
                                         .evicts = true,
                                         .reading = { .strict = true },
                                         .body_most = OG_CONSOLE_BODY_MOST,
                                         .too_large = "a form has at most 2048 bytes",
                                         .idle_s = OG_CONSOLE_IDLE_S,
                                         .stalled_s = OG_CONSOLE_STALL_S };
    struct console c = { .options = options,
                         .listening = listening,
                         .with = with,
                         .view = { .ask = options->ask, .sender = options->sender } };
    enum og_status status = og_serve_run(&app, &c, &to, on_listening, err);

    og_console_view_clear(&c.view);
    for (int i = 0; i < OG_CONSOLE_LISTS; i++)
        og_buf_clear(&c.kept[i].page);
    return status;
}
