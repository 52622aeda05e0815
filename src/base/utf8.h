/*
 * UTF-8 as every reader and writer of text needs it, inline because it sits in their hot loops.
 * It refuses overlong forms, surrogates and anything above U+10FFFF.
 */
#ifndef OG_BASE_UTF8_H
#define OG_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The length (1..4) of the well-formed sequence at s, 0 when there is none; s < end. */
static inline size_t og_utf8_len(const char *s, const char *end)
{
    const unsigned char *p = (const unsigned char *)s;
    size_t left = (size_t)(end - s);
    unsigned char least = 0x80, most = 0xBF; /* of the second byte, which decides overlong, surrogate and too large */

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

/* Not 0 when one of eight bytes is not clean. */
static inline uint64_t og_json_unclean_bits(uint64_t v)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t quote = v ^ ones * '"', backslash = v ^ ones * '\\';

    return (v | ((v - ones * 0x20) & ~v) | ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash)) & high;
}

#ifdef __SSE2__
/* Which of 16 bytes are clean: all ones or 0 in each.  Compared with a sign, bytes of 0x80 and more are below 0x20. */
static inline __m128i og_json_clean_bytes(__m128i v)
{
    __m128i quotes = _mm_cmpeq_epi8(v, _mm_set1_epi8('"')), backslashes = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));

    return _mm_andnot_si128(_mm_or_si128(quotes, backslashes), _mm_cmpgt_epi8(v, _mm_set1_epi8(0x1F)));
}
#endif

/* The first byte in [s, end) that a JSON string cannot hold as it is or that starts a longer sequence:
 * a quote, a backslash, a control byte, a byte of 0x80 or more; end when there is none. */
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
            break; /* which of them is told below: byte orders differ */
        s += 8;
    }
    if (end - s < 8 && end - first >= 8) { /* the last eight, some of them looked at before */
        uint64_t v;

        memcpy(&v, end - 8, 8);
        if (!og_json_unclean_bits(v))
            return end;
    }
    while (s < end && og_json_is_clean(*s))
        s++;
    return s;
}

/* og_json_copy_clean() of less than 8 bytes. */
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

/* Copies len bytes that a JSON string can hold as they are; false when one of them is not clean, and anything is at to.
 * Steps are whole: the last of them shares bytes with the one before. */
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

/* The quotes among 64 bytes, a bit each; *plain: none of them is a backslash, a control byte or 0x80 and more. */
static inline uint64_t og_json_quote_bits(const char *s, bool *plain)
{
    uint64_t bits = 0;
#ifdef __SSE2__
    __m128i bad = _mm_setzero_si128();

#pragma GCC unroll 4
    for (int i = 0; i < 64; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(s + i));

        bad = _mm_or_si128(bad, _mm_or_si128(_mm_cmplt_epi8(v, _mm_set1_epi8(0x20)),
                                             _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))));
        bits |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('"'))) << i;
    }
    *plain = _mm_movemask_epi8(bad) == 0;
#else
    *plain = true;
    for (int i = 0; i < 64; i++) {
        bits |= (uint64_t)(s[i] == '"') << i;
        *plain = *plain && (s[i] == '"' || og_json_is_clean(s[i]));
    }
#endif
    return bits;
}

/* Where the quotes stand in a plain text: there strings go from quote to quote as they are.  Their number; 0 when the
 * text is not plain or has more than room. */
static inline size_t og_json_quotes(const char *s, size_t len, uint32_t *quote, size_t room)
{
    uint32_t *to = quote, *end = quote + room;
    char last[64];
    bool plain;

    for (size_t i = 0; i < len; i += 64) {
        size_t before = len - i < sizeof last ? sizeof last - (len - i) : 0; /* bytes looked at once more */
        uint64_t bits;

        if (before && i == 0) {
            memset(last, ' ', sizeof last);
            memcpy(last, s, len);
            bits = og_json_quote_bits(last, &plain);
        } else {
            bits = og_json_quote_bits(s + i - before, &plain) >> before;
        }
        if (!plain || (size_t)(end - to) < sizeof last)
            return 0;
        for (; bits; bits &= bits - 1)
            *to++ = (uint32_t)i + (uint32_t)__builtin_ctzll(bits);
    }
    return (size_t)(to - quote);
}

#endif
