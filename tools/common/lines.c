/*
 * Lines from a descriptor, with bounded memory; see tools/common/lines.h.
 */
#include "tools/common/lines.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_SIZE ((size_t)1 << 16)

bool lines_init(struct lines *l, int fd)
{
    memset(l, 0, sizeof *l);
    l->fd = fd;
    l->room = 2 * READ_SIZE;
    l->buffer = malloc(l->room);
    return l->buffer != NULL;
}

void lines_clear(struct lines *l)
{
    free(l->buffer);
    l->buffer = NULL;
}

static bool would_wait(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };

    return poll(&p, 1, 0) == 0;
}

/* Room for one more read behind what is unread; false when out of memory. */
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

/* One read; false on error, ended is set at the end. */
static bool fill(struct lines *l)
{
    ssize_t n;

    if (!make_room(l)) {
        errno = ENOMEM;
        return false;
    }
    if (l->before_wait && would_wait(l->fd))
        l->before_wait(l->with);
    do {
        n = read(l->fd, l->buffer + l->to, READ_SIZE);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        return false;
    if (l->after_read)
        l->after_read(l->with);
    l->ended = n == 0;
    l->to += (size_t)n;
    return true;
}

/* A line that is too long: drop its bytes up to the newline, keeping the first ones. */
static bool drop_rest(struct lines *l)
{
    size_t kept = LINES_MOST + 1;

    for (;;) {
        char *start = l->buffer + l->from + kept;
        char *newline = memchr(start, '\n', l->to - l->from - kept);

        if (newline) {
            memmove(start, newline, (size_t)(l->buffer + l->to - newline));
            l->to -= (size_t)(newline - start);
            return true;
        }
        l->to = l->from + kept;
        if (l->ended || !fill(l))
            return l->ended;
    }
}

/* The length of the line that begins at from, or SIZE_MAX when it could not be read. */
static size_t line_length(struct lines *l)
{
    size_t seen = 0;

    for (;;) {
        char *start = l->buffer + l->from;
        char *newline = memchr(start + seen, '\n', l->to - l->from - seen);

        if (newline)
            return (size_t)(newline - start);
        seen = l->to - l->from;
        if (seen > LINES_MOST + 1) /* one more than most, for a carriage return */
            return drop_rest(l) ? LINES_MOST + 1 : (size_t)-1;
        if (l->ended)
            return seen;
        if (!fill(l))
            return (size_t)-1;
    }
}

static bool blank(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

enum lines_answer lines_next(struct lines *l, const char **line, size_t *len)
{
    for (;;) {
        const char *start;
        size_t n = line_length(l);

        if (n == (size_t)-1)
            return LINES_FAILED;
        if (n == 0 && l->ended && l->from == l->to)
            return LINES_END;
        start = l->buffer + l->from;
        l->from += n < l->to - l->from ? n + 1 : n;
        l->number++;
        if (l->number == 1 && n >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0) {
            start += 3;
            n -= 3;
        }
        if (n && n <= LINES_MOST + 1 && start[n - 1] == '\r')
            n--;
        if (blank(start, n))
            continue;
        *line = start;
        *len = n;
        return LINES_LINE;
    }
}
