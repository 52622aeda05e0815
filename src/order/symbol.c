/*
 * Checks the symbol pattern by a table of bytes, or 16 bytes at a time with SSE2.
 */
#include "order/symbol.h"

#include <limits.h>

#include "base/attributes.h"
#include "order/roots.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define POINT 8u /* marks a point; og_symbol_bytes() does not return this bit */
#define X     OG_BYTE_OTHER
#define L     OG_BYTE_LOWER
#define S     OG_BYTE_SPELLING
#define P     POINT
static const unsigned char kinds[UCHAR_MAX + 1] = {
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, S, P, X, /* the bytes from the blank on */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, X, X, X, X, X, X, /* from '0' */
    X, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* from '@' */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, X, X, X, X, S, /* from 'P' */
    X, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, /* from '`' */
    L, L, L, L, L, L, L, L, L, L, L, X, X, X, X, X, /* from 'p' */
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
};
#undef X
#undef L
#undef S
#undef P

#ifdef __SSE2__
/* Returns 0xFF for each byte within least..most, 0 for all others. SSE2 can only compare signed bytes, so the range is
 * moved until it ends at 127. */
static inline __m128i between(__m128i v, char least, char most)
{
    return _mm_cmpgt_epi8(_mm_add_epi8(v, _mm_set1_epi8((char)(127 - most))),
                          _mm_set1_epi8((char)(126 - most + least)));
}

/* Returns true if all 16 bytes fit the pattern and none is `barred`.  '-', '.', '/' and the digits are adjacent
 * codes. */
static inline bool all_fit(__m128i v, char barred)
{
    __m128i letter = between(_mm_or_si128(v, _mm_set1_epi8('a' - 'A')), 'a', 'z');
    __m128i digit = _mm_andnot_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('/')), between(v, '-', '9'));
    __m128i line = _mm_cmpeq_epi8(v, _mm_set1_epi8('_'));

    return _mm_movemask_epi8(_mm_andnot_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(barred)),
                                              _mm_or_si128(line, _mm_or_si128(letter, digit)))) == 0xFFFF;
}

/* Does what all_fit() does for a text of 8 bytes or more, such as most order ids; the last step overlaps the one
 * before. */
static inline bool many_fit(const char *s, size_t len, char barred)
{
    if (len < 16)
        return all_fit(_mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)s),
                                          _mm_loadl_epi64((const __m128i *)(const void *)(s + len - 8))),
                       barred);
    for (size_t i = 0; i + 16 < len; i += 16)
        if (!all_fit(_mm_loadu_si128((const __m128i *)(const void *)(s + i)), barred))
            return false;
    return all_fit(_mm_loadu_si128((const __m128i *)(const void *)(s + len - 16)), barred);
}

static inline __m128i capitals_and_digits(const unsigned char *s)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)s);

    return _mm_or_si128(between(v, 'A', 'Z'), between(v, '0', '9'));
}
#endif

/* Returns true for the ticker of a class share written without its point; all of these end in A or B. */
static inline bool lacks_point(struct og_str symbol)
{
    const struct og_root *known;

    if (symbol.len < 3 || symbol.len > 4 || (symbol.s[symbol.len - 1] != 'A' && symbol.s[symbol.len - 1] != 'B'))
        return false;
    known = og_root_find(symbol);
    return known && og_root_is_class(known);
}

/* Returns true for a symbol with a point that no ticker has: at an end of it, beside another point, before the country
 * (NVDA.US), or in a contract. */
static OG_NOINLINE bool has_odd_point(struct og_str symbol)
{
    bool odd = symbol.len > 15 || symbol.s[0] == '.' || symbol.s[symbol.len - 1] == '.';

    for (size_t i = 1; i < symbol.len; i++)
        odd = odd || (symbol.s[i] == '.' && symbol.s[i - 1] == '.');
    return odd || og_symbol_names_country(symbol);
}

/* Returns og_symbol_bytes(), and POINT if there is a point. */
static inline unsigned bytes_of(struct og_str symbol)
{
    const unsigned char *s = (const unsigned char *)symbol.s;
    unsigned seen = 0;

#ifdef __SSE2__
    /* a fast path for OCC symbols; the second step overlaps the first */
    if (symbol.len >= 16 && symbol.len <= 32 &&
        _mm_movemask_epi8(_mm_and_si128(capitals_and_digits(s), capitals_and_digits(s + symbol.len - 16))) == 0xFFFF)
        return 0;
#endif
    for (size_t i = 0; i < symbol.len; i++)
        seen |= kinds[s[i]];
    if (lacks_point(symbol) || (seen & POINT && has_odd_point(symbol)))
        seen |= OG_BYTE_SPELLING;
    return seen;
}

OG_HOT unsigned og_symbol_bytes(struct og_str symbol)
{
    return bytes_of(symbol) & ~POINT;
}

OG_HOT bool og_symbol_has_spellings(struct og_str symbol)
{
    return bytes_of(symbol) & (POINT | OG_BYTE_SPELLING);
}

static inline bool fits(struct og_str symbol, char barred)
{
#ifdef __SSE2__
    if (symbol.len >= 8)
        return many_fit(symbol.s, symbol.len, barred);
#endif
    return symbol.len > 0 && !(og_symbol_bytes(symbol) & OG_BYTE_OTHER) && !memchr(symbol.s, barred, symbol.len);
}

OG_HOT bool og_symbol_fits(struct og_str symbol)
{
    return fits(symbol, '/'); /* with '/' no further byte is rejected: the pattern rejects '/' itself */
}

OG_HOT bool og_symbol_fits_without(struct og_str symbol, char byte)
{
    return fits(symbol, byte);
}
