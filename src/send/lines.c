/*
 * Splits the bytes of an input into lines.
 */
#include "send/lines.h"

void og_lines_init(struct og_lines *l)
{
    memset(l, 0, sizeof *l);
    og_buf_init(&l->held, 0);
}

void og_lines_clear(struct og_lines *l)
{
    og_buf_clear(&l->held);
}

static bool is_blank(const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (s[i] != ' ' && s[i] != '\t' && s[i] != '\r')
            return false;
    return true;
}

static void give(struct og_lines *l, const char *s, size_t len, og_line_taker *take, void *with)
{
    l->number++;
    if (l->number == 1 && len >= 3 && memcmp(s, "\xEF\xBB\xBF", 3) == 0) {
        s += 3;
        len -= 3;
    }
    if (!l->too_long && len > 0 && s[len - 1] == '\r')
        len--;
    if (!is_blank(s, len))
        take(with, l->number, s, len);
    l->too_long = false;
}

/* Keep the bytes of a line that has not ended. At most two more than a line may have are kept: one so that the reader
 * of the line sees that it is too long, and one for a carriage return. */
static void hold(struct og_lines *l, const char *s, size_t len)
{
    size_t room = OG_SEND_LINE_MOST + 2 - l->held.len;

    if (len > room) {
        l->too_long = true;
        len = room;
    }
    og_buf_bytes(&l->held, s, len);
}

void og_lines_push(struct og_lines *l, const char *bytes, size_t len, og_line_taker *take, void *with)
{
    const char *newline;

    while (len > 0 && (newline = memchr(bytes, '\n', len))) {
        size_t n = (size_t)(newline - bytes);

        if (l->held.len == 0 && n <= OG_SEND_LINE_MOST) {
            give(l, bytes, n, take, with);
        } else {
            hold(l, bytes, n);
            give(l, l->held.s, l->held.len, take, with);
            og_buf_reset(&l->held);
        }
        bytes = newline + 1;
        len -= n + 1;
    }
    hold(l, bytes, len);
}

void og_lines_end(struct og_lines *l, og_line_taker *take, void *with)
{
    if (l->held.len > 0)
        give(l, l->held.s, l->held.len, take, with);
    og_buf_reset(&l->held);
}
