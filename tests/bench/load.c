/*
 * Sends requests with epoll: every connection has one outstanding until all are answered.  Bodies are not parsed, so
 * that the client costs less than the server it measures.
 */
#include "load.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 1024, EVENTS = 64 };

struct client {
    int fd;
    long step;
    char out[1024], in[65536];
    size_t out_len, head_len; /* head_len: bytes read of a head that is not complete */
    long body_left;           /* bytes of the answer's body still to be read; -1: its head is being read */
};

/* --- requests ----------------------------------------------------------------------------------------------------- */

#define KEYS    "SVC-API-KEY-ID: paper-key\r\nSVC-API-SECRET-KEY: paper-secret\r\n"
#define ACCOUNT "/v1/api/accounts/PAPER0001/"

static size_t plain(char *to, size_t size, const char *method, const char *path)
{
    return (size_t)snprintf(to, size, "%s %s HTTP/1.1\r\nHost: bench\r\n" KEYS "\r\n", method, path);
}

static size_t of_order(char *to, size_t size, const char *method, const char *path, int connection, long n)
{
    char whole[128];

    snprintf(whole, sizeof whole, ACCOUNT "%s/c%d-%ld", path, connection, n);
    return plain(to, size, method, whole);
}

static size_t order(char *to, size_t size, int connection, long n, char kind, const char *side, const char *effect,
                    const char *limit)
{
    char body[400];
    int len = snprintf(body, sizeof body,
                       "{\"clientOrderId\":\"%c%d-%ld\",\"securityType\":\"Stock\",\"symbol\":\"F\",\"side\":\"%s\","
                       "\"openClose\":\"%s\",\"orderType\":\"Limit\",\"orderQuantity\":1,\"timeInForce\":\"Day\","
                       "\"limitPrice\":%s}",
                       kind, connection, n, side, effect, limit);

    return (size_t)snprintf(to, size,
                            "POST " ACCOUNT "order HTTP/1.1\r\nHost: bench\r\n" KEYS
                            "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
                            len, body);
}

size_t load_mixed(char *to, size_t size, int connection, long step)
{
    long n = step / 10;

    switch (step % 10) {
    case 0: return order(to, size, connection, n, 'c', "Buy", "Open", "1");
    case 1: return of_order(to, size, "GET", "order", connection, n);
    case 2: return plain(to, size, "GET", "/v1/api/account/PAPER0001");
    case 3: return of_order(to, size, "DELETE", "orders", connection, n);
    case 4: return plain(to, size, "GET", ACCOUNT "positions");
    case 5: return order(to, size, connection, n, 'b', "Buy", "Open", "20");
    case 6: return plain(to, size, "GET", ACCOUNT "pnl");
    case 7: return plain(to, size, "GET", ACCOUNT "routes");
    case 8: return plain(to, size, "GET", n % 10 == connection % 10 ? ACCOUNT "orders" : ACCOUNT "positions/closed");
    default: return order(to, size, connection, n, 's', "Sell", "Close", "0.01");
    }
}

size_t load_reads(char *to, size_t size, int connection, long step)
{
    static const char *const paths[] = { "/v1/api/accounts",         "/v1/api/account/PAPER0001",
                                         ACCOUNT "positions",        ACCOUNT "pnl",
                                         ACCOUNT "orders",           ACCOUNT "routes",
                                         ACCOUNT "positions/closed", ACCOUNT "is-easy-to-borrow/symbol/GME" };

    return plain(to, size, "GET", paths[(step + connection) % (long)(sizeof paths / sizeof paths[0])]);
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

struct run {
    const struct service *service;
    struct client *clients;
    load_request *next;
    long asked, answered, requests, errors;
    int epoll;
};

/* Send the next request on a connection, unless all have been sent. */
static void ask(struct run *r, struct client *c, int connection)
{
    if (r->asked == r->requests)
        return;
    r->asked++;
    c->out_len = r->next(c->out, sizeof c->out, connection, c->step++);
    c->head_len = 0;
    c->body_left = -1;
    if (c->out_len >= sizeof c->out || write(c->fd, c->out, c->out_len) != (ssize_t)c->out_len)
        stop("a request could not be sent: %s", strerror(errno));
}

/* The head is complete: read its status and the length of the body. */
static long read_head(struct run *r, const char *head)
{
    const char *length = strcasestr(head, "\r\ncontent-length:");

    if (strncmp(head, "HTTP/1.1 ", 9) != 0 || !length)
        stop("no answer: %.80s", head);
    r->errors += strncmp(head + 9, "200", 3) != 0;
    return strtol(length + 17, NULL, 10);
}

/* Returns false if the answer is not complete yet. */
static bool take(struct run *r, struct client *c, size_t got)
{
    const char *end;

    if (c->body_left >= 0) {
        c->body_left -= (long)got;
        return c->body_left == 0;
    }
    c->head_len += got;
    c->in[c->head_len] = '\0';
    end = strstr(c->in, "\r\n\r\n");
    if (!end)
        return false;
    c->body_left = read_head(r, c->in) - (long)(c->head_len - (size_t)(end + 4 - c->in));
    return c->body_left == 0;
}

static void hear(struct run *r, int connection)
{
    struct client *c = &r->clients[connection];
    size_t at = c->body_left < 0 ? c->head_len : 0;
    ssize_t got = read(c->fd, c->in + at, sizeof c->in - 1 - at);

    if (got <= 0)
        stop("the service closed a connection");
    if (!take(r, c, (size_t)got))
        return;
    r->answered++;
    ask(r, c, connection);
}

struct load_result load_run(const struct service *s, int connections, long requests, load_request *next)
{
    static long runs; /* number of the run, which makes ids different from those of earlier runs */
    struct run r = { .service = s, .next = next, .requests = requests, .epoll = epoll_create1(EPOLL_CLOEXEC) };
    struct epoll_event events[EVENTS];
    double begin;
    int n, i;

    r.clients = calloc((size_t)connections, sizeof *r.clients);
    if (!r.clients || r.epoll < 0 || connections > MOST_CONNECTIONS)
        stop("out of memory");
    for (i = 0; i < connections; i++) {
        struct epoll_event in = { .events = EPOLLIN, .data.u32 = (uint32_t)i };

        r.clients[i].fd = service_connect(s);
        r.clients[i].step = runs * 100000000;
        epoll_ctl(r.epoll, EPOLL_CTL_ADD, r.clients[i].fd, &in);
    }
    runs++;
    begin = seconds_now();
    for (i = 0; i < connections; i++)
        ask(&r, &r.clients[i], i);
    while (r.answered < requests) {
        n = epoll_wait(r.epoll, events, EVENTS, 30000);
        if (n <= 0)
            stop("no answer for 30 s");
        for (i = 0; i < n; i++)
            hear(&r, (int)events[i].data.u32);
    }
    begin = seconds_now() - begin;
    for (i = 0; i < connections; i++)
        close(r.clients[i].fd);
    close(r.epoll);
    free(r.clients);
    return (struct load_result){ begin, r.errors };
}
