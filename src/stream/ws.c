/*
 * libwebsockets as a client on libuv.  Nothing blocks the loop except the look-up of the host name; messages are wiped
 * after they were sent.
 */
#include "stream/ws.h"

#include <libwebsockets.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/crypto.h"
#include "base/error.h"
#include "base/timeouts.h"

#define MESSAGE_MOST ((size_t)4 << 20)
/* maximum number of bytes read in one iteration of the loop; with only a few KiB, a busy stream would fall behind */
#define AT_ONCE (64u << 10)

struct outgoing {
    struct outgoing *next;
    size_t len;
    unsigned char room[]; /* LWS_PRE bytes for libwebsockets, then the text */
};

struct og_ws {
    struct lws_context *context;
    struct lws *wsi;
    SSL_CTX *tls; /* NULL if TLS is not used */
    char *host, *path;
    int port;
    bool open, opening, closing;
    const struct og_ws_events *events;
    void *with;
    struct og_buf in;
    struct outgoing *first, *last;
    void *loops[1];
    lws_retry_bo_t silence;
    uv_timer_t reaper;
    int turns; /* iterations of the loop since og_ws_free() */
};

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len);

static const struct lws_protocols protocols[] = { { .name = "ordergate", .callback = on_event }, { .name = NULL } };

static void drop_outgoing(struct og_ws *ws)
{
    struct outgoing *o;

    while ((o = ws->first)) {
        ws->first = o->next;
        og_wipe(o->room, LWS_PRE + o->len);
        free(o);
    }
    ws->last = NULL;
}

static void connection_ended(struct og_ws *ws, const char *why)
{
    bool was_open = ws->open || ws->opening;

    ws->wsi = NULL;
    ws->open = ws->opening = ws->closing = false;
    og_buf_reset(&ws->in);
    drop_outgoing(ws);
    if (was_open && ws->events)
        ws->events->closed(ws->with, why);
}

/* Returns in words why a connection failed. For an untrusted certificate libwebsockets gives only a number. */
static const char *error_text(const char *reason)
{
    if (!reason)
        return "cannot connect";
    if (strncmp(reason, "connect SSL err", strlen("connect SSL err")) == 0)
        return "TLS failed: the certificate must be for this host and issued by an authority that ca_file or the "
               "system trusts";
    return reason;
}

static int write_one(struct og_ws *ws)
{
    struct outgoing *o = ws->first;
    int n;

    if (ws->closing)
        return -1;
    if (!o)
        return 0;
    n = lws_write(ws->wsi, o->room + LWS_PRE, o->len, LWS_WRITE_TEXT);
    og_wipe(o->room, LWS_PRE + o->len);
    ws->first = o->next;
    if (!ws->first)
        ws->last = NULL;
    if (ws->first && n >= 0)
        lws_callback_on_writable(ws->wsi);
    n = n < (int)o->len ? -1 : 0;
    free(o);
    return n;
}

static int append_input(struct og_ws *ws, const char *bytes, size_t len)
{
    if (lws_frame_is_binary(ws->wsi))
        return -1;
    og_buf_bytes(&ws->in, bytes, len);
    if (ws->in.bad)
        return -1;
    if (!lws_is_final_fragment(ws->wsi) || lws_remaining_packet_payload(ws->wsi) != 0)
        return 0;
    if (ws->events && ws->in.len > 0)
        ws->events->text(ws->with, ws->in.s, ws->in.len);
    og_buf_reset(&ws->in);
    return ws->closing ? -1 : 0;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
    struct og_ws *ws = lws_context_user(lws_get_context(wsi));

    (void)user;
    switch (reason) {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        ws->opening = false;
        ws->open = true;
        if (ws->events)
            ws->events->opened(ws->with);
        return ws->closing ? -1 : 0;
    case LWS_CALLBACK_CLIENT_RECEIVE: return append_input(ws, in, len);
    case LWS_CALLBACK_CLIENT_WRITEABLE: return write_one(ws);
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: connection_ended(ws, error_text(in)); return 0;
    case LWS_CALLBACK_CLIENT_CLOSED: connection_ended(ws, "the connection was closed"); return 0;
    case LWS_CALLBACK_WSI_DESTROY: /* if the upgrade was not answered, no other event comes */
        if (wsi == ws->wsi)
            connection_ended(ws, "the WebSocket upgrade was not answered");
        return 0;
    default: return lws_callback_http_dummy(wsi, reason, user, in, len);
    }
}

/* Returns a TLS context for connections; NULL if memory ran out or ca_file cannot be loaded. libwebsockets could make
 * its own context, but version 4.1 loses the one of a process's first lws_context once there is a second. */
static SSL_CTX *tls_of(const char *ca_file)
{
    SSL_CTX *tls = SSL_CTX_new(TLS_client_method());

    if (tls && SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) == 1 &&
        (ca_file ? SSL_CTX_load_verify_locations(tls, ca_file, NULL) : SSL_CTX_set_default_verify_paths(tls)) == 1)
        return tls;
    SSL_CTX_free(tls);
    return NULL;
}

enum og_status og_ws_new(uv_loop_t *loop, const struct og_ws_place *place, const struct og_ws_events *events,
                         void *with, struct og_ws **to, struct og_error *err)
{
    struct og_ws *ws = calloc(1, sizeof *ws);
    struct lws_context_creation_info info = { 0 };

    *to = NULL;
    if (!ws)
        return og_fail(err, OG_ENOMEM, "out of memory");
    lws_set_log_level(0, NULL); /* prevents libwebsockets from printing: failures come as events */
    ws->events = events;
    ws->with = with;
    ws->port = place->port;
    ws->tls = place->tls ? tls_of(place->ca_file) : NULL;
    ws->host = strdup(place->host);
    ws->path = strdup(place->path);
    ws->silence =
        (lws_retry_bo_t){ .secs_since_valid_ping = OG_STREAM_PING_S, .secs_since_valid_hangup = OG_STREAM_HANGUP_S };
    og_buf_init(&ws->in, MESSAGE_MOST);
    ws->loops[0] = loop;
    info.port = CONTEXT_PORT_NO_LISTEN;
    info.protocols = protocols;
    info.options = LWS_SERVER_OPTION_LIBUV | (ws->tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0);
    info.foreign_loops = ws->loops;
    info.pcontext = &ws->context; /* libwebsockets sets it to NULL when the context no longer exists */
    info.user = ws;
    info.connect_timeout_secs = OG_STREAM_CONNECT_S;
    info.pt_serv_buf_size = AT_ONCE;
    info.provided_client_ssl_ctx = ws->tls;
    info.http_proxy_address = place->loopback ? "" : NULL; /* "" prevents use of the environment's http_proxy */
    uv_timer_init(loop, &ws->reaper);
    ws->reaper.data = ws;
    if (!ws->host || !ws->path || (place->tls && !ws->tls) || !(ws->context = lws_create_context(&info))) {
        const bool trusts = !place->tls || ws->tls;

        og_ws_free(ws);
        return trusts           ? og_fail(err, OG_ENET, "libwebsockets cannot be started")
               : place->ca_file ? og_fail(err, OG_ENET, "ca_file %s: no certificate can be loaded", place->ca_file)
                                : og_fail(err, OG_ENET, "the system's CA certificates cannot be loaded");
    }
    *to = ws;
    return OG_OK;
}

void og_ws_open(struct og_ws *ws)
{
    struct lws_client_connect_info i = { 0 };

    i.context = ws->context;
    i.address = i.host = i.origin = ws->host;
    i.port = ws->port;
    i.path = ws->path;
    i.ssl_connection = LCCSCF_HTTP_NO_FOLLOW_REDIRECT; /* redirects are not followed, since the keys must go only to the
                                                        * given address */
    i.ssl_connection |= ws->tls ? LCCSCF_USE_SSL : 0;
    i.local_protocol_name = protocols[0].name;
    i.ietf_version_or_minus_one = -1;
    i.retry_and_idle_policy = &ws->silence;
    i.pwsi = &ws->wsi;
    ws->opening = true;
    if (!lws_client_connect_via_info(&i) && ws->opening)
        connection_ended(ws, "cannot connect");
}

bool og_ws_send(struct og_ws *ws, const char *text, size_t len)
{
    struct outgoing *o;

    if (!ws->open || !(o = malloc(sizeof *o + LWS_PRE + len)))
        return false;
    o->next = NULL;
    o->len = len;
    memcpy(o->room + LWS_PRE, text, len);
    if (ws->last)
        ws->last->next = o;
    else
        ws->first = o;
    ws->last = o;
    lws_callback_on_writable(ws->wsi);
    return true;
}

void og_ws_close(struct og_ws *ws)
{
    if (!ws->wsi)
        return;
    ws->closing = true;
    if (ws->open)
        /* without this request for a callback, the time-out below would take effect only at the socket's next event */
        lws_callback_on_writable(ws->wsi);
    lws_set_timeout(ws->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
}

static void on_reaped(uv_handle_t *handle)
{
    struct og_ws *ws = handle->data;

    og_buf_clear(&ws->in);
    free(ws->host);
    free(ws->path);
    SSL_CTX_free(ws->tls);
    free(ws);
}

/* On a foreign loop the first call to destroy the context only closes its handles; a second call, after they are
 * closed, frees it.  To close a handle takes one iteration of the loop, to close a connection another one. */
static void on_reaper(uv_timer_t *timer)
{
    struct og_ws *ws = timer->data;

    if (++ws->turns < 3 && ws->context)
        return;
    if (ws->context)
        lws_context_destroy(ws->context);
    drop_outgoing(ws);
    uv_close((uv_handle_t *)timer, on_reaped);
}

void og_ws_free(struct og_ws *ws)
{
    if (!ws)
        return;
    ws->events = NULL;
    if (ws->context)
        lws_context_destroy(ws->context);
    uv_timer_start(&ws->reaper, on_reaper, 1, 1);
}
