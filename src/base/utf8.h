/*
 * UTF-8 validation and the search for characters that JSON must escape; inline for the loops of parsers and writers.
 * Overlong forms, surrogates and code points above U+10FFFF are not valid.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Returns the length (1..4) of the valid sequence at s, 0 if there is none; s < end. */
static inline size_t og_utf8_len(const char *s, const char *end)
{
    const unsigned char *p = (const unsigned char *)s;
    size_t left = (size_t)(end - s);
    /* bounds of the second byte, which exclude overlong, surrogate and too large code points */
    unsigned char least = 0x80, most = 0xBF;

    if (p[0] < 0x80)
        return 1;
    if (p[0] < 0xC2 || p[0] > 0xF4 || left < 2)
        return 0;
    if (p[0] < 0xE0)
        return p[1] >= least && p[1] <= most ? 2 : 0;
    if (p[0] == 0xE0)
        least = 0xA0;
    else if (p[0] == 0xED)
        most = 0x9F;
    else if (p[0] == 0xF0)
        least = 0x90;
    else if (p[0] == 0xF4)
        most = 0x8F;
    if (p[1] < least || p[1] > most || left < 3 || (p[2] & 0xC0) != 0x80)
        return 0;
    if (p[0] < 0xF0)
        return 3;
    return left >= 4 && (p[3] & 0xC0) == 0x80 ? 4 : 0;
}

static inline bool og_json_is_clean(char c)
{
    return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

/* Returns 0 if all eight bytes are clean: JSON needs no escape for them, and they are ASCII. */
static inline uint64_t og_json_unclean_bits(uint64_t v)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t quote = v ^ ones * '"', backslash = v ^ ones * '\\';

    return (v | ((v - ones * 0x20) & ~v) | ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash)) & high;
}

#ifdef __SSE2__
/* Returns 0xFF for each clean byte, 0 for each other byte. The comparison is signed, so bytes from 0x80 on are below
 * 0x20. */
static inline __m128i og_json_clean_bytes(__m128i v)
{
    __m128i quotes = _mm_cmpeq_epi8(v, _mm_set1_epi8('"')), backslashes = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));

    return _mm_andnot_si128(_mm_or_si128(quotes, backslashes), _mm_cmpgt_epi8(v, _mm_set1_epi8(0x1F)));
}
#endif

/* Returns the first byte in [s, end) that is not clean: a quote, a backslash, a control character, or a byte of 0x80 or
 * more; end if there is none. */
static inline const char *og_json_clean_run(const char *s, const char *end)
{
    const char *first = s;

#ifdef __SSE2__
    while (end - s >= 16) {
        int clean = _mm_movemask_epi8(og_json_clean_bytes(_mm_loadu_si128((const __m128i *)(const void *)s)));

        if (clean != 0xFFFF)
            return s + __builtin_ctz(~(unsigned)clean);
        s += 16;
    }
#endif
    while (end - s >= 8) {
        uint64_t v, bad;

        memcpy(&v, s, 8);
        bad = og_json_unclean_bits(v);
        if (bad)
            break; /* the block has a byte that is not clean: the loop below finds it, whatever the machine's byte
                    * order */
        s += 8;
    }
    if (end - s < 8 && end - first >= 8) { /* the last eight bytes, which overlap those before */
        uint64_t v;

        memcpy(&v, end - 8, 8);
        if (!og_json_unclean_bits(v))
            return end;
    }
    while (s < end && og_json_is_clean(*s))
        s++;
    return s;
}

/* Returns the number of clean bytes at s.  A byte that is not clean must follow, and 15 readable bytes after it. */
static inline size_t og_json_clean_len(const char *s)
{
    size_t len = 0;

#ifdef __SSE2__
    for (;; len += 16) {
        int clean = _mm_movemask_epi8(og_json_clean_bytes(_mm_loadu_si128((const __m128i *)(const void *)(s + len))));

        if (clean != 0xFFFF)
            return len + (size_t)__builtin_ctz(~(unsigned)clean);
    }
#else
    while (og_json_is_clean(s[len]))
        len++;
    return len;
#endif
}

/* Does what og_json_copy_clean() does, for a text of fewer than 8 bytes. */
static inline bool og_json_copy_few(char *to, const char *s, size_t len)
{
    uint32_t first, last;

    if (len < 4) {
        for (; len && og_json_is_clean(*s); len--)
            *to++ = *s++;
        return len == 0;
    }
    memcpy(&first, s, 4);
    memcpy(&last, s + len - 4, 4);
    memcpy(to, &first, 4);
    memcpy(to + len - 4, &last, 4);
    return og_json_unclean_bits((uint64_t)first << 32 | last) == 0;
}

/* Copies len clean bytes.  Returns false if one of them is not clean; the contents of `to` are then undefined.  The
 * last step overlaps the one before. */
static inline bool og_json_copy_clean(char *to, const char *s, size_t len)
{
#ifdef __SSE2__
    __m128i v, clean;

    if (len < 8)
        return og_json_copy_few(to, s, len);
    if (len < 16) {
        __m128i last = _mm_loadl_epi64((const __m128i *)(const void *)(s + len - 8));

        v = _mm_loadl_epi64((const __m128i *)(const void *)s);
        _mm_storel_epi64((__m128i *)(void *)to, v);
        _mm_storel_epi64((__m128i *)(void *)(to + len - 8), last);
        return _mm_movemask_epi8(og_json_clean_bytes(_mm_unpacklo_epi64(v, last))) == 0xFFFF;
    }
    v = _mm_loadu_si128((const __m128i *)(const void *)(s + len - 16));
    _mm_storeu_si128((__m128i *)(void *)(to + len - 16), v);
    clean = og_json_clean_bytes(v);
    for (size_t i = 0; i < len - 16; i += 16) {
        v = _mm_loadu_si128((const __m128i *)(const void *)(s + i));
        _mm_storeu_si128((__m128i *)(void *)(to + i), v);
        clean = _mm_and_si128(clean, og_json_clean_bytes(v));
    }
    return _mm_movemask_epi8(clean) == 0xFFFF;
#else
    uint64_t v, bad = 0;

    if (len < 8)
        return og_json_copy_few(to, s, len);
    for (size_t i = 0; i < len; i += 8) {
        size_t at = i < len - 8 ? i : len - 8;

        memcpy(&v, s + at, 8);
        memcpy(to + at, &v, 8);
        bad |= og_json_unclean_bits(v);
    }
    return bad == 0;
#endif
}

/* Returns the length of a text of len bytes after it is cut to at most `most` bytes, without splitting a character. */
static inline size_t og_utf8_cut(const char *s, size_t len, size_t most)
{
    size_t cut = len < most ? len : most;

    while (cut < len && cut > 0 && ((unsigned char)s[cut] & 0xC0) == 0x80)
        cut--;
    return cut;
}
