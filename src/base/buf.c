/*
 * A growing byte buffer.  A failed append leaves the bytes unchanged and marks the buffer as bad.
 */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/appender.h"
#include "base/attributes.h"
#include "base/money.h"
#include "base/utf8.h"

#define FIRST_SIZE 256

void og_buf_init(struct og_buf *b, size_t most)
{
    *b = (struct og_buf){ .most = most };
}

void og_buf_init_fixed(struct og_buf *b, char *storage, size_t size)
{
    *b = (struct og_buf){ .s = storage, .cap = size, .end = size, .fixed = true };
    if (size > 0)
        storage[0] = '\0';
}

void og_buf_clear(struct og_buf *b)
{
    if (b->fixed) {
        og_buf_reset(b);
        return;
    }
    free(b->s);
    og_buf_init(b, b->most);
}

/* Set b->end from the capacity and the limit. */
static void set_end(struct og_buf *b)
{
    b->end = b->most != 0 && b->most < b->cap ? b->most + 1 : b->cap;
}

void og_buf_reset(struct og_buf *b)
{
    b->len = 0;
    b->bad = false;
    set_end(b);
    if (b->cap > 0)
        b->s[0] = '\0';
}

static bool spoil(struct og_buf *b)
{
    b->bad = true;
    b->end = b->len;
    return false;
}

bool og_buf_grow(struct og_buf *b, size_t more)
{
    size_t cap = b->cap ? b->cap : FIRST_SIZE, need = b->len + more + 1;
    char *s;

    if (b->bad || b->fixed || more >= SIZE_MAX - b->len || (b->most != 0 && more > b->most - b->len))
        return spoil(b);
    while (cap < need)
        cap = cap > SIZE_MAX / 2 ? need : cap * 2;
    s = realloc(b->s, cap);
    if (!s)
        return spoil(b);
    b->s = s;
    b->s[b->len] = '\0';
    b->cap = cap;
    set_end(b);
    return true;
}

void og_buf_int(struct og_buf *b, int64_t n)
{
    og_buf_money(b, og_money_from(n));
}

OG_HOT void og_buf_money(struct og_buf *b, struct og_money m)
{
    char text[OG_MONEY_ROOM];

    if (sizeof text < b->end - b->len) {
        b->len += og_money_put(b->s + b->len, m);
        b->s[b->len] = '\0';
    } else { /* there is less room than the longest number needs, but this number may fit */
        og_buf_bytes(b, text, og_money_put(text, m));
    }
}

void og_buf_format(struct og_buf *b, const char *format, ...)
{
    const size_t room = b->end - b->len;
    va_list args, again;
    int len;

    if (b->bad)
        return;
    va_start(args, format);
    va_copy(again, args);
    len = vsnprintf(room ? b->s + b->len : NULL, room, format, args);
    if (len >= 0 && (size_t)len < room) {
        b->len += (size_t)len;
    } else {
        if (room)
            b->s[b->len] = '\0'; /* take back what did not fit */
        if (len < 0)
            spoil(b);
        else if (og_buf_reserve(b, (size_t)len))
            b->len += (size_t)vsnprintf(b->s + b->len, (size_t)len + 1, format, again);
    }
    va_end(again);
    va_end(args);
}

void og_buf_shown(struct og_buf *b, struct og_str s)
{
    char text[OG_SHOWN_ROOM + 1];
    size_t len;

    if (og_appender_end(og_append_shown(og_appender_over(text, sizeof text), s), text, sizeof text, &len))
        og_buf_bytes(b, text, len);
}

static void put_escape(struct og_buf *b, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    static const char letters[] = "btn?fr"; /* 0x08..0x0d */
    char text[6] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };

    if (c >= 0x08 && c <= 0x0D && c != 0x0B)
        text[1] = letters[c - 0x08];
    else if (c == '"' || c == '\\')
        text[1] = (char)c;
    og_buf_bytes(b, text, text[1] == 'u' ? 6 : 2);
}

/* Append text with characters of several bytes, or with characters that must be escaped. */
static __attribute__((noinline)) void put_escaped(struct og_buf *b, struct og_str s)
{
    const char *p = s.s, *end = s.s + s.len;
    size_t before = b->len;

    og_buf_char(b, '"');
    while (p != end) {
        const char *clean = p;
        size_t len;

        /* find the longest run that can be copied, with valid characters of several bytes */
        for (p = og_json_clean_run(p, end); p < end && (unsigned char)*p >= 0x80; p = og_json_clean_run(p + len, end))
            if ((len = og_utf8_len(p, end)) == 0)
                break;
        og_buf_bytes(b, clean, (size_t)(p - clean));
        if (p == end)
            break;
        if ((unsigned char)*p >= 0x80)
            og_buf_bytes(b, "\xEF\xBF\xBD", 3);
        else
            put_escape(b, (unsigned char)*p);
        p++;
    }
    og_buf_char(b, '"');
    if (b->bad && b->cap > 0) { /* remove what was appended before the failure */
        b->len = b->end = before;
        b->s[before] = '\0';
    }
}

OG_HOT void og_buf_json_str(struct og_buf *b, struct og_str s)
{
    char *to;

    if (!og_buf_reserve(b, s.len + 2)) /* cannot overflow: no object is longer than PTRDIFF_MAX */
        return;
    to = b->s + b->len;
    if (!og_json_copy_clean(to + 1, s.s, s.len)) {
        put_escaped(b, s);
        return;
    }
    to[0] = '"';
    memcpy(to + 1 + s.len, "\"", 2);
    b->len += s.len + 2;
}
