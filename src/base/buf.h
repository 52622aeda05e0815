/*
 * A growing byte buffer with a limit, for writing JSON and text.
 * After a failed append the buffer is bad and later appends do nothing, so a writer checks once at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "ordergate/money.h"

struct og_buf {
    char *s; /* NUL-terminated if len > 0 or cap > 0 */
    size_t len, cap, most;
    size_t end; /* offset before which an append and its NUL must end: the smaller of cap and most; len if bad */
    bool fixed; /* s is the caller's storage and never grows */
    bool bad;   /* an append failed: out of memory, or past the limit */
};

void og_buf_init(struct og_buf *b, size_t most);                      /* most: limit in bytes, 0 for none */
void og_buf_init_fixed(struct og_buf *b, char *storage, size_t size); /* never allocates */
void og_buf_clear(struct og_buf *b);                                  /* frees; usable again */
void og_buf_reset(struct og_buf *b);                                  /* sets len to 0; keeps the memory */

bool og_buf_grow(struct og_buf *b, size_t more); /* for og_buf_reserve() */
/* Make room for `more` bytes and a NUL.  Returns false, and makes the buffer bad, if it cannot. */
static inline bool og_buf_reserve(struct og_buf *b, size_t more)
{
    return more < b->end - b->len || og_buf_grow(b, more);
}

static inline void og_buf_bytes(struct og_buf *b, const char *s, size_t len)
{
    char *to;

    if (!og_buf_reserve(b, len) || len == 0)
        return;
    to = b->s + b->len;
    memcpy(to, s, len);
    to[len] = '\0';
    b->len += len;
}
static inline void og_buf_str(struct og_buf *b, struct og_str s)
{
    og_buf_bytes(b, s.s, s.len);
}
static inline void og_buf_text(struct og_buf *b, const char *s)
{
    og_buf_bytes(b, s, strlen(s)); /* strlen() is a constant if s is a literal */
}
static inline void og_buf_char(struct og_buf *b, char c)
{
    og_buf_bytes(b, &c, 1);
}
void og_buf_int(struct og_buf *b, int64_t n);
void og_buf_money(struct og_buf *b, struct og_money m);
void og_buf_format(struct og_buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Append text as og_append_shown() does. */
void og_buf_shown(struct og_buf *b, struct og_str s);

/* Append a JSON string with its quotes, escaped as RFC 8259 requires; bytes that are not UTF-8 become U+FFFD. */
void og_buf_json_str(struct og_buf *b, struct og_str s);
