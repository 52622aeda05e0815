/*
 * The symbol pattern as a loop over bytes.  It refuses to look at what a symbol means.
 */
#include "order/symbol.h"

#include "base/banned.h"

bool og_symbol_fits(struct og_str symbol)
{
    for (size_t i = 0; i < symbol.len; i++) {
        char c = symbol.s[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

        if (!letter && !(c >= '0' && c <= '9') && c != '.' && c != '_' && c != '-')
            return false;
    }
    return symbol.len > 0;
}
