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

/* Leave out what no ticker has: points at an end or beside another one, and the country of the market behind one. */
static struct og_str tidy(struct og_str dotted, char to[OG_SYMBOL_FOLDED])
{
    struct og_str tidied = { to, 0 };

    for (size_t i = 0; i < dotted.len; i++)
        if (dotted.s[i] != '.' || (tidied.len && to[tidied.len - 1] != '.'))
            to[tidied.len++] = dotted.s[i];
    tidied.len -= tidied.len && to[tidied.len - 1] == '.';
    if (og_symbol_names_country(tidied))
        tidied.len -= 3;
    return tidied.len ? tidied : dotted;
}

struct og_str og_spelling_dotted(struct og_str symbol, char to[OG_SYMBOL_FOLDED])
{
    const struct og_root *known;
    char capitals[OG_SYMBOL_FOLDED];

    if (symbol.len > OG_SYMBOL_FOLDED)
        return symbol;
    symbol = tidy(with(og_symbol_capitals(symbol, capitals), "-_", '.', to), to);
    known = og_root_find(symbol);
    return known && og_root_is_class(known) ? known->underlying : symbol;
}

struct og_str og_spelling_listed(struct og_str symbol, char to[OG_SYMBOL_FOLDED])
{
    char dotted[OG_SYMBOL_FOLDED];
    struct og_str listed;

    if (symbol.len == 0 || symbol.len > OG_SYMBOL_FOLDED ||
        !(memchr(symbol.s, '.', symbol.len) || memchr(symbol.s, '-', symbol.len) || memchr(symbol.s, '_', symbol.len)))
        return symbol;
    listed = tidy(with(symbol, "-_", '.', dotted), dotted);
    if (listed.len == symbol.len)
        return symbol;
    memcpy(to, listed.s, listed.len);
    return (struct og_str){ to, listed.len };
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
