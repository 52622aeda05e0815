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

#define OG_SYMBOL_FOLDED 64 /* most bytes of a symbol whose case or spelling is changed; no real symbol is as long */

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

enum og_byte {
    OG_BYTE_LOWER = 1,
    OG_BYTE_OTHER = 2, /* a byte that the pattern rejects */
    /* '-' or '_'; or a class share without its point (BRKB), or a contract's root with one: see order/spelling.h */
    OG_BYTE_SPELLING = 4
};
/* Returns which kinds of bytes the symbol has: enum og_byte, combined with |. */
unsigned og_symbol_bytes(struct og_str symbol);
