/*
 * Socket options of connections, which limit for how long the kernel may try to deliver bytes that were written; and a
 * function that says when connections must not be reused.
 */
#pragma once

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/timeouts.h"

struct og_connections {
    unsigned keep_ms;    /* how long the kernel tries to deliver written bytes */
    bool dropping;       /* while set, closing a connection resets it */
    int64_t slept_ns;    /* how long the machine has slept since boot: the difference of two clocks */
    int64_t fresh_until; /* loop time until which existing connections are not reused */
};

/* timeout_ms: the time-out of requests */
void og_connections_init(struct og_connections *s, int64_t timeout_ms);
/* Callbacks for libcurl's CURLOPT_SOCKOPTFUNCTION and CURLOPT_CLOSESOCKETFUNCTION; with: a struct og_connections. */
int og_connection_opened(void *with, curl_socket_t socket, curlsocktype purpose);
int og_connection_close(void *with, curl_socket_t socket);
/* Returns true if connections must not be reused because the machine slept in the meantime.  now_ms: loop time. */
bool og_connections_are_stale(struct og_connections *s, int64_t now_ms);
