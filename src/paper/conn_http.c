/*
 * Requests off the wire and answers onto it, faults of the transport included.
 * It refuses bodies over a mebibyte, and bodies without a length, which this version of libwebsockets cannot read.
 */
#include "paper/conn.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>

#include "paper/gzip.h"
#include "paper/log.h"
#include "paper/paper.h"
#include "wire/write.h"

#include "base/banned.h"

#define MOST_BODY ((size_t)1 << 20)
#define MOST_KEPT ((size_t)256 << 10)

bool og_paper_conn_new(struct og_paper *p, struct lws *wsi)
{
    struct og_paper_conn *conn = calloc(1, sizeof(*conn));

    if (!conn)
        return false;
    conn->paper = p;
    conn->wsi = wsi;
    og_buf_init(&conn->head, 0);
    og_buf_init(&conn->body, MOST_BODY + 1);
    og_buf_init(&conn->answer, 0);
    og_buf_init(&conn->out, 0);
    og_buf_init(&conn->packed, 0);
    lws_set_opaque_user_data(wsi, conn);
    return true;
}

struct og_paper_conn *og_paper_conn_get(struct lws *wsi)
{
    return lws_get_opaque_user_data(wsi);
}

void og_paper_conn_free(struct og_paper_conn *conn)
{
    if (conn->client)
        og_paper_hub_leave(conn->paper, conn->client);
    og_buf_clear(&conn->head);
    og_buf_clear(&conn->body);
    og_buf_clear(&conn->answer);
    og_buf_clear(&conn->out);
    og_buf_clear(&conn->packed);
    lws_set_opaque_user_data(conn->wsi, NULL);
    free(conn);
}

void og_paper_conn_finish(struct og_paper_conn *conn)
{
    conn->closing = true;
    if (!conn->client && !conn->active && !lws_partial_buffered(conn->wsi))
        lws_set_timeout(conn->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

/* ---- reading ---- */

static const struct {
    enum lws_token_indexes token;
    enum og_paper_method method;
} tokens[] = {
    { WSI_TOKEN_GET_URI, OG_GET },       { WSI_TOKEN_POST_URI, OG_POST }, { WSI_TOKEN_PUT_URI, OG_PUT },
    { WSI_TOKEN_PATCH_URI, OG_PATCH },   { WSI_TOKEN_DELETE_URI, OG_DELETE }, { WSI_TOKEN_HEAD_URI, OG_HEAD },
    { WSI_TOKEN_OPTIONS_URI, OG_OPTIONS },
};

/* Append a header's value and a NUL; answers where it starts. */
static size_t take_token(struct og_paper_conn *conn, enum lws_token_indexes token)
{
    size_t at = conn->head.len;
    int len = lws_hdr_total_length(conn->wsi, token);
    char *room = len > 0 ? malloc((size_t)len + 1) : NULL;

    if (room && lws_hdr_copy(conn->wsi, room, len + 1, token) > 0)
        og_buf_bytes(&conn->head, room, (size_t)len);
    free(room);
    og_buf_char(&conn->head, '\0');
    return at;
}

/* The transport cuts a query into its parameters, each decoded. */
static size_t take_query(struct og_paper_conn *conn)
{
    size_t at = conn->head.len;
    char *room;
    int n, len;

    for (n = 0; (len = lws_hdr_fragment_length(conn->wsi, WSI_TOKEN_HTTP_URI_ARGS, n)) > 0; n++) {
        room = malloc((size_t)len + 1);
        if (n)
            og_buf_char(&conn->head, '&');
        if (room && lws_hdr_copy_fragment(conn->wsi, room, len + 1, WSI_TOKEN_HTTP_URI_ARGS, n) > 0)
            og_buf_bytes(&conn->head, room, (size_t)len);
        free(room);
    }
    og_buf_char(&conn->head, '\0');
    return at;
}

/* A value without the blanks around it, which are HTTP's and not its own. */
static struct og_str trimmed(const char *value, int len)
{
    struct og_str s = { value, len > 0 ? (size_t)len : 0 };

    while (s.len && (s.s[0] == ' ' || s.s[0] == '\t')) {
        s.s++;
        s.len--;
    }
    while (s.len && (s.s[s.len - 1] == ' ' || s.s[s.len - 1] == '\t'))
        s.len--;
    return s;
}

static size_t take_custom(struct og_paper_conn *conn, const char *suffix, bool *there)
{
    struct og_str prefix = conn->paper->options.prefix;
    char name[96], value[512];
    size_t at = conn->head.len, i;
    struct og_str inner;
    int len, name_len;

    name_len = snprintf(name, sizeof(name), "%.*s%s", (int)prefix.len, prefix.s, suffix);
    for (i = 0; i < prefix.len; i++) /* names are kept in lower case */
        if (name[i] >= 'A' && name[i] <= 'Z')
            name[i] = (char)(name[i] + 'a' - 'A');
    len = lws_hdr_custom_copy(conn->wsi, value, sizeof(value), name, name_len);
    *there = len >= 0;
    inner = trimmed(value, len);
    og_buf_bytes(&conn->head, inner.s, inner.len);
    og_buf_char(&conn->head, '\0');
    return at;
}

static bool asks_to_close(struct lws *wsi)
{
    char value[64];

    if (lws_hdr_copy(wsi, value, sizeof(value), WSI_TOKEN_CONNECTION) > 0 && strcasestr(value, "close"))
        return true;
    return lws_hdr_copy(wsi, value, sizeof(value), WSI_TOKEN_HTTP) > 0 && strcmp(value, "HTTP/1.0") == 0;
}

/* false: there is a length and it is no number. */
static bool read_length(struct lws *wsi, bool *some)
{
    char value[20];
    size_t digits;

    *some = false;
    if (!lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH))
        return true;
    if (lws_hdr_copy(wsi, value, sizeof(value), WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0)
        return false;
    digits = strspn(value, "0123456789");
    *some = strspn(value, "0") < digits;
    return digits > 0 && strspn(value + digits, " ") == strlen(value + digits);
}

static void read_head(struct og_paper_conn *conn)
{
    size_t i;

    og_buf_reset(&conn->head);
    og_buf_reset(&conn->body);
    conn->too_large = false;
    for (i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++)
        if (lws_hdr_total_length(conn->wsi, tokens[i].token)) {
            conn->method = tokens[i].method;
            take_token(conn, tokens[i].token);
            break;
        }
    if (!conn->head.len)
        og_buf_char(&conn->head, '\0');
    conn->query_at = take_query(conn);
    conn->key_at = take_custom(conn, "-api-key-id:", &conn->has_key);
    conn->type_at = take_token(conn, WSI_TOKEN_HTTP_CONTENT_TYPE);
    conn->accept_at = take_token(conn, WSI_TOKEN_HTTP_ACCEPT_ENCODING);
    conn->secret_at = take_custom(conn, "-api-secret-key:", &conn->has_secret);
    conn->closing = asks_to_close(conn->wsi);
    conn->bad_length = !read_length(conn->wsi, &conn->expects_body);
}

static struct og_str part(const struct og_paper_conn *conn, size_t at)
{
    return og_str_of(conn->head.s + at);
}

/* ---- writing ---- */

static const char *phrase(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 411:
        return "Length Required";
    case 413:
        return "Content Too Large";
    case 429:
        return "Too Many Requests";
    case 500:
        return "Internal Server Error";
    case 503:
        return "Service Unavailable";
    default:
        return "Status";
    }
}

static void compose(struct og_paper_conn *conn, const struct og_paper_reply *reply)
{
    static const char room[LWS_PRE];
    struct og_buf *out = &conn->out;

    og_buf_reset(out);
    og_buf_bytes(out, room, sizeof(room));
    og_buf_format(out, "HTTP/1.1 %d %s\r\nDate: %s\r\n", reply->status, phrase(reply->status),
                  og_wire_time_http(og_paper_clock_now(&conn->paper->clock)).s);
    if (reply->content_type)
        og_buf_format(out, "Content-Type: %s\r\n", reply->content_type);
    if (reply->gzip)
        og_buf_text(out, "Content-Encoding: gzip\r\n");
    if (reply->allow)
        og_buf_format(out, "Allow: %s\r\n", reply->allow);
    if (reply->no_store)
        og_buf_text(out, "Cache-Control: max-age=0, no-cache, no-store\r\n");
    if (conn->closing)
        og_buf_text(out, "Connection: close\r\n");
    og_buf_format(out, "Content-Length: %zu\r\n\r\n", reply->content_type ? reply->body->len : 0);
    if (reply->content_type)
        og_buf_bytes(out, reply->body->s, reply->body->len);
}

static int send_bytes(struct og_paper_conn *conn, size_t len)
{
    return lws_write(conn->wsi, (unsigned char *)conn->out.s + LWS_PRE, len, LWS_WRITE_HTTP) < 0 ? -1 : 0;
}

static int send_answer(struct og_paper_conn *conn)
{
    bool sent = !conn->out.bad && send_bytes(conn, conn->out.len - LWS_PRE) == 0;

    conn->active = conn->busy = false;
    if (conn->out.cap > MOST_KEPT) { /* one long list must not stay in memory with its connection */
        og_buf_clear(&conn->out);
        og_buf_clear(&conn->answer);
        og_buf_clear(&conn->packed);
    }
    if (!sent)
        return -1;
    return lws_http_transaction_completed(conn->wsi) || conn->closing ? -1 : 0;
}

/* Dissolving the association makes the kernel answer with RST instead of FIN. */
static void reset_connection(struct lws *wsi)
{
    struct sockaddr none = { .sa_family = AF_UNSPEC };

    connect(lws_get_socket_fd(wsi), &none, sizeof(none));
}

static int misbehave(struct og_paper_conn *conn, const struct og_paper_reply *reply)
{
    switch (reply->mischief) {
    case OG_DELAY:
        conn->busy = true;
        lws_set_timeout(conn->wsi, NO_PENDING_TIMEOUT, 0);
        lws_set_timer_usecs(conn->wsi, reply->delay_ns / 1000 + 1);
        return 0;
    case OG_HANG:
        conn->active = false;
        conn->busy = true;
        lws_set_timeout(conn->wsi, NO_PENDING_TIMEOUT, 0);
        return 0;
    case OG_TRUNCATE:
        (void)send_bytes(conn, (conn->out.len - LWS_PRE) - (reply->body->len + 1) / 2 - (reply->body->len ? 0 : 2));
        return -1;
    case OG_RESET:
        reset_connection(conn->wsi);
        return -1;
    default:
        return -1;
    }
}

/* The service packs the account endpoints alone. */
static int answer(struct og_paper_conn *conn, struct og_paper_reply *reply)
{
    if (conn->paper->switches.gzip && reply->no_store && reply->body->len && og_paper_gzip_taken(part(conn, conn->accept_at)) &&
        og_paper_gzip((struct og_str){ reply->body->s, reply->body->len }, &conn->packed)) {
        reply->body = &conn->packed;
        reply->gzip = true;
    }
    compose(conn, reply);
    return reply->mischief == OG_NO_FAULT ? send_answer(conn) : misbehave(conn, reply);
}

static int refuse(struct og_paper_conn *conn, int status, const char *text)
{
    struct og_paper_request request = { .method = conn->method, .path = part(conn, 0), .query = part(conn, conn->query_at) };
    struct og_paper_reply reply = { .body = &conn->answer };

    og_reply_text(&reply, status, text);
    og_paper_log_add(conn->paper, &request, &reply, false);
    conn->closing = true;
    return answer(conn, &reply);
}

static int serve(struct og_paper_conn *conn)
{
    struct og_paper_request request = {
        .method = conn->method,
        .path = part(conn, 0),
        .query = part(conn, conn->query_at),
        .content_type = part(conn, conn->type_at),
        .body = { conn->body.s, conn->body.len },
    };
    struct og_paper_reply reply = { .body = &conn->answer };

    if (conn->has_key)
        request.key = part(conn, conn->key_at);
    if (conn->has_secret)
        request.secret = part(conn, conn->secret_at);
    og_buf_reset(&conn->answer);
    return og_paper_serve(conn->paper, &request, &reply) ? answer(conn, &reply) : -1;
}

static int begin(struct og_paper_conn *conn)
{
    if (conn->busy) /* pipelined behind an answer that is held back */
        return -1;
    conn->active = true;
    read_head(conn);
    if (conn->head.bad)
        return -1;
    if (!lws_hdr_total_length(conn->wsi, WSI_TOKEN_HTTP)) /* the transport ends a path at %0A or %0D: no account has such an id */
        return refuse(conn, 404, "Not found");
    if (lws_hdr_total_length(conn->wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING))
        return refuse(conn, 411, "Content-Length is needed");
    if (conn->bad_length)
        return refuse(conn, 400, "Content-Length is not a number");
    return conn->expects_body ? 0 : serve(conn);
}

int og_paper_conn_http(struct og_paper_conn *conn, enum lws_callback_reasons why, const void *in, size_t len)
{
    switch (why) {
    case LWS_CALLBACK_HTTP:
        return begin(conn);
    case LWS_CALLBACK_HTTP_BODY:
        conn->too_large = conn->too_large || conn->body.len + len > MOST_BODY;
        if (!conn->too_large)
            og_buf_bytes(&conn->body, in, len);
        return 0;
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        if (!conn->expects_body) /* already answered */
            return 0;
        return conn->too_large ? refuse(conn, 413, "the body is larger than 1 MiB") : serve(conn);
    case LWS_CALLBACK_TIMER:
        return conn->busy ? send_answer(conn) : 0;
    default:
        return 0;
    }
}
