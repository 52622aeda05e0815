/*
 * The symbol pattern as a table of bytes.  It refuses to look at what a symbol means.
 */
#include "order/symbol.h"

#include "base/often.h"

#include <limits.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/banned.h"

#define X OG_BYTE_OTHER
#define L OG_BYTE_LOWER
static const unsigned char kinds[UCHAR_MAX + 1] = {
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, 0, 0, X, /* from ' ' */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, X, X, X, X, X, X, /* from '0' */
    X, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* from '@' */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, X, X, X, X, 0, /* from 'P' */
    X, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, /* from '`' */
    L, L, L, L, L, L, L, L, L, L, L, X, X, X, X, X, /* from 'p' */
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
};
#undef X
#undef L

#ifdef __SSE2__
/* Signed: a byte of 0x80 or more is below them all. */
static inline __m128i between(__m128i v, char least, char most)
{
    return _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8((char)(least - 1))),
                         _mm_cmplt_epi8(v, _mm_set1_epi8((char)(most + 1))));
}

/* The table's answer for sixteen bytes at once. */
static inline unsigned of_sixteen(__m128i v)
{
    __m128i letter = between(_mm_or_si128(v, _mm_set1_epi8('a' - 'A')), 'a', 'z'), digit = between(v, '0', '9');
    __m128i dot = _mm_cmpeq_epi8(v, _mm_set1_epi8('.')), dash = _mm_cmpeq_epi8(v, _mm_set1_epi8('-'));
    __m128i mark = _mm_or_si128(_mm_or_si128(dot, dash), _mm_cmpeq_epi8(v, _mm_set1_epi8('_')));
    int good = _mm_movemask_epi8(_mm_or_si128(letter, _mm_or_si128(digit, mark)));

    return (good != 0xFFFF ? OG_BYTE_OTHER : 0u) | (_mm_movemask_epi8(between(v, 'a', 'z')) ? OG_BYTE_LOWER : 0u);
}

/* Of eight bytes or more; the last are looked at with some before them. */
static inline unsigned of_many(const unsigned char *s, size_t len)
{
    unsigned seen = 0;

    if (len < 16)
        return of_sixteen(_mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)s),
                                             _mm_loadl_epi64((const __m128i *)(const void *)(s + len - 8))));
    for (size_t i = 0; i + 16 <= len; i += 16)
        seen |= of_sixteen(_mm_loadu_si128((const __m128i *)(const void *)(s + i)));
    return seen | of_sixteen(_mm_loadu_si128((const __m128i *)(const void *)(s + len - 16)));
}
#endif

OG_OFTEN unsigned og_symbol_bytes(struct og_str symbol)
{
    const unsigned char *s = (const unsigned char *)symbol.s;
    unsigned seen = 0;

#ifdef __SSE2__
    if (symbol.len >= 8)
        return of_many(s, symbol.len);
#endif
    for (size_t i = 0; i < symbol.len; i++)
        seen |= kinds[s[i]];
    return seen;
}

bool og_symbol_fits(struct og_str symbol)
{
    return symbol.len > 0 && !(og_symbol_bytes(symbol) & OG_BYTE_OTHER);
}
