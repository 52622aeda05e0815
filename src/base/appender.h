/*
 * An appender over the caller's storage, with which most lines are written.  It is passed by value, so that it stays in
 * registers (an og_buf cannot), and its NUL is written only once, at the end.  After a text that does not fit, nothing
 * more is written, so that the writer has to check only at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "ordergate/money.h"

struct og_appender {
    char *to;    /* the next byte; NULL after something did not fit */
    size_t left; /* bytes that still fit, without the NUL */
};

static inline struct og_appender og_appender_over(char *storage, size_t size)
{
    return size ? (struct og_appender){ storage, size - 1 } : (struct og_appender){ NULL, 0 };
}

/* Terminate the text with a NUL.  Returns false if the text did not fit; `storage`, if it has any size, is then "". */
static inline bool og_appender_end(struct og_appender p, char *storage, size_t size, size_t *len)
{
    if (!p.to) {
        *len = 0;
        if (size)
            *storage = '\0';
        return false;
    }
    *p.to = '\0';
    *len = (size_t)(p.to - storage);
    return true;
}

/* Always inlined, so that the length of a literal is a constant. */
static inline __attribute__((always_inline)) struct og_appender og_append(struct og_appender p, const char *s,
                                                                          size_t len)
{
    if (len > p.left)
        return (struct og_appender){ NULL, 0 };
    if (len == 0) /* nothing to copy; p.to may be NULL, which memcpy() must not get */
        return p;
    memcpy(p.to, s, len);
    return (struct og_appender){ p.to + len, p.left - len };
}
#define OG_APPEND(appender, literal) og_append(appender, "" literal, sizeof(literal) - 1)

/* Does what og_append() does, without a call of memcpy(): for a text that is usually short. */
static inline struct og_appender og_append_short(struct og_appender p, struct og_str s)
{
    if (s.len > p.left)
        return (struct og_appender){ NULL, 0 };
    if (s.len == 0) /* nothing to copy; p.to may be NULL, which memcpy() must not get */
        return p;
    og_str_copy(p.to, s);
    return (struct og_appender){ p.to + s.len, p.left - s.len };
}

static inline struct og_appender og_append_text(struct og_appender p, const char *s)
{
    return og_append(p, s, strlen(s));
}

/* Append a whole number. */
struct og_appender og_append_whole(struct og_appender p, int64_t n);
struct og_appender og_append_money(struct og_appender p, struct og_money m);
/* Append text from outside for people: bytes that are not printable ASCII become '?', and a long text is shortened. */
#define OG_SHOWN_ROOM 51
struct og_appender og_append_shown(struct og_appender p, struct og_str s);
/* Append og_time_text() in quotes. */
struct og_appender og_append_time(struct og_appender p, int64_t ns);
/* Append a JSON string with its quotes, like og_buf_json_str(). */
struct og_appender og_append_json_str(struct og_appender p, struct og_str s);
