/*
 * Finds the spellings of a stock: spellings with '.', '-' or '_' by a rule, spellings without any of these by the table
 * of roots.
 */
#include "order/spelling.h"

#include <string.h>

#include "order/roots.h"

static struct og_str with(struct og_str symbol, const char *marks, char mark, char to[OG_SYMBOL_FOLDED])
{
    for (size_t i = 0; i < symbol.len; i++)
        to[i] = strchr(marks, symbol.s[i]) && symbol.s[i] ? mark : symbol.s[i];
    return (struct og_str){ to, symbol.len };
}

struct og_str og_spelling_dotted(struct og_str symbol, char to[OG_SYMBOL_FOLDED])
{
    const struct og_root *known;
    char capitals[OG_SYMBOL_FOLDED];

    if (symbol.len > OG_SYMBOL_FOLDED)
        return symbol;
    symbol = with(og_symbol_capitals(symbol, capitals), "-_", '.', to);
    known = og_root_find(symbol);
    return known && og_root_is_class(known) ? known->underlying : symbol;
}

struct og_str og_spelling(struct og_str dotted, int i, char to[OG_SYMBOL_FOLDED])
{
    static const char marks[] = { '.', '-', '_' };
    const struct og_str none = { NULL, 0 };
    struct og_str root;

    if (i == 0)
        return dotted;
    if (dotted.len > OG_SYMBOL_FOLDED || !memchr(dotted.s, '.', dotted.len))
        return none;
    if (i < (int)sizeof marks)
        return with(dotted, ".", marks[i], to);
    root = og_root_on(dotted);
    return root.s != dotted.s ? root : none;
}
