/*
 * WebSocket clients (RFC 6455) that only listen.  The frames of the first client are read one by one; the others
 * must receive the same bytes.  Fragments and frames other than text, which the service does not send, are errors.
 */
#include "listen.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UPGRADE                                                                                      \
    "GET /stream/portfolio HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" \
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
#define SIGN_IN   "{\"key\":\"paper-key\",\"secret\":\"paper-secret\"}"
#define SUBSCRIBE "{\"accountId\":\"PAPER0001\",\"subscriptions\":[\"Order\"]}"

enum { MOST_FRAME = 16384 };

static void write_all(int fd, const void *bytes, size_t len)
{
    if (write(fd, bytes, len) != (ssize_t)len)
        stop("a stream cannot be written: %s", strerror(errno));
}

static void read_all(int fd, void *to, size_t len)
{
    size_t at = 0;

    while (at < len) {
        ssize_t got = read(fd, (char *)to + at, len - at);

        if (got <= 0)
            stop("the service closed a stream");
        at += (size_t)got;
    }
}

/* Send a text frame; its mask is all zeros, so the text is sent as it is. */
static void say(int fd, const char *text)
{
    unsigned char frame[256] = { 0x81 };
    size_t len = strlen(text);

    if (len > 125)
        stop("a message is too long");
    frame[1] = (unsigned char)(0x80 | len);
    memcpy(frame + 6, text, len);
    write_all(fd, frame, len + 6);
}

/* Read the next frame as it is on the wire, followed by a NUL; *text is where its text begins.  Returns its length. */
static size_t hear(int fd, unsigned char *frame, char **text)
{
    size_t head = 2, len;

    read_all(fd, frame, 2);
    len = frame[1];
    if (len == 126) {
        read_all(fd, frame + 2, 2);
        len = (size_t)frame[2] << 8 | frame[3];
        head = 4;
    }
    if (frame[0] != 0x81 || len + head >= MOST_FRAME)
        stop("not a text frame of that size: %02x, %zu bytes", frame[0], len);
    read_all(fd, frame + head, len);
    frame[head + len] = '\0';
    *text = (char *)frame + head;
    return head + len;
}

static void expect(int fd, const char *part)
{
    unsigned char frame[MOST_FRAME];
    char *text;

    hear(fd, frame, &text);
    if (!strstr(text, part))
        stop("'%s' is not in '%s'", part, text);
}

static int join(const struct service *s)
{
    int fd = service_connect(s);
    char c[4] = "";

    write_all(fd, UPGRADE, sizeof UPGRADE - 1);
    while (memcmp(c, "\r\n\r\n", 4) != 0) {
        memmove(c, c + 1, 3);
        read_all(fd, c + 3, 1);
    }
    expect(fd, "PENDING_AUTH");
    say(fd, SIGN_IN);
    expect(fd, "CONNECTED");
    return fd;
}

void listen_once(const struct service *s)
{
    close(join(s));
}

static void place(int fd, long n)
{
    char body[400], request[800], answer[8192] = "";
    size_t at = 0;
    int len = snprintf(body, sizeof body,
                       "{\"clientOrderId\":\"l%09ld\",\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\","
                       "\"openClose\":\"Open\",\"orderType\":\"Limit\",\"orderQuantity\":1,\"timeInForce\":\"Day\","
                       "\"limitPrice\":1}",
                       n);

    len = snprintf(request, sizeof request,
                   "POST /v1/api/accounts/PAPER0001/order HTTP/1.1\r\nHost: bench\r\nSVC-API-KEY-ID: paper-key\r\n"
                   "SVC-API-SECRET-KEY: paper-secret\r\nContent-Length: %d\r\n\r\n%s",
                   len, body);
    write_all(fd, request, (size_t)len);
    while (at == 0 || answer[at - 1] != '}') { /* go on to the end of the order: an order of one leg has no object
                                                * inside */
        ssize_t got = read(fd, answer + at, sizeof answer - 1 - at);

        if (got <= 0)
            stop("an order was not answered: %s", answer);
        at += (size_t)got;
        answer[at] = '\0';
    }
    if (strncmp(answer, "HTTP/1.1 200", 12) != 0)
        stop("an order was refused: %s", answer);
}

/* Read the frames that the first client must receive: for each order PendingNew and then New. Returns their length. */
static size_t hear_first(int fd, long first, int orders, unsigned char *all)
{
    long pending = first, working = first, id;
    unsigned char frame[MOST_FRAME];
    size_t len, total = 0;
    char *text, *found;
    bool is_new;
    int n;

    for (n = 0; n < orders * 2; n++) {
        len = hear(fd, frame, &text);
        found = strstr(text, "PAPER0001:l");
        id = found ? strtol(found + 11, NULL, 10) : -1;
        is_new = strstr(text, "\"PendingNew\"") != NULL;
        if (id != (is_new ? pending : working))
            stop("a push is out of order: %s", text);
        *(is_new ? &pending : &working) += 1;
        memcpy(all + total, frame, len);
        total += len;
    }
    return total;
}

struct listen_result listen_run(const struct service *s, int clients, int orders)
{
    static long placed = 1;
    struct listen_result result = { .pushes = (long)clients * orders * 2 };
    unsigned char *all = malloc((size_t)orders * 2 * MOST_FRAME), *other;
    int *fds = malloc((size_t)clients * sizeof *fds), asking, i;
    size_t len;

    if (!all || !fds)
        stop("out of memory");
    for (i = 0; i < clients; i++) {
        fds[i] = join(s);
        say(fds[i], SUBSCRIBE);
        expect(fds[i], "requestConfirmed");
    }
    asking = service_connect(s); /* after the others: the service ends a connection on which no request begins */
    result.seconds = seconds_now();
    for (i = 0; i < orders; i++)
        place(asking, placed + i);
    len = hear_first(fds[0], placed, orders, all);
    other = malloc(len);
    for (i = 1; other && i < clients; i++) {
        read_all(fds[i], other, len);
        if (memcmp(all, other, len) != 0)
            stop("client %d heard something else than the first", i);
    }
    result.seconds = seconds_now() - result.seconds;
    result.bytes = (long)len * clients;
    placed += orders;
    for (i = 0; i < clients; i++)
        close(fds[i]);
    close(asking);
    free(other);
    free(all);
    free(fds);
    return result;
}
