/*
 * A parsed address: http, https, ws or wss, host, port, path; no user part, query or fragment.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* Its texts point into the url. */
struct og_address {
    bool tls, websocket, loopback;
    struct og_str host; /* without the brackets of an IPv6 address */
    int port;
    struct og_str path; /* "", or a path that begins with a slash */
};

/* Returns false if the url is not such an address. */
bool og_address_read(const char *url, struct og_address *a);
