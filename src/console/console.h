/*
 * The console of a sender: metrics, health and an HTML page, served over HTTP by a process of its own
 * (docs/serving.md). Two forms, which need a token, halt and resume; nothing else changes anything.
 */
#pragma once

#include "console/forms.h"
#include "console/orders.h"
#include "console/view.h"

struct og_console_options {
    const char *host; /* a loopback address */
    int port;         /* 0 means any free port */
    long sender;      /* process id of the sender that is shown */
    og_console_ask *ask;
    struct og_console_forms forms;
    struct og_console_reads reads;
};

/* Serve until SIGTERM or SIGINT. listening is called with the port once it is open; if it returns a status other than
 * OG_OK, the console ends and returns that status.
 *   OG_OK   stopped by a signal
 *   OG_EIO  the address cannot be used, or sockets failed
 *   OG_ENOMEM */
enum og_status og_console_run(const struct og_console_options *options,
                              enum og_status (*listening)(void *with, int port, struct og_error *err), void *with,
                              struct og_error *err);
