/*
 * The symbol pattern as a table of bytes.  It refuses to look at what a symbol means.
 */
#include "order/symbol.h"

#include <limits.h>

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

unsigned og_symbol_bytes(struct og_str symbol)
{
    const unsigned char *s = (const unsigned char *)symbol.s;
    unsigned seen = 0;
    size_t i = 0;

    for (; i + 4 <= symbol.len; i += 4)
        seen |= (unsigned)kinds[s[i]] | kinds[s[i + 1]] | kinds[s[i + 2]] | kinds[s[i + 3]];
    for (; i < symbol.len; i++)
        seen |= kinds[s[i]];
    return seen;
}

bool og_symbol_fits(struct og_str symbol)
{
    return symbol.len > 0 && !(og_symbol_bytes(symbol) & OG_BYTE_OTHER);
}
