/*
 * A descriptor on the event loop: pipes, FIFOs, terminals and sockets are polled; files are read to their end, or as
 * they grow.  Nothing is read while paused.
 */
#pragma once

#include <uv.h>

#include "send/lines.h"

struct og_input;

struct og_input_events {
    og_line_taker *line;
    void (*ended)(void *with, int error); /* 0: its end; else the errno */
};

/* follow: a file is read on when it grows, and never ends.  The descriptor stays the caller's.  NULL: out of memory. */
struct og_input *og_input_new(uv_loop_t *loop, int fd, bool follow, const struct og_input_events *events, void *with);
/* Read or do not.  It starts paused. */
void og_input_flow(struct og_input *input, bool on);
/* Something came, or its end, that a reader who may read has not read yet. */
bool og_input_waits(const struct og_input *input);
/* Take in what is there now, without waiting. */
void og_input_drain(struct og_input *input);
/* Take in one piece of that.  Returns false if nothing more is there now, or the input has ended. */
bool og_input_take(struct og_input *input);
void og_input_free(struct og_input *input); /* NULL is allowed; its handle closes as the loop runs */
