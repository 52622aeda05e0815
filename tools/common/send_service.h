/*
 * ordergate send as a service: what a service manager such as systemd gives it by its environment.
 */
#pragma once

#include "ordergate/send.h"

/* Set options.notify_socket and options.watchdog_ns from NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID, and remove
 * these variables, so that no process that is started from here speaks for this one. */
void send_service_environment(struct og_send_options *options);
