/*
 * The event loop of libwebsockets, which is woken by sockets, by the program's next action and by signals. The HTTP of
 * libwebsockets is not used, since it takes the head of a pipelined request for a body and then loops; libwebsockets
 * only transfers the bytes of connections, with or without TLS.
 */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/timeouts.h"
#include "serve/conn.h"

#define MOST_DESCRIPTORS  16384
#define OTHER_DESCRIPTORS 64    /* number of descriptors that are needed besides those of connections */
#define AT_ONCE           16384 /* maximum number of bytes that are read from one connection before others are read */

struct server {
    struct og_serve_shared shared;
    struct lws_context *context;
    lws_sorted_usec_list_t alarm, end;
    struct og_serve_conn *conns;
    int connections, most_connections;
    int evicted; /* how many of the connections are being closed to make room */
    bool late;   /* the service is stopping, and the OG_SERVE_STOP_S seconds for that have passed */
};

/* The only static variables of src/serve; the signal handler uses them. */
static struct lws_context *volatile signaled;
static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = stopped + 1;
    if (signaled)
        lws_cancel_service(signaled);
}

static void end_connection(struct server *s, struct og_serve_conn *conn)
{
    *conn->at = conn->next;
    if (conn->next)
        conn->next->at = conn->at;
    s->evicted -= conn->evicted;
    og_serve_conn_free(conn);
    if (--s->connections == 0 && stopped)
        lws_cancel_service(s->context); /* wake the loop, which ends when the last connection is closed */
}

static bool begin_connection(struct server *s, struct lws *wsi)
{
    struct og_serve_conn *conn;

    if (!og_serve_conn_new(&s->shared, wsi))
        return false;
    conn = og_serve_conn_get(wsi);
    conn->next = s->conns;
    conn->at = &s->conns;
    if (conn->next)
        conn->next->at = &conn->next;
    s->conns = conn;
    s->connections++;
    return true;
}

/* Close a connection that waits for its client, to make room. Returns false if there is none. */
static bool evict(struct server *s)
{
    struct og_serve_conn *oldest = NULL;

    for (struct og_serve_conn *conn = s->conns; conn; conn = conn->next)
        if (!conn->client && !conn->busy && !conn->evicted && (!oldest || conn->since <= oldest->since))
            oldest = conn;
    if (!oldest)
        return false;
    oldest->evicted = true;
    s->evicted++;
    lws_set_timeout(oldest->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    return true;
}

static bool has_room(struct server *s)
{
    return s->connections - s->evicted < s->most_connections || (s->shared.options->evicts && evict(s));
}

static int callback(struct lws *wsi, enum lws_callback_reasons why, void *user, void *in, size_t len)
{
    struct og_serve_conn *conn = og_serve_conn_get(wsi);
    struct server *s = lws_context_user(lws_get_context(wsi));

    (void)user;
    if (conn && conn->evicted &&
        (why == LWS_CALLBACK_RAW_RX || why == LWS_CALLBACK_RAW_WRITEABLE || why == LWS_CALLBACK_TIMER))
        return -1;
    switch (why) {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION: return stopped || !has_room(s);
    case LWS_CALLBACK_RAW_ADOPT: return begin_connection(s, wsi) ? 0 : -1;
    case LWS_CALLBACK_WSI_DESTROY:
        if (conn)
            end_connection(s, conn);
        return 0;
    case LWS_CALLBACK_USER: /* when the service stops, all connections get this event */
        if (conn)
            og_serve_conn_finish(conn);
        return 0;
    case LWS_CALLBACK_RAW_RX: return conn ? og_serve_conn_receive(conn, in, len) : -1;
    case LWS_CALLBACK_RAW_WRITEABLE: return conn ? og_serve_conn_writable(conn) : -1;
    case LWS_CALLBACK_TIMER: return conn ? og_serve_conn_delayed(conn) : -1;
    default: return 0;
    }
}

static const struct lws_protocols protocols[] = {
    { .name = "serve", .callback = callback, .rx_buffer_size = AT_ONCE },
    { .name = NULL },
};

void og_serve_wake(struct og_serve_conn *conn)
{
    lws_callback_on_writable(conn->wsi);
}

void og_serve_drop(struct og_serve_conn *conn, int code)
{
    conn->close_code = code;
    if (code)
        lws_callback_on_writable(conn->wsi);
    else
        lws_set_timeout(conn->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

static bool has_failed(const struct server *s)
{
    return s->shared.app->failed(s->shared.with);
}

static void tick(struct server *s);

/* libwebsockets may call this while it computes how long to wait. So the work is done here; waking the loop would have
 * no effect. */
static void on_alarm(lws_sorted_usec_list_t *sul)
{
    tick(lws_container_of(sul, struct server, alarm));
}

/* Let the program do what is due, and schedule its next call. */
static void tick(struct server *s)
{
    int64_t wait = s->shared.app->tick(s->shared.with);

    if (has_failed(s))
        lws_cancel_service(s->context);
    if (wait < 0)
        lws_sul_cancel(&s->alarm);
    else
        lws_sul_schedule(s->context, 0, &s->alarm, on_alarm, wait > 0 ? wait : 1);
}

static enum og_status open_port(struct server *s, const struct og_serve_options *o, struct lws_vhost **vhost,
                                struct og_error *err)
{
    static const lws_retry_bo_t never_ping; /* the service sends no keepalive pings */
    struct lws_context_creation_info info = {
        .port = o->port,
        .iface = o->host,
        .protocols = protocols,
        .vhost_name = "serve",
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                   LWS_SERVER_OPTION_ADOPT_APPLY_LISTEN_ACCEPT_CONFIG |
                   (strchr(o->host, ':') ? 0 : LWS_SERVER_OPTION_DISABLE_IPV6) |
                   (o->cert ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0),
        .user = s,
        .gid = -1,
        .uid = -1,
        .listen_accept_role = "raw-skt",
        .listen_accept_protocol = protocols[0].name,
        .pt_serv_buf_size = AT_ONCE,
        .timeout_secs = OG_CONN_HEAD_S,
        .retry_and_idle_policy = &never_ping,
        .ssl_cert_filepath = o->cert,
        .ssl_private_key_filepath = o->key,
        .alpn = "http/1.1",
    };

    s->context = lws_create_context(&info);
    if (!s->context)
        return og_fail(err, OG_ENOMEM, "cannot set up libwebsockets");
    *vhost = lws_create_vhost(s->context, &info);
    if (!*vhost)
        return og_fail(err, OG_EIO, "cannot listen on '%s:%d'%s: is the port in use?", o->host, o->port,
                       o->cert ? " with that certificate" : "");
    return OG_OK;
}

static enum og_status run_loop(struct server *s, struct og_error *err)
{
    while (!stopped && !has_failed(s)) {
        tick(s);
        if (lws_service(s->context, 0) < 0)
            break;
    }
    return stopped ? OG_OK : og_fail(err, OG_EIO, "the service stopped: its database or its sockets failed");
}

static void on_end(lws_sorted_usec_list_t *sul)
{
    struct server *s = lws_container_of(sul, struct server, end);

    s->late = true;
    lws_cancel_service(s->context);
}

/* Stop: close the streams, finish the answers that were begun, accept no new connections. A second signal ends the wait
 * for the connections, and so does the time OG_SERVE_STOP_S. */
static void drain(struct server *s, struct lws_vhost *vhost)
{
    const struct lws_protocols *all = lws_vhost_name_to_protocol(vhost, protocols[0].name);

    if (s->shared.app->stopping)
        s->shared.app->stopping(s->shared.with);
    lws_sul_schedule(s->context, 0, &s->end, on_end, OG_SERVE_STOP_S * LWS_USEC_PER_SEC);
    while (s->connections > 0 && !s->late && stopped == 1) {
        lws_callback_all_protocol(s->context, all, LWS_CALLBACK_USER);
        if (lws_service(s->context, 0) < 0)
            break;
    }
    lws_sul_cancel(&s->end);
}

/* Raise the soft limit of file descriptors, which is often only 1024: each connection needs one.  Returns how many
 * connections are possible. */
static int raise_limit(int wanted)
{
    struct rlimit limit;
    rlim_t need = MOST_DESCRIPTORS;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return wanted;
    if (limit.rlim_cur < need) {
        limit.rlim_cur = limit.rlim_max < need ? limit.rlim_max : need;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur > OTHER_DESCRIPTORS && limit.rlim_cur - OTHER_DESCRIPTORS < (rlim_t)wanted)
        return (int)(limit.rlim_cur - OTHER_DESCRIPTORS);
    return wanted;
}

enum og_status og_serve_run(const struct og_serve_app *app, void *with, const struct og_serve_options *options,
                            og_serve_listening *listening, struct og_error *err)
{
    struct server s = { .shared = { app, with, options } };
    struct sigaction action = { .sa_handler = on_signal };
    struct lws_vhost *vhost;
    enum og_status status;

    lws_set_log_level(0, NULL);
    s.most_connections = raise_limit(options->most_connections);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    status = open_port(&s, options, &vhost, err);
    if (status == OG_OK) {
        signaled = s.context;
        status = listening(with, lws_get_vhost_listen_port(vhost), err);
    }
    if (status == OG_OK)
        status = run_loop(&s, err);
    if (status == OG_OK)
        drain(&s, vhost);
    signaled = NULL;
    if (s.context)
        lws_context_destroy(s.context);
    return status;
}
