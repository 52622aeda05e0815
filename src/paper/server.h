/*
 * The service over HTTP and both WebSocket streams, on one port (src/serve).
 */
#pragma once

#include "ordergate/status.h"
#include "paper/paper.h"

struct og_paper_server_options {
    const char *host; /* an address of this machine */
    int port;         /* 0 means any free port */
    int most_connections;
    const char *port_file, *cert, *key; /* NULL if there is no such file */
};

/* Serve until SIGTERM or SIGINT; prints one line on stdout once it listens.
 *   OG_OK   stopped by a signal
 *   OG_EIO  the address, the port file, the certificate or the database cannot be used */
enum og_status og_paper_server_run(struct og_paper *p, const struct og_paper_server_options *options,
                                   struct og_error *err);
