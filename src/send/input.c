/*
 * Reads descriptors without blocking the loop.  A terminal or pipe that was blocking is set back to blocking
 * afterwards, since other processes share it.
 */
#include "send/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/timeouts.h"

#define READ_SIZE ((size_t)1 << 16)

struct og_input {
    union {
        uv_handle_t handle;
        uv_poll_t poll;
        uv_timer_t timer;
    } u;
    int fd, flags;
    bool is_file, follow, flowing, ended;
    struct og_lines lines;
    const struct og_input_events *events;
    void *with;
    char room[READ_SIZE];
};

static void finish(struct og_input *in, int error)
{
    in->ended = true;
    og_input_flow(in, false);
    og_lines_end(&in->lines, in->events->line, in->with);
    in->events->ended(in->with, error);
}

/* Read once. Returns true if there may be more to read at once. */
static bool read_some(struct og_input *in)
{
    ssize_t n = read(in->fd, in->room, sizeof in->room);

    if (n > 0) {
        og_lines_push(&in->lines, in->room, (size_t)n, in->events->line, in->with);
        return true;
    }
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return errno == EINTR;
    /* a file may still grow; but a pipe that is readable and has no bytes has no writer left, and has ended */
    if (n == 0 && in->follow && in->is_file)
        return false;
    finish(in, n < 0 ? errno : 0);
    return false;
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    (void)status; /* if polling failed, read() reports the same error */
    (void)events;
    (void)read_some(poll->data);
}

static void on_timer(uv_timer_t *timer)
{
    struct og_input *in = timer->data;
    bool more = read_some(in);

    if (in->flowing)
        uv_timer_start(timer, on_timer, more ? 0 : OG_INPUT_LOOK_MS, 0);
}

struct og_input *og_input_new(uv_loop_t *loop, int fd, bool follow, const struct og_input_events *events, void *with)
{
    struct og_input *in = calloc(1, sizeof *in);

    if (!in)
        return NULL;
    in->fd = fd;
    in->flags = fcntl(fd, F_GETFL);
    in->follow = follow;
    in->events = events;
    in->with = with;
    og_lines_init(&in->lines);
    if (uv_poll_init(loop, &in->u.poll, fd) != 0) { /* libuv cannot poll files, nor /dev/null */
        in->is_file = true;
        uv_timer_init(loop, &in->u.timer);
    }
    in->u.handle.data = in;
    return in;
}

void og_input_flow(struct og_input *in, bool on)
{
    if (in->ended)
        on = false;
    if (on == in->flowing)
        return;
    in->flowing = on;
    if (in->is_file && on)
        uv_timer_start(&in->u.timer, on_timer, 0, 0);
    else if (in->is_file)
        uv_timer_stop(&in->u.timer);
    else if (on)
        uv_poll_start(&in->u.poll, UV_READABLE, on_poll);
    else
        uv_poll_stop(&in->u.poll);
}

bool og_input_waits(const struct og_input *in)
{
    struct pollfd p = { .fd = in->fd, .events = POLLIN };

    return !in->ended && poll(&p, 1, 0) > 0 && (in->flowing || (p.revents & POLLIN) != 0);
}

bool og_input_take(struct og_input *in)
{
    struct pollfd p = { .fd = in->fd, .events = POLLIN };

    return !in->ended && poll(&p, 1, 0) > 0 && read_some(in);
}

void og_input_drain(struct og_input *in)
{
    while (og_input_take(in))
        continue;
}

static void on_closed(uv_handle_t *handle)
{
    struct og_input *in = handle->data;

    og_lines_clear(&in->lines);
    free(in);
}

void og_input_free(struct og_input *in)
{
    if (!in)
        return;
    og_input_flow(in, false);
    if (in->flags >= 0 && (in->flags & O_NONBLOCK) == 0)
        (void)fcntl(in->fd, F_SETFL, in->flags); /* set the descriptor's flags back: libuv set O_NONBLOCK */
    uv_close(&in->u.handle, on_closed);
}
