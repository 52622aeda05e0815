/*
 * What the service accepts as a symbol: ^[a-zA-Z0-9._-]+$ over the decoded bytes, whole (Q3, Q4).
 * No regular expression or locale is used: POSIX ones match "AAPL
 * ", and C strings end at a NUL.
 */
#pragma once

#include "base/str.h"

#define OG_SYMBOL_PATTERN "^[a-zA-Z0-9._-]+$" /* the pattern as the service's messages quote it */

bool og_symbol_fits(struct og_str symbol);
/* Returns true if the symbol fits the pattern and does not have this byte. */
bool og_symbol_fits_without(struct og_str symbol, char byte);

/* maximum number of bytes of a symbol whose case or spelling is changed; no real symbol is that long */
#define OG_SYMBOL_FOLDED 64

/* Returns the symbol in capitals: in `to` if it has lower-case letters; a symbol longer than OG_SYMBOL_FOLDED is
 * returned unchanged. */
static inline struct og_str og_symbol_capitals(struct og_str symbol, char to[OG_SYMBOL_FOLDED])
{
    bool any = false;

    for (size_t i = 0; i < symbol.len && symbol.len <= OG_SYMBOL_FOLDED; i++) {
        const bool small = symbol.s[i] >= 'a' && symbol.s[i] <= 'z';

        to[i] = (char)(small ? symbol.s[i] - ('a' - 'A') : symbol.s[i]);
        any = any || small;
    }
    return any ? (struct og_str){ to, symbol.len } : symbol;
}

/* Returns true if the symbol ends in the country of its market, after a point: NVDA.US. No class share or preferred
 * share of the United States has that ending. */
static inline bool og_symbol_names_country(struct og_str symbol)
{
    const char *const end = symbol.s + symbol.len;

    return symbol.len > 3 && end[-3] == '.' && (end[-2] | 0x20) == 'u' && (end[-1] | 0x20) == 's';
}

enum og_byte {
    OG_BYTE_LOWER = 1,
    OG_BYTE_OTHER = 2, /* a byte that the pattern rejects */
    /* '-' or '_'; or a class share without its point (BRKB), a contract's root with one, or a point that no ticker has
     * (NVDA., NVDA.US): see order/spelling.h */
    OG_BYTE_SPELLING = 4
};
/* Returns which kinds of bytes the symbol has: enum og_byte, combined with |. */
unsigned og_symbol_bytes(struct og_str symbol);
/* Returns true if the symbol may have other spellings (order/spelling.h); contracts and most tickers have none. */
bool og_symbol_has_spellings(struct og_str symbol);
