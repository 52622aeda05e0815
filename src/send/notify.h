/*
 * What a service manager such as systemd is told of the run, in the datagrams of sd_notify(3): READY, STATUS, WATCHDOG
 * and STOPPING.  They are written here, so that no library of systemd is needed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "ordergate/status.h"

struct og_sender;

/* What the service manager was told (notify.c). */
struct og_notify {
    int fd;              /* plus 1; 0 if nobody is told */
    bool ready, failed;  /* READY was sent; a datagram could not be sent, which was reported once */
    int64_t watchdog_ms; /* loop time of the next WATCHDOG; INT64_MAX if none is wanted */
    int64_t status_ms;   /* loop time before which no STATUS is sent */
    char status[512];    /* the newest STATUS */
};

/* Open the socket, if options.notify_socket is set.
 *   OG_EINVAL  it is no address of a socket that this can be, or the watchdog's time cannot be kept
 *   OG_EIO     no socket can be made */
enum og_status og_send_notify_begin(struct og_sender *s, struct og_error *err);
void og_send_notify_due(struct og_sender *s); /* tell what is new; last in each tick, so that a tick has been done */
void og_send_notify_stopping(struct og_sender *s);
/* Returns the loop time of the next datagram; INT64_MAX if none is due. */
int64_t og_send_notify_next(const struct og_sender *s);
void og_send_notify_end(struct og_sender *s);

/* --- status_text.c ------------------------------------------------------------------------------------------------ */
void og_send_on_report(uv_async_t *async); /* callback after og_sender_report() was called; its data is the sender */
/* Write in one line, without control characters, what the run does now; what does not fit is left out. */
void og_send_status_text(const struct og_sender *s, char *to, size_t size);
