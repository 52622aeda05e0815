/*
 * The table of roots.  It refuses patterns where a name alone can tell: SPXW is SPX, but SNOW is not SNO.
 */
#include "order/roots.h"

#include "base/banned.h"

static const struct og_root roots[] = {
    { .root = "BFA", .underlying = "BF.A" },
    { .root = "BFB", .underlying = "BF.B" },
    { .root = "BRKA", .underlying = "BRK.A" },
    { .root = "BRKB", .underlying = "BRK.B" },
    { .root = "HEIA", .underlying = "HEI.A" },
    { .root = "IWM", .underlying = "IWM", .any_weekday = true },
    { .root = "LENB", .underlying = "LEN.B" },
    { .root = "MOGA", .underlying = "MOG.A" },
    { .root = "NDX", .underlying = "NDX", .index = true, .in_the_morning = true },
    { .root = "NDXP", .underlying = "NDX", .index = true, .any_weekday = true },
    { .root = "QQQ", .underlying = "QQQ", .any_weekday = true },
    { .root = "RUT", .underlying = "RUT", .index = true, .in_the_morning = true },
    { .root = "RUTW", .underlying = "RUT", .index = true, .any_weekday = true },
    { .root = "SPX", .underlying = "SPX", .index = true, .in_the_morning = true },
    { .root = "SPXW", .underlying = "SPX", .index = true, .any_weekday = true },
    { .root = "SPY", .underlying = "SPY", .any_weekday = true },
    { .root = "VIX", .underlying = "VIX", .index = true, .in_the_morning = true, .any_weekday = true },
    { .root = "VIXW", .underlying = "VIX", .index = true, .in_the_morning = true, .any_weekday = true },
    { .root = "XSP", .underlying = "XSP", .index = true, .any_weekday = true },
};

const struct og_root *og_root_find(struct og_str root)
{
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
        if (root.len && root.s[0] == roots[i].root[0] && og_str_is(root, roots[i].root))
            return &roots[i];
    return NULL;
}

struct og_str og_root_shares(struct og_str root)
{
    const struct og_root *r = og_root_find(root);

    return !r ? root : r->index ? (struct og_str){ NULL, 0 } : og_str_of(r->underlying);
}

struct og_str og_root_on(struct og_str ticker)
{
    if (!ticker.len || !memchr(ticker.s, '.', ticker.len)) /* only class shares have one */
        return ticker;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
        if (og_str_is(ticker, roots[i].underlying))
            return og_str_of(roots[i].root);
    return ticker;
}

bool og_root_same(struct og_str a, struct og_str b)
{
    const struct og_root *ra = og_root_find(a), *rb = og_root_find(b);

    return og_str_eq(ra ? og_str_of(ra->underlying) : a, rb ? og_str_of(rb->underlying) : b);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool og_root_is_adjusted(struct og_str root)
{
    return root.len > 1 && is_digit(root.s[root.len - 1]) && !is_digit(root.s[0]);
}

bool og_root_is_flex(struct og_str root)
{
    return root.len > 0 && is_digit(root.s[0]);
}
