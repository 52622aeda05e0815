/*
 * Takes lines from a FIFO or a socket.  Nothing that a writer does, or leaves undone, holds up the run: answers that a
 * writer does not read are kept up to a bound, then the writer is dropped; a writer whose lines wait is read more
 * slowly; lines of a writer that has gone are carried out.  A writer may say what stdin may, and nothing else.
 */
#include "send/intake.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_socket.h"
#include "send/event.h"
#include "send/lines.h"
#include "send/sender.h"

#define WRITERS_MOST 32
#define READ_SIZE    ((size_t)16384)
#define DRAIN_READS  64 /* at the end of the run, so many pieces of each writer are read at most */
/* a writer is not read while its waiting lines take more than this, so that a few writers cannot fill the queue */
#define WAITING_MOST ((size_t)1 << 20)
#define ANSWERS_MOST ((size_t)1 << 20) /* a writer is dropped when so many bytes of answers wait for it */

struct og_writer {
    struct og_writer *next;
    uint64_t number;
    int fd;
    long pid;
    uint32_t watched; /* the events of epoll for which it is registered */
    struct og_lines lines;
    struct og_buf answers; /* those not sent yet, from `sent` on */
    size_t sent;
    size_t waits; /* memory that its lines take while they wait to be decided */
    bool ended;   /* it writes nothing more, and gets the rest of its answers */
    bool gone;    /* nobody reads its answers any more */
    bool full;    /* it has not read its answers for too long */
};

static struct og_writer *find(const struct og_sender *s, uint64_t number)
{
    struct og_writer *w = s->intake.first;

    while (w && w->number != number)
        w = w->next;
    return w;
}

/* --- what epoll watches ------------------------------------------------------------------------------------------- */

static bool watch(struct og_sender *s, int fd, void *what, uint32_t was, uint32_t events)
{
    struct epoll_event e = { .events = events, .data.ptr = what };

    /* one that is watched for nothing is taken out, since epoll always tells of its hang-up */
    return was == events || epoll_ctl(s->intake.ready - 1,
                                      was == 0      ? EPOLL_CTL_ADD
                                      : events == 0 ? EPOLL_CTL_DEL
                                                    : EPOLL_CTL_MOD,
                                      fd, &e) == 0;
}

static void watch_writer(struct og_sender *s, struct og_writer *w)
{
    const bool reads = s->intake.room && !w->ended && w->waits < WAITING_MOST;
    uint32_t events = (reads ? EPOLLIN : 0u) | (w->answers.len > w->sent ? EPOLLOUT : 0u);

    if (w->gone)
        events &= ~(uint32_t)EPOLLOUT;
    if (w->full)
        events = 0;
    if (watch(s, w->fd, w, w->watched, events))
        w->watched = events;
    else
        w->gone = w->ended = true;
}

/* --- one writer --------------------------------------------------------------------------------------------------- */

static void free_writer(struct og_sender *s, struct og_writer *w)
{
    struct og_writer **at = &s->intake.first;

    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    s->intake.writers--;
    close(w->fd); /* which takes it out of epoll */
    og_lines_clear(&w->lines);
    og_buf_clear(&w->answers);
    free(w);
}

/* Take what was sent out of the buffer, once that is much: a writer that is always a bit behind must not grow it. */
static void forget_sent(struct og_writer *w)
{
    if (w->sent < ANSWERS_MOST)
        return;
    memmove(w->answers.s, w->answers.s + w->sent, w->answers.len - w->sent);
    w->answers.len -= w->sent;
    w->sent = 0;
}

static void send_answers(struct og_writer *w)
{
    while (!w->gone && w->sent < w->answers.len) {
        ssize_t n = send(w->fd, w->answers.s + w->sent, w->answers.len - w->sent, MSG_DONTWAIT | MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN) {
            forget_sent(w);
            return;
        }
        if (n < 0)
            w->gone = true;
        else
            w->sent += (size_t)n;
    }
    og_buf_reset(&w->answers);
    w->sent = 0;
}

struct line_of {
    struct og_sender *s;
    struct og_writer *w;
};

static void on_line(void *with, long long number, const char *line, size_t len)
{
    const struct line_of *of = with;
    struct og_error err = { 0 };

    og_send_alive(of->s);
    if (!og_send_take_line(of->s, (struct og_origin){ number, -1, of->w->number }, line, len))
        og_send_fatal(of->s, 4, &err);
    og_send_wake(of->s);
}

/* Read once. Returns true if there may be more to read. */
static bool read_some(struct og_sender *s, struct og_writer *w)
{
    struct line_of of = { s, w };
    char bytes[READ_SIZE];
    ssize_t n = w->ended ? 0 : read(w->fd, bytes, sizeof bytes);

    if (n > 0) {
        og_lines_push(&w->lines, bytes, (size_t)n, on_line, &of);
        return true;
    }
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return errno == EINTR;
    if (!w->ended) {
        w->ended = true;
        og_lines_end(&w->lines, on_line, &of);
        og_send_wake(s);
    }
    return false;
}

/* Returns true if an outcome is still to come for a line of the writer. */
static bool is_owed(const struct og_sender *s, uint64_t number)
{
    const struct og_line_list *lists[] = { &s->lines.cancels, &s->lines.aside, &s->lines.others };

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const struct og_waiting *w = lists[i]->first; w; w = w->next)
            if (w->origin.writer == number)
                return true;
    for (const struct og_tracked *o = s->orders; o; o = o->next) {
        if (o->line.owed && o->line.origin.writer == number)
            return true;
        for (const struct og_cancel_line *c = o->cancel.lines; c; c = c->next)
            if (c->origin.writer == number)
                return true;
    }
    return false;
}

/* Returns true if the writer has all that it will get; events of this iteration may still be for it. */
static bool is_answered(const struct og_sender *s, const struct og_writer *w)
{
    return w->answers.len == w->sent && s->told.events.len == 0 && !is_owed(s, w->number);
}

static void drop(struct og_sender *s, struct og_writer *w)
{
    char text[160];

    snprintf(text, sizeof text,
             "process %ld does not read its answers: %zu bytes wait; it is dropped, and its lines are carried out",
             w->pid, w->answers.len - w->sent);
    og_send_warn(s, "writer %llu: %s", (unsigned long long)w->number, text);
    og_send_tell_writer(s, w->number, "dropped", text);
    free_writer(s, w);
}

/* --- new writers -------------------------------------------------------------------------------------------------- */

/* Returns false if it is no writer. The socket's mode admits this user and root only; the kernel says who it is. */
static bool add(struct og_sender *s, int fd)
{
    struct ucred who;
    socklen_t size = sizeof who;
    struct og_writer *w;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 || (who.uid != geteuid() && who.uid != 0))
        return false;
    w = calloc(1, sizeof *w);
    if (!w)
        return false;
    w->fd = fd;
    w->pid = who.pid;
    w->number = ++s->intake.newest;
    og_lines_init(&w->lines);
    og_buf_init(&w->answers, 0);
    w->next = s->intake.first;
    s->intake.first = w;
    s->intake.writers++;
    watch_writer(s, w);
    return true;
}

static void accept_some(struct og_sender *s)
{
    int fd;

    while (s->intake.listens > 0 && s->intake.writers < WRITERS_MOST &&
           (fd = accept4(s->intake.listens - 1, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
        if (!add(s, fd))
            close(fd);
    if (s->intake.listens == 0 || s->intake.writers < WRITERS_MOST)
        return;
    (void)watch(s, s->intake.listens - 1, NULL, EPOLLIN, 0);
    if (!s->intake.full_told)
        og_send_warn(s, "intake '%s': %d writers are connected; further ones wait until one leaves", s->options.intake,
                     WRITERS_MOST);
    s->intake.full_told = true;
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    struct og_sender *s = poll->data;
    struct epoll_event ready[WRITERS_MOST + 1];
    int count = epoll_wait(s->intake.ready - 1, ready, WRITERS_MOST + 1, 0);

    (void)status;
    (void)events;
    for (int i = 0; i < count; i++) {
        struct og_writer *w = ready[i].data.ptr;

        if (!w) {
            accept_some(s);
            continue;
        }
        if ((ready[i].events & EPOLLOUT) != 0)
            send_answers(w);
        if ((w->watched & EPOLLIN) != 0)
            (void)read_some(s, w);
        else if ((ready[i].events & EPOLLHUP) != 0)
            w->gone = true;
        watch_writer(s, w);
    }
    og_send_wake(s);
}

/* --- opening and closing ------------------------------------------------------------------------------------------ */

static enum og_status open_socket(struct og_sender *s, struct og_error *err)
{
    struct og_intake *in = &s->intake;
    struct og_file_why why;
    int fd = og_file_bind(s->options.intake, &in->socket, &why);

    if (fd < 0)
        return og_fail_because(err, OG_EIO, errno, "intake '%s' %s", s->options.intake, why.text);
    in->listens = fd + 1;
    in->ready = epoll_create1(EPOLL_CLOEXEC) + 1;
    if (in->ready == 0 || !watch(s, fd, NULL, 0, EPOLLIN) || uv_poll_init(&s->loop, &in->poll, in->ready - 1) != 0)
        return og_fail(err, OG_ENET, "intake '%s' cannot be watched", s->options.intake);
    in->polls = true;
    in->room = true;
    in->poll.data = s;
    uv_poll_start(&in->poll, UV_READABLE, on_ready);
    return OG_OK;
}

enum og_status og_send_intake_open(struct og_sender *s, struct og_error *err)
{
    const char *path = s->options.intake;
    struct og_file_why why;
    struct stat st;
    int fd;

    if (!path)
        return OG_OK;
    fd = og_file_try(path, OG_FILE_FIFO | OG_FILE_SECRET | OG_FILE_PLAIN, &st, &why);
    if (fd < 0 && (errno == ENOENT || errno == EINVAL)) /* nothing is there, or neither a FIFO nor a file */
        return open_socket(s, err);
    if (fd < 0)
        return og_fail_because(err, OG_EIO, errno, "intake '%s' %s", path, why.text);
    s->intake.fifo = fd + 1;
    if (!S_ISFIFO(st.st_mode))
        return og_fail(err, OG_EIO,
                       "intake '%s' is neither a socket nor a FIFO: name one of these, or a path where nothing is",
                       path);
    return og_sender_read(s, fd, path) == OG_OK ? OG_OK : og_fail(err, OG_ENOMEM, "out of memory");
}

bool og_send_intake_is_open(const struct og_sender *s)
{
    return s->intake.listens > 0;
}

int og_send_intake_fd(const struct og_sender *s)
{
    return s->intake.ready - 1;
}

bool og_send_intake_waits(const struct og_sender *s)
{
    struct pollfd p = { .fd = s->intake.ready - 1, .events = POLLIN };

    for (const struct og_writer *w = s->intake.first; w; w = w->next)
        if (!w->ended && (w->watched & EPOLLIN) == 0) /* it is not read, because its lines wait */
            return true;
    return s->intake.ready > 0 && poll(&p, 1, 0) > 0;
}

void og_send_intake_count(struct og_sender *s, uint64_t writer, ptrdiff_t bytes)
{
    struct og_writer *w = writer > 0 ? find(s, writer) : NULL;

    if (w)
        w->waits = (size_t)((ptrdiff_t)w->waits + bytes);
}

void og_send_intake_answer(struct og_sender *s, uint64_t writer, const char *event, size_t len)
{
    struct og_writer *w = find(s, writer);

    if (!w || w->gone || w->full)
        return;
    og_buf_bytes(&w->answers, event, len);
    og_buf_char(&w->answers, '\n');
    send_answers(w);
    w->full = w->answers.bad || w->answers.len - w->sent > ANSWERS_MOST;
    watch_writer(s, w);
    if (w->full || w->gone || w->ended)
        og_send_wake(s);
}

void og_send_intake_flow(struct og_sender *s, bool room)
{
    struct og_writer *w, *next;
    const bool was_full = s->intake.writers == WRITERS_MOST;

    s->intake.room = room;
    for (w = s->intake.first; w; w = next) {
        next = w->next;
        if (w->full)
            drop(s, w);
        else if (w->ended && (w->gone || is_answered(s, w)))
            free_writer(s, w);
        else
            watch_writer(s, w);
    }
    if (was_full && s->intake.writers < WRITERS_MOST && s->intake.listens > 0)
        (void)watch(s, s->intake.listens - 1, NULL, 0, EPOLLIN);
}

void og_send_intake_drain(struct og_sender *s)
{
    accept_some(s);
    for (struct og_writer *w = s->intake.first; w; w = w->next)
        for (int i = 0; i < DRAIN_READS && read_some(s, w); i++)
            continue;
}

void og_send_intake_stop(struct og_sender *s)
{
    if (s->intake.listens == 0)
        return;
    og_file_unbind(s->options.intake, &s->intake.socket);
    close(s->intake.listens - 1);
    s->intake.listens = 0;
    for (struct og_writer *w = s->intake.first; w; w = w->next)
        w->ended = true;
}

/* Send the answers that are left, until loop time `until_ms` at the latest. */
static void send_last(struct og_writer *w, uint64_t until)
{
    struct pollfd p = { .fd = w->fd, .events = POLLOUT };
    uint64_t now;

    while (!w->gone && w->answers.len > w->sent && (now = og_time_up()) < until &&
           poll(&p, 1, (int)((until - now) / (uint64_t)OG_NS_PER_MS) + 1) > 0)
        send_answers(w);
}

void og_send_intake_close(struct og_sender *s)
{
    const uint64_t until = og_time_up() + OG_INTAKE_CLOSE_MS * (uint64_t)OG_NS_PER_MS;

    og_send_intake_stop(s);
    while (s->intake.first) {
        send_last(s->intake.first, until);
        free_writer(s, s->intake.first);
    }
    if (s->intake.polls)
        uv_close((uv_handle_t *)&s->intake.poll, NULL);
    if (s->intake.ready > 0)
        close(s->intake.ready - 1);
    if (s->intake.fifo > 0)
        close(s->intake.fifo - 1);
    s->intake.ready = s->intake.fifo = 0;
    s->intake.polls = false;
}
