/*
 * What a connection may do when nobody looks after it: the process slept, gave the request up, or died.
 * It refuses to leave an order to the kernel's retransmissions: over a line that is cut for a while they go on for
 * minutes, when the order has long been found absent.
 */
#include "broker/connections.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "base/time.h"

#include "base/banned.h"

#define SLEPT_NS     INT64_C(1000000000)
#define KEEP_MOST_MS 30000 /* absence is proved after 60 s (contract.md) */

static int64_t asleep_ns(void)
{
    return (int64_t)og_time_up() - (int64_t)uv_hrtime();
}

void og_connections_init(struct og_connections *s, int64_t timeout_ms)
{
    *s = (struct og_connections){ .keep_ms = (unsigned)(timeout_ms < KEEP_MOST_MS ? timeout_ms : KEEP_MOST_MS),
                                  .slept_ns = asleep_ns() };
}

/* Also after this process was killed: no event of ours can end the socket then. */
int og_connection_opened(void *with, curl_socket_t socket, curlsocktype purpose)
{
    const struct og_connections *s = with;

    (void)purpose;
    (void)setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &s->keep_ms, sizeof(s->keep_ms));
    return CURL_SOCKOPT_OK;
}

/* What the kernel still keeps of a request that was given up is not to be sent when nobody looks for its order any
 * more: a close alone would send it. */
int og_connection_close(void *with, curl_socket_t socket)
{
    const struct og_connections *s = with;
    struct linger drop = { .l_onoff = 1, .l_linger = 0 };

    if (s->dropping)
        (void)setsockopt(socket, SOL_SOCKET, SO_LINGER, &drop, sizeof(drop));
    return close(socket);
}

/* Who slept did not hear that the other end, or what is in between, forgot the connections of before; and libcurl does
 * not see that they are old.  They are not used again until it would not have used them anyway. */
bool og_connections_are_stale(struct og_connections *s, int64_t now_ms)
{
    int64_t slept_ns = asleep_ns();

    if (slept_ns > s->slept_ns + SLEPT_NS) {
        s->slept_ns = slept_ns;
        s->fresh_until = now_ms + OG_CONNECTION_IDLE_MOST_S * 1000;
    }
    return now_ms < s->fresh_until;
}
