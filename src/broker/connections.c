/*
 * Limits what a connection can still do after its process was suspended, abandoned a request or died. When the network
 * fails, the kernel retransmits for minutes. But it must not deliver an order after the proof of absence has shown that
 * the order is not at the broker.
 */
#include "broker/connections.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "base/time.h"
#include "base/timeouts.h"

#define SLEPT_NS INT64_C(1000000000)

static int64_t asleep_ns(void)
{
    return (int64_t)og_time_up() - (int64_t)uv_hrtime();
}

void og_connections_init(struct og_connections *s, int64_t timeout_ms)
{
    *s = (struct og_connections){
        .keep_ms = (unsigned)(timeout_ms < OG_CONNECTION_KEEP_MOST_MS ? timeout_ms : OG_CONNECTION_KEEP_MOST_MS),
        .slept_ns = asleep_ns()
    };
}

/* Sets a time-out in the kernel, which is effective even after this process was killed. */
int og_connection_opened(void *with, curl_socket_t socket, curlsocktype purpose)
{
    const struct og_connections *s = with;

    (void)purpose;
    (void)setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &s->keep_ms, sizeof s->keep_ms);
    return CURL_SOCKOPT_OK;
}

/* Resets the connection of an abandoned request. After a normal close the kernel could still deliver the order at a
 * time when no process looks for the order any more. */
int og_connection_close(void *with, curl_socket_t socket)
{
    const struct og_connections *s = with;
    struct linger drop = { .l_onoff = 1, .l_linger = 0 };

    if (s->dropping)
        (void)setsockopt(socket, SOL_SOCKET, SO_LINGER, &drop, sizeof drop);
    return close(socket);
}

/* Returns true for some time after the machine slept. During the sleep the peer, or a device on the way, may have
 * dropped connections, and libcurl does not count the sleep in their age. So connections are not reused for as long as
 * libcurl keeps idle ones. */
bool og_connections_are_stale(struct og_connections *s, int64_t now_ms)
{
    int64_t slept_ns = asleep_ns();

    if (slept_ns > s->slept_ns + SLEPT_NS) {
        s->slept_ns = slept_ns;
        s->fresh_until = now_ms + OG_CONNECTION_IDLE_MOST_S * 1000;
    }
    return now_ms < s->fresh_until;
}
