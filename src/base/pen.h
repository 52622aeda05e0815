/*
 * A pen over storage that is given: what most lines are written with.  It goes by value, so that it stays in registers
 * where og_buf lives in memory, and puts its NUL once, at the end.  A text that does not fit leaves a pen that writes
 * nothing more, so a writer checks once.
 */
#ifndef OG_BASE_PEN_H
#define OG_BASE_PEN_H

#include "base/str.h"
#include "ordergate/money.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct og_pen {
    char *to;    /* where the next byte goes; NULL once something did not fit */
    size_t left; /* bytes that fit, beside a NUL */
};

static inline struct og_pen og_pen_over(char *storage, size_t size)
{
    return size ? (struct og_pen){ storage, size - 1 } : (struct og_pen){ NULL, 0 };
}

/* Ends what was written to storage in a NUL; false: it did not fit, and storage holds "" if anything. */
static inline bool og_pen_end(struct og_pen p, char *storage, size_t size, size_t *len)
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

/* Always where it is asked for: of a literal the compiler knows the size. */
static inline __attribute__((always_inline)) struct og_pen og_pen_put(struct og_pen p, const char *s, size_t len)
{
    if (len > p.left)
        return (struct og_pen){ NULL, 0 };
    if (len == 0) /* there may be no place to go on from */
        return p;
    memcpy(p.to, s, len);
    return (struct og_pen){ p.to + len, p.left - len };
}
#define OG_PUT(pen, literal) og_pen_put(pen, "" literal, sizeof(literal) - 1)

/* The same of a text that mostly is a word or two, without a call. */
static inline struct og_pen og_pen_short(struct og_pen p, struct og_str s)
{
    if (s.len > p.left)
        return (struct og_pen){ NULL, 0 };
    if (s.len == 0) /* there may be no place to go on from */
        return p;
    og_str_copy(p.to, s);
    return (struct og_pen){ p.to + s.len, p.left - s.len };
}

static inline struct og_pen og_pen_text(struct og_pen p, const char *s)
{
    return og_pen_put(p, s, strlen(s));
}

struct og_pen og_pen_money(struct og_pen p, struct og_money m);
/* Bytes from outside, for a person: control characters and what is no ASCII are '?', long text is shortened. */
#define OG_SHOWN_ROOM 51
struct og_pen og_pen_shown(struct og_pen p, struct og_str s);
/* og_money_text() and og_time_text(), the latter in quotes. */
struct og_pen og_pen_time(struct og_pen p, int64_t ns);
/* A JSON string with its quotes, as og_buf_json_str(). */
struct og_pen og_pen_json_str(struct og_pen p, struct og_str s);

#endif
