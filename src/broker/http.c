/*
 * libcurl on libuv.  If a kept-alive connection turns out to be dead, libcurl starts the request again by itself, which
 * it must not do with a POST or DELETE.  So the second start is aborted here, the reader of the body cannot rewind, and
 * the caller learns that bytes may have been sent.  Also, no request is timed out before its socket was read: libcurl
 * would check the time-out first, and after the process was stopped for a while it would discard an answer that is
 * already in the socket.
 */
#include "broker/http.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/crypto.h"
#include "base/error.h"
#include "base/mask.h"
#include "base/time.h"
#include "base/timeouts.h"
#include "broker/connections.h"

/* maximum size of an answer in bytes after decompression; a larger answer is a failure */
#define REPLY_MOST       ((size_t)16 << 20)
#define TYPE_MOST        256 /* maximum length of a Content-Type that is kept */
#define CONNECTIONS_MOST 16L
#define CHANCES_MOST \
    3 /* maximum number of extensions of a deadline: if the loop rarely runs, deadlines have often passed when it
       * does */

struct request {
    struct og_http *http;
    struct request *next, **at;
    CURL *easy;
    char *body;
    enum og_http_body kind;
    size_t len, read;
    int starts;  /* how often libcurl has begun to send the request */
    bool again;  /* libcurl tried to send the body again from its beginning */
    bool single; /* libcurl must not start the request a second time; set for all methods except GET */
    bool wrote;
    char error[CURL_ERROR_SIZE];
    struct og_buf reply;
    uint64_t began;
    int64_t deadline_ms; /* loop time at which the request times out */
    const char *stop;    /* why before_send stopped the request; NULL if it did not */
    bool abandoned;      /* nothing more of the request may be sent */
    int chances;         /* number of times the deadline was extended, to read the request's socket once more */
    og_http_before_send *before_send;
    og_http_done *done;
    void *with;
};

struct watch {
    uv_poll_t poll;
    struct og_http *http;
    curl_socket_t socket;
};

struct og_http {
    const struct og_settings *settings;
    uv_loop_t *loop;
    CURLM *multi;
    uv_timer_t *timer;    /* the timer for libcurl's own time-outs */
    uv_timer_t *deadline; /* fires at the earliest deadline of all requests */
    struct curl_slist *get_headers, *post_headers, *form_headers;
    struct request *first;
    bool closing;
    struct og_connections sockets;
    int64_t timeout_ms; /* time-out of each request */
};

/* --- one request -------------------------------------------------------------------------------------------------- */

static void free_request(struct request *r)
{
    if (r->next)
        r->next->at = r->at;
    *r->at = r->next;
    if (r->easy) {
        r->http->sockets.dropping = r->abandoned;
        curl_multi_remove_handle(r->http->multi, r->easy);
        r->http->sockets.dropping = false;
        curl_easy_cleanup(r->easy);
    }
    og_buf_clear(&r->reply);
    free(r->body);
    free(r);
}

static size_t on_body(char *bytes, size_t size, size_t n, void *with)
{
    struct request *r = with;

    og_buf_bytes(&r->reply, bytes, size * n);
    return r->reply.bad ? 0 : size * n;
}

static size_t on_read(char *to, size_t size, size_t n, void *with)
{
    struct request *r = with;
    size_t room = size * n, left = r->len - r->read;

    if (r->starts > 1)
        return CURL_READFUNC_ABORT;
    if (left > room)
        left = room;
    memcpy(to, r->body + r->read, left);
    r->read += left;
    return left;
}

static int cannot_seek(void *with, curl_off_t offset, int origin)
{
    struct request *r = with;

    r->again = true;
    (void)offset;
    (void)origin;
    return CURL_SEEKFUNC_FAIL;
}

/* libcurl calls this each time a connection is about to send the request. */
static int on_start(void *with, char *ip, char *local_ip, int port, int local_port)
{
    struct request *r = with;

    (void)ip;
    (void)local_ip;
    (void)port;
    (void)local_port;
    if (++r->starts == 1)
        r->stop = r->before_send(r->with);
    return r->stop || (r->single && r->starts > 1) ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

/* libcurl reports what it has written. Only the fact that something was written is used: the bytes contain the
 * secret. */
static int on_trace(CURL *easy, curl_infotype type, char *bytes, size_t size, void *with)
{
    struct request *r = with;

    (void)easy;
    (void)bytes;
    if ((type == CURLINFO_HEADER_OUT || type == CURLINFO_DATA_OUT) && size > 0)
        r->wrote = true;
    return 0;
}

#define SET(option, value) ok = ok && curl_easy_setopt(r->easy, option, value) == CURLE_OK

static bool set_transport(struct request *r, const char *url)
{
    const struct og_settings *s = r->http->settings;
    bool ok = true;

    SET(CURLOPT_URL, url);
    SET(CURLOPT_PATH_AS_IS, 1L);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (s->ca_file)
        SET(CURLOPT_CAINFO, s->ca_file);
    if (s->loopback)
        SET(CURLOPT_NOPROXY, "*");
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_MAXAGE_CONN, OG_CONNECTION_IDLE_MOST_S);
    SET(CURLOPT_FRESH_CONNECT, og_connections_are_stale(&r->http->sockets, (int64_t)uv_now(r->http->loop)) ? 1L : 0L);
    SET(CURLOPT_TCP_NODELAY, 1L);
    SET(CURLOPT_ACCEPT_ENCODING, "gzip");
    SET(CURLOPT_USERAGENT, "ordergate/" OG_VERSION);
    return ok;
}

static bool set_callbacks(struct request *r)
{
    bool ok = true;

    SET(CURLOPT_PRIVATE, r);
    SET(CURLOPT_ERRORBUFFER, r->error);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, r);
    SET(CURLOPT_PREREQFUNCTION, on_start);
    SET(CURLOPT_PREREQDATA, r);
    SET(CURLOPT_VERBOSE, 1L); /* libcurl calls on_trace only for verbose transfers */
    SET(CURLOPT_SOCKOPTFUNCTION, og_connection_opened);
    SET(CURLOPT_SOCKOPTDATA, &r->http->sockets);
    SET(CURLOPT_CLOSESOCKETFUNCTION, og_connection_close);
    SET(CURLOPT_CLOSESOCKETDATA, &r->http->sockets);
    SET(CURLOPT_DEBUGFUNCTION, on_trace);
    SET(CURLOPT_DEBUGDATA, r);
    return ok;
}

static struct curl_slist *headers_of(const struct request *r)
{
    const struct og_http *h = r->http;

    return !r->body ? h->get_headers : r->kind == OG_HTTP_FORM ? h->form_headers : h->post_headers;
}

static bool set_method(struct request *r, const char *method)
{
    bool ok = true;

    if (!r->body)
        SET(CURLOPT_HTTPGET, 1L);
    else
        SET(CURLOPT_POST, 1L);
    if (strcmp(method, !r->body ? "GET" : "POST") != 0)
        SET(CURLOPT_CUSTOMREQUEST, method);
    SET(CURLOPT_HTTPHEADER, headers_of(r));
    if (!r->body)
        return ok;
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->len);
    SET(CURLOPT_READFUNCTION, on_read);
    SET(CURLOPT_READDATA, r);
    SET(CURLOPT_SEEKFUNCTION, cannot_seek);
    SET(CURLOPT_SEEKDATA, r);
    return ok;
}

static int64_t date_of(CURL *easy)
{
    struct curl_header *date = NULL;
    time_t t;

    if (curl_easy_header(easy, "Date", 0, CURLH_HEADER, -1, &date) != CURLHE_OK)
        return OG_TIME_UNKNOWN;
    t = curl_getdate(date->value, NULL);
    return t == -1 ? OG_TIME_UNKNOWN : (int64_t)t * OG_NS_PER_S;
}

/* Mask the secret in all texts of the complete answer that the server can choose: the server may send back what it
 * received. */
static void mask(struct request *r, char *type)
{
    const struct og_str secret = og_str_of(r->http->settings->secret);

    if (r->reply.s)
        og_mask(r->reply.s, r->reply.len, secret);
    og_mask(r->error, strlen(r->error), secret);
    og_mask(type, strlen(type), secret);
}

static void finish_request(struct request *r, CURLcode code)
{
    struct og_http_reply reply = { .whole = code == CURLE_OK, .error = "", .began_ns = r->began };
    char *said = NULL, type[TYPE_MOST];
    long sent = 0;

    curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &reply.status);
    curl_easy_getinfo(r->easy, CURLINFO_REQUEST_SIZE, &sent);
    if (curl_easy_getinfo(r->easy, CURLINFO_CONTENT_TYPE, &said) != CURLE_OK || !said)
        said = "";
    snprintf(type, sizeof type, "%s", said);
    mask(r, type);
    reply.content_type = type;
    reply.wrote = r->wrote || sent > 0 || reply.status != 0;
    reply.body = r->reply.s && !r->reply.bad ? r->reply.s : "";
    reply.len = r->reply.bad ? 0 : r->reply.len; /* the body is not used if it is incomplete */
    reply.date_ns = date_of(r->easy);
    if (r->stop)
        reply.error = r->stop;
    else if (r->reply.bad)
        reply.error = "the answer is larger than 16 MB, or out of memory";
    else if (code != CURLE_OK && r->single && (r->starts > 1 || r->again))
        reply.error = "the connection was closed after the request was written and before an answer came; it is not "
                      "sent again";
    else if (code != CURLE_OK)
        reply.error = r->error[0] != '\0' ? r->error : curl_easy_strerror(code);
    r->done(r->with, &reply);
    free_request(r);
}

/* --- deadlines ---------------------------------------------------------------------------------------------------- */

static void on_deadline(uv_timer_t *timer);

static void set_deadline(struct og_http *h)
{
    int64_t now = (int64_t)uv_now(h->loop), first = INT64_MAX;

    for (const struct request *r = h->first; r; r = r->next)
        if (r->deadline_ms < first)
            first = r->deadline_ms;
    if (first < INT64_MAX)
        uv_timer_start(h->deadline, on_deadline, first > now ? (uint64_t)(first - now) : 0, 0);
}

/* Time in which the process was stopped does not count as waiting: extend the deadline, so that the loop reads the
 * sockets before the request times out. Returns false if the deadline is final. */
static bool extend_deadline(struct request *r, int64_t now)
{
    int64_t late = now - r->deadline_ms;

    if (r->chances > 0 && (late < OG_REQUEST_LATE_MS || r->chances == CHANCES_MOST))
        return false;
    r->chances++;
    r->deadline_ms = now + 1 + (late < r->http->timeout_ms ? late : r->http->timeout_ms);
    return true;
}

static void time_out(struct request *r)
{
    r->abandoned = r->single;
    snprintf(r->error, sizeof r->error, "no complete answer within %lld ms", (long long)r->http->timeout_ms);
    finish_request(r, CURLE_OPERATION_TIMEDOUT);
}

static void on_deadline(uv_timer_t *timer)
{
    struct og_http *h = timer->data;
    int64_t now = (int64_t)uv_now(h->loop);
    struct request *r, *next;

    for (r = h->first; r && !h->closing; r = next) {
        next = r->next;
        if (r->deadline_ms <= now && !extend_deadline(r, now))
            time_out(r);
    }
    if (!h->closing)
        set_deadline(h);
}

/* --- libcurl on the event loop ------------------------------------------------------------------------------------ */

static void handle_finished(struct og_http *h)
{
    struct request *r;
    CURLMsg *m;
    int left;

    while ((m = curl_multi_info_read(h->multi, &left))) {
        if (m->msg != CURLMSG_DONE || curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &r) != CURLE_OK)
            continue;
        finish_request(r, m->data.result);
        if (h->closing)
            return;
    }
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct watch *w = poll->data;
    int running, what = status < 0 ? CURL_CSELECT_ERR : 0;

    if ((events & UV_READABLE) != 0)
        what |= CURL_CSELECT_IN;
    if ((events & UV_WRITABLE) != 0)
        what |= CURL_CSELECT_OUT;
    curl_multi_socket_action(w->http->multi, w->socket, what, &running);
    handle_finished(w->http);
}

static void on_timer(uv_timer_t *timer)
{
    struct og_http *h = timer->data;
    int running;

    curl_multi_socket_action(h->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    handle_finished(h);
}

static int set_timer(CURLM *multi, long timeout_ms, void *with)
{
    struct og_http *h = with;

    (void)multi;
    if (h->closing)
        return 0;
    if (timeout_ms < 0)
        uv_timer_stop(h->timer);
    else
        uv_timer_start(h->timer, on_timer, (uint64_t)timeout_ms, 0);
    return 0;
}

static void free_handle(uv_handle_t *handle)
{
    free(handle->data);
}

static void stop_watching(struct og_http *h, struct watch *w)
{
    curl_multi_assign(h->multi, w->socket, NULL);
    uv_poll_stop(&w->poll);
    uv_close((uv_handle_t *)&w->poll, free_handle);
}

static int set_socket(CURL *easy, curl_socket_t socket, int what, void *with, void *assigned)
{
    struct og_http *h = with;
    struct watch *w = assigned;
    int events = 0;

    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (w)
            stop_watching(h, w);
        return 0;
    }
    if (!w) {
        if (!(w = calloc(1, sizeof *w)))
            return -1;
        if (uv_poll_init_socket(h->loop, &w->poll, socket) != 0) {
            free(w);
            return -1;
        }
        w->http = h;
        w->socket = socket;
        w->poll.data = w;
        curl_multi_assign(h->multi, socket, w);
    }
    if (what != CURL_POLL_OUT)
        events |= UV_READABLE;
    if (what != CURL_POLL_IN)
        events |= UV_WRITABLE;
    return uv_poll_start(&w->poll, events, on_poll) == 0 ? 0 : -1;
}

/* --- creation and public functions -------------------------------------------------------------------------------- */

static bool add_header(struct curl_slist **list, const char *name, const char *tail, const char *value)
{
    struct curl_slist *longer;
    const size_t size = strlen(name) + strlen(tail) + strlen(value) + sizeof ": ";
    char *line = malloc(size); /* asprintf() is not used here, since it leaves copies of the secret behind */

    if (!line)
        return false;
    snprintf(line, size, "%s%s: %s", name, tail, value);
    longer = curl_slist_append(*list, line);
    og_wipe(line, size);
    free(line);
    if (longer)
        *list = longer;
    return longer != NULL;
}

static bool add_headers(struct curl_slist **list, const struct og_settings *s, const char *type)
{
    return add_header(list, s->header_prefix, "-API-KEY-ID", s->key_id) &&
           add_header(list, s->header_prefix, "-API-SECRET-KEY", s->secret) &&
           add_header(list, "Accept", "", "application/json") &&
           (!type || (add_header(list, "Content-Type", "", type) && add_header(list, "Expect", "", "")));
}

static void free_headers(struct curl_slist *list)
{
    for (struct curl_slist *l = list; l; l = l->next)
        og_wipe(l->data, strlen(l->data));
    curl_slist_free_all(list);
}

/* Returns a timer on the heap, since the loop closes it after its owner was freed. */
static uv_timer_t *new_timer(uv_loop_t *loop, struct og_http *h)
{
    uv_timer_t *timer = calloc(1, sizeof *timer);

    if (!timer)
        return NULL;
    uv_timer_init(loop, timer);
    timer->data = h;
    return timer;
}

static void free_timer(uv_timer_t *timer)
{
    if (!timer)
        return;
    timer->data = timer;
    uv_close((uv_handle_t *)timer, free_handle);
}

enum og_status og_http_new(uv_loop_t *loop, const struct og_settings *settings, long timeout_ms, struct og_http **http,
                           struct og_error *err)
{
    struct og_http *h = calloc(1, sizeof *h);

    *http = NULL;
    if (!h || !(h->timer = new_timer(loop, h)) || !(h->deadline = new_timer(loop, h))) {
        free_timer(h ? h->timer : NULL);
        free(h);
        return og_fail(err, OG_ENOMEM, "out of memory");
    }
    h->settings = settings;
    h->loop = loop;
    h->timeout_ms = timeout_ms;
    og_connections_init(&h->sockets, timeout_ms);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) == 0)
        h->multi = curl_multi_init();
    if (!h->multi || !add_headers(&h->get_headers, settings, NULL) ||
        !add_headers(&h->post_headers, settings, "application/json") ||
        !add_headers(&h->form_headers, settings, "multipart/form-data; boundary=" OG_HTTP_BOUNDARY)) {
        og_http_free(h);
        return og_fail(err, OG_ENOMEM, "libcurl cannot be started");
    }
    curl_multi_setopt(h->multi, CURLMOPT_SOCKETFUNCTION, set_socket);
    curl_multi_setopt(h->multi, CURLMOPT_SOCKETDATA, h);
    curl_multi_setopt(h->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(h->multi, CURLMOPT_TIMERDATA, h);
    curl_multi_setopt(h->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
    curl_multi_setopt(h->multi, CURLMOPT_MAX_HOST_CONNECTIONS, CONNECTIONS_MOST);
    *http = h;
    return OG_OK;
}

static struct request *new_request(struct og_http *h, enum og_http_body kind, const char *body, size_t len)
{
    struct request *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->http = h;
    r->kind = kind;
    r->at = &h->first;
    r->next = h->first;
    if (r->next)
        r->next->at = &r->next;
    h->first = r;
    og_buf_init(&r->reply, REPLY_MOST);
    r->easy = curl_easy_init();
    if (body && (r->body = malloc(len + 1))) {
        memcpy(r->body, body, len);
        r->len = len;
    }
    if (!r->easy || (body && !r->body)) {
        free_request(r);
        return NULL;
    }
    return r;
}

enum og_status og_http_start(struct og_http *h, const char *method, const char *path, enum og_http_body kind,
                             const char *body, size_t len, og_http_before_send *before_send, og_http_done *done,
                             void *with, struct og_error *err)
{
    struct request *r = new_request(h, kind, body, len);
    char *url = NULL;
    bool ok;

    if (!r)
        return og_fail(err, OG_ENOMEM, "out of memory");
    r->before_send = before_send;
    r->done = done;
    r->with = with;
    r->single = strcmp(method, "GET") != 0;
    r->began = og_time_up();
    uv_update_time(h->loop);
    r->deadline_ms = (int64_t)uv_now(h->loop) + h->timeout_ms;
    ok = asprintf(&url, "%s%s", h->settings->base_url, path) >= 0;
    ok = ok && set_transport(r, url) && set_callbacks(r) && set_method(r, method);
    free(url);
    if (!ok || curl_multi_add_handle(h->multi, r->easy) != CURLM_OK) {
        free_request(r);
        return og_fail(err, OG_ENET, "libcurl rejects the request '%s %s'", method, path);
    }
    set_deadline(h);
    return OG_OK;
}

void og_http_free(struct og_http *h)
{
    if (!h)
        return;
    h->closing = true;
    while (h->first)
        free_request(h->first);
    if (h->multi)
        curl_multi_cleanup(h->multi);
    free_headers(h->get_headers);
    free_headers(h->post_headers);
    free_headers(h->form_headers);
    free_timer(h->timer);
    free_timer(h->deadline);
    free(h);
}
