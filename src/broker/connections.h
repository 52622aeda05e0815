/*
 * Connections by their sockets: which are not used again, and how long what was written to one may still leave.
 */
#ifndef OG_BROKER_CONNECTIONS_H
#define OG_BROKER_CONNECTIONS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#define OG_CONNECTION_IDLE_MOST_S 60L

struct og_connections {
    unsigned keep_ms;    /* how long the kernel tries to deliver what was written */
    bool dropping;       /* one that closes now is reset */
    int64_t slept_ns;    /* how long the machine slept since it started, by two looks at two clocks */
    int64_t fresh_until; /* loop time; until then no connection is used again */
};

/* timeout_ms: of a request. */
void og_connections_init(struct og_connections *s, int64_t timeout_ms);
/* libcurl's CURLOPT_SOCKOPTFUNCTION and CURLOPT_CLOSESOCKETFUNCTION; with: a struct og_connections. */
int og_connection_opened(void *with, curl_socket_t socket, curlsocktype purpose);
int og_connection_close(void *with, curl_socket_t socket);
/* Connections of before are not to be used: the machine slept meanwhile.  now_ms: loop time. */
bool og_connections_are_stale(struct og_connections *s, int64_t now_ms);

#endif
