/*
 * What the service takes as a symbol: ^[a-zA-Z0-9._-]+$ over the decoded bytes, whole (matrix Q3, Q4).
 * It refuses regular expressions and locales: POSIX ones take "AAPL\n", and C strings stop at a NUL.
 */
#ifndef OG_ORDER_SYMBOL_H
#define OG_ORDER_SYMBOL_H

#include "base/str.h"

#define OG_SYMBOL_PATTERN "^[a-zA-Z0-9._-]+$" /* as the service prints it */

bool og_symbol_fits(struct og_str symbol);

/* Which of these bytes it has. */
enum og_byte { OG_BYTE_LOWER = 1, OG_BYTE_OTHER = 2 /* none that the pattern takes */ };
unsigned og_symbol_bytes(struct og_str symbol);

#endif
