/*
 * Reads lines from a descriptor with bounded memory; see tools/common/lines.h.
 */
#include "tools/common/lines.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_SIZE ((size_t)1 << 16)
/* Bytes that are kept of a line that is too long: LINES_MOST, one more, and one for a carriage return. */
#define KEPT (LINES_MOST + 2)

bool lines_init(struct lines *l, int fd)
{
    memset(l, 0, sizeof *l);
    l->fd = fd;
    l->stop = -1;
    l->room = 2 * READ_SIZE;
    l->buffer = malloc(l->room);
    return l->buffer != NULL;
}

void lines_clear(struct lines *l)
{
    free(l->buffer);
    l->buffer = NULL;
}

/* Wait until bytes can be read, if waiting is allowed.  Returns false, with errno, if the wait was stopped or
 * failed. */
static bool can_read(const struct lines *l, bool may_wait)
{
    struct pollfd p[2] = { { .fd = l->fd, .events = POLLIN }, { .fd = l->stop, .events = POLLIN } };
    int n;

    do {
        n = poll(p, 2, may_wait ? -1 : 0);
    } while (n < 0 && errno == EINTR);
    if (n > 0 && p[1].revents)
        errno = ECANCELED;
    else if (n == 0)
        errno = EAGAIN;
    return n > 0 && !p[1].revents;
}

/* Make room for another read behind the unread bytes.  Returns false if out of memory. */
static bool make_room(struct lines *l)
{
    char *more;

    if (l->from) {
        memmove(l->buffer, l->buffer + l->from, l->to - l->from);
        l->to -= l->from;
        l->from = 0;
    }
    if (l->room - l->to >= READ_SIZE)
        return true;
    more = realloc(l->buffer, 2 * l->room);
    if (!more)
        return false;
    l->buffer = more;
    l->room *= 2;
    return true;
}

/* Read once.  Returns LINES_LINE if bytes were read, or if `ended` is set. */
static enum lines_answer fill(struct lines *l, bool may_wait)
{
    ssize_t n;

    if (!make_room(l)) {
        errno = ENOMEM;
        return LINES_FAILED;
    }
    if (!can_read(l, may_wait))
        return errno == EAGAIN ? LINES_WAIT : LINES_FAILED;
    do {
        n = read(l->fd, l->buffer + l->to, READ_SIZE);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        return LINES_FAILED;
    l->reads++;
    l->ended = n == 0;
    l->to += (size_t)n;
    return LINES_LINE;
}

/* Drop the rest of a line that is too long, up to its newline; its first bytes are kept. */
static enum lines_answer drop_rest(struct lines *l, bool may_wait)
{
    for (;;) {
        char *start = l->buffer + l->from + KEPT;
        char *newline = memchr(start, '\n', l->to - l->from - KEPT);
        enum lines_answer answer;

        if (newline) {
            memmove(start, newline, (size_t)(l->buffer + l->to - newline));
            l->to -= (size_t)(newline - start);
            return LINES_LINE;
        }
        l->to = l->from + KEPT;
        if (l->ended)
            return LINES_LINE;
        answer = fill(l, may_wait);
        if (answer != LINES_LINE)
            return answer;
    }
}

/* Read until the line that begins at `from` is complete. */
static enum lines_answer whole_line(struct lines *l, bool may_wait, size_t *len)
{
    size_t seen = 0;

    for (;;) {
        char *start = l->buffer + l->from;
        char *newline = memchr(start + seen, '\n', l->to - l->from - seen);
        enum lines_answer answer;

        seen = *len = newline ? (size_t)(newline - start) : l->to - l->from;
        if (seen >= KEPT) {
            *len = KEPT;
            return drop_rest(l, may_wait);
        }
        if (newline)
            return LINES_LINE;
        if (l->ended)
            return seen ? LINES_LINE : LINES_END;
        answer = fill(l, may_wait);
        if (answer != LINES_LINE)
            return answer;
    }
}

static bool blank(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

enum lines_answer lines_next(struct lines *l, bool may_wait, const char **line, size_t *len)
{
    for (;;) {
        const char *start;
        size_t n;
        enum lines_answer answer = whole_line(l, may_wait, &n);

        if (answer != LINES_LINE)
            return answer;
        start = l->buffer + l->from;
        l->from += n < l->to - l->from ? n + 1 : n;
        l->number++;
        if (l->number == 1 && n >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0) {
            start += 3;
            n -= 3;
        }
        if (n && n < KEPT && start[n - 1] == '\r')
            n--;
        if (blank(start, n))
            continue;
        *line = start;
        *len = n;
        return LINES_LINE;
    }
}
