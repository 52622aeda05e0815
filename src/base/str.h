/*
 * Borrowed text: bytes with a length, owned by other code, not necessarily NUL-terminated.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct og_str {
    const char *s; /* NULL, with len 0, for an absent text */
    size_t len;
};

#define OG_STR(literal) ((struct og_str){ (literal), sizeof(literal) - 1 })

static inline struct og_str og_str_of(const char *s)
{
    return (struct og_str){ s, s ? strlen(s) : 0 };
}

static inline bool og_str_eq(struct og_str a, struct og_str b)
{
    /* most texts differ in length or first byte; b.len is a constant if b is a literal */
    return a.len == b.len && (b.len == 0 || (a.s[0] == b.s[0] && memcmp(a.s, b.s, b.len) == 0));
}

/* Copy a text; up to 16 bytes, such as an id or a symbol, without a call of memcpy(). */
static inline void og_str_copy(char *to, struct og_str s)
{
    uint64_t x, y;
    uint32_t v, w;

    if (s.len > 2 * sizeof x) {
        memcpy(to, s.s, s.len);
    } else if (s.len >= sizeof x) { /* the first and the last 8 bytes, which may overlap */
        memcpy(&x, s.s, sizeof x);
        memcpy(&y, s.s + s.len - sizeof y, sizeof y);
        memcpy(to, &x, sizeof x);
        memcpy(to + s.len - sizeof y, &y, sizeof y);
    } else if (s.len >= sizeof v) {
        memcpy(&v, s.s, sizeof v);
        memcpy(&w, s.s + s.len - sizeof w, sizeof w);
        memcpy(to, &v, sizeof v);
        memcpy(to + s.len - sizeof w, &w, sizeof w);
    } else if (s.len) {
        to[0] = s.s[0];
        to[s.len / 2] = s.s[s.len / 2];
        to[s.len - 1] = s.s[s.len - 1];
    }
}

/* Compares texts that are probably equal, as og_str_eq() does: all bytes are compared, by words and without a call. */
static inline bool og_str_same(struct og_str a, struct og_str b)
{
    uint64_t x, y;
    uint32_t v, w;

    if (a.len != b.len || a.len == 0)
        return a.len == b.len;
    if (a.len >= sizeof x) {
        for (size_t at = 0; at < a.len - sizeof x; at += sizeof x) {
            memcpy(&x, a.s + at, sizeof x);
            memcpy(&y, b.s + at, sizeof y);
            if (x != y)
                return false;
        }
        memcpy(&x, a.s + a.len - sizeof x, sizeof x);
        memcpy(&y, b.s + a.len - sizeof y, sizeof y);
        return x == y;
    }
    if (a.len < sizeof v) /* the texts have at most three bytes */
        return a.s[0] == b.s[0] && a.s[a.len / 2] == b.s[a.len / 2] && a.s[a.len - 1] == b.s[a.len - 1];
    memcpy(&v, a.s, sizeof v);
    memcpy(&w, b.s, sizeof w);
    if (v != w)
        return false;
    memcpy(&v, a.s + a.len - sizeof v, sizeof v);
    memcpy(&w, b.s + a.len - sizeof w, sizeof w);
    return v == w;
}

/* Compares texts without regard to the case of ASCII letters. */
static inline bool og_str_eq_folded(struct og_str a, struct og_str b)
{
    bool same = a.len == b.len;

    for (size_t i = 0; same && i < a.len; i++) {
        const unsigned char x = (unsigned char)a.s[i], y = (unsigned char)b.s[i], small = x | 0x20u;

        same = x == y || (small == (y | 0x20u) && small >= 'a' && small <= 'z');
    }
    return same;
}

static inline bool og_str_is(struct og_str a, const char *literal)
{
    return og_str_eq(a, og_str_of(literal));
}

/* Returns true if s equals one of the texts, which end with NULL. */
static inline bool og_str_is_one_of(struct og_str s, const char *const *texts)
{
    for (; *texts; texts++)
        if (og_str_is(s, *texts))
            return true;
    return false;
}

/* Set memory to zero by calling the C library's memset(): for a constant size gcc uses `rep stos`, which starts slowly
 * and so takes longer for a few hundred bytes. */
static inline void og_zero(void *at, size_t size)
{
    __asm__("" : "+r"(size));
    memset(at, 0, size);
}

/* Replace control characters by '?', so that text from outside cannot control a terminal. */
void og_text_mask(char *s);
/* Format as vsnprintf() does, and mask the text; a text that does not fit is cut between characters and ends in "...".
 * size is at least 4. */
void og_text_format(char *to, size_t size, const char *format, va_list args) __attribute__((format(printf, 3, 0)));
