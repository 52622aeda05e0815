/*
 * A path where programs give a run its lines, as long as it runs: a FIFO, or a socket on which each writer gets the
 * events of its own lines.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <uv.h>

#include "ordergate/status.h"

struct og_sender;
struct og_writer;

/* The path, and who is connected to it (intake.c). */
struct og_intake {
    int fifo, listens;       /* descriptors plus 1; 0: the path is not such a one, or is closed */
    int ready;               /* plus 1: an epoll instance, readable while something of a writer, or a new one, waits */
    struct stat socket;      /* the socket's name */
    uv_poll_t poll;          /* of `ready` */
    bool polls;              /* `poll` is on the loop */
    bool room;               /* lines may be read; false while too many wait, and at the end of the run */
    bool full_told;          /* it was reported that there are too many writers */
    struct og_writer *first; /* in no sequence */
    int writers;             /* number of those */
    uint64_t newest;         /* the newest writer's number, from 1 */
};

/* Open options.intake, if it is set.
 *   OG_EIO     it cannot be used; err says why
 *   OG_ENOMEM, OG_ENET */
enum og_status og_send_intake_open(struct og_sender *s, struct og_error *err);
/* Go on reading; called once a tick. room: false while too many lines wait. Writers that get no more events are
 * closed. */
void og_send_intake_flow(struct og_sender *s, bool room);
void og_send_intake_stop(struct og_sender *s); /* the run ends: take no more writers, and no more lines */
/* Read what writers have written so far, without waiting; at most 1 MiB of each. */
void og_send_intake_drain(struct og_sender *s);
bool og_send_intake_is_open(const struct og_sender *s);
/* Returns a descriptor that is readable while something of a writer waits to be read; -1 if there is none. */
int og_send_intake_fd(const struct og_sender *s);
bool og_send_intake_waits(const struct og_sender *s); /* returns true if a writer has lines that are not read yet */
/* Note that lines of a writer take so many bytes more, or, if negative, less while they wait to be decided. */
void og_send_intake_count(struct og_sender *s, uint64_t writer, ptrdiff_t bytes);
/* Send the event to the writer, if it is still there. */
void og_send_intake_answer(struct og_sender *s, uint64_t writer, const char *event, size_t len);
/* Close all; writers that have not read their last answers get a moment for it. */
void og_send_intake_close(struct og_sender *s);
