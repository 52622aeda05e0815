/*
 * A descriptor on the event loop: pipes, FIFOs, terminals and sockets are polled; files are read to their end, or
 * further as they grow.  Nothing is read while the input is paused.
 */
#pragma once

#include <uv.h>

#include "send/lines.h"

struct og_input;

struct og_input_events {
    og_line_taker *line;
    /* called at the end of the input, with error 0, or after a read failed, with its errno */
    void (*ended)(void *with, int error);
};

/* Read lines from fd and pass them to events; the input starts paused. follow: at the end of a file, wait for it to
 * grow; the input then never ends. The caller closes fd. Returns NULL if out of memory. */
struct og_input *og_input_new(uv_loop_t *loop, int fd, bool follow, const struct og_input_events *events, void *with);
/* Go on reading, or pause. */
void og_input_flow(struct og_input *input, bool on);
/* Returns true if the input has unread bytes or, unless it is paused, has reached its end without having reported
 * that. */
bool og_input_waits(const struct og_input *input);
/* Read all that is there now, without waiting, even if paused. */
void og_input_drain(struct og_input *input);
/* Read at most one buffer of what is there now, without waiting, even if paused. Returns false if nothing more is
 * there, or the input has ended. */
bool og_input_take(struct og_input *input);
/* NULL is allowed; the memory is freed when the loop has closed the handle */
void og_input_free(struct og_input *input);
