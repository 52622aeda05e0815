/*
 * The table of roots.  It refuses patterns where a name alone can tell: SPXW is SPX, but SNOW is not SNO.
 */
#include "order/roots.h"

#include "base/often.h"

#include "base/banned.h"

#define NAMED(of, on) .root = { of, sizeof(of) - 1 }, .underlying = { on, sizeof(on) - 1 }
static const struct og_root roots[] = { /* by name */
    { NAMED("BFA", "BF.A") },
    { NAMED("BFB", "BF.B") },
    { NAMED("BRKA", "BRK.A") },
    { NAMED("BRKB", "BRK.B") },
    { NAMED("HEIA", "HEI.A") },
    { NAMED("IWM", "IWM"), .any_weekday = true },
    { NAMED("LENB", "LEN.B") },
    { NAMED("MOGA", "MOG.A") },
    { NAMED("NDX", "NDX"), .index = true, .in_the_morning = true },
    { NAMED("NDXP", "NDX"), .index = true, .any_weekday = true },
    { NAMED("QQQ", "QQQ"), .any_weekday = true },
    { NAMED("RUT", "RUT"), .index = true, .in_the_morning = true },
    { NAMED("RUTW", "RUT"), .index = true, .any_weekday = true },
    { NAMED("SPX", "SPX"), .index = true, .in_the_morning = true },
    { NAMED("SPXW", "SPX"), .index = true, .any_weekday = true },
    { NAMED("SPY", "SPY"), .any_weekday = true },
    { NAMED("VIX", "VIX"), .index = true, .in_the_morning = true, .any_weekday = true },
    { NAMED("VIXW", "VIX"), .index = true, .in_the_morning = true, .any_weekday = true },
    { NAMED("XSP", "XSP"), .index = true, .any_weekday = true },
};

/* The letters that a name of the table begins with, a bit each: most roots begin with another. */
#define FROM(letter) (1u << ((letter) - 'A'))
static const unsigned initials = FROM('B') | FROM('H') | FROM('I') | FROM('L') | FROM('M') | FROM('N') | FROM('Q') |
                                 FROM('R') | FROM('S') | FROM('V') | FROM('X');

OG_OFTEN const struct og_root *og_root_find(struct og_str root)
{
    unsigned letter = root.len ? (unsigned)(unsigned char)root.s[0] - 'A' : 26;

    if (letter >= 26 || !(initials >> letter & 1))
        return NULL;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
        if (og_str_eq(root, roots[i].root))
            return &roots[i];
    return NULL;
}

struct og_str og_root_shares(struct og_str root)
{
    const struct og_root *r = og_root_find(root);

    return !r ? root : r->index ? (struct og_str){ NULL, 0 } : r->underlying;
}

OG_OFTEN struct og_str og_root_on(struct og_str ticker)
{
    if (!ticker.len || !memchr(ticker.s, '.', ticker.len)) /* only class shares have one */
        return ticker;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
        if (og_str_eq(ticker, roots[i].underlying))
            return roots[i].root;
    return ticker;
}

bool og_root_same(struct og_str a, struct og_str b)
{
    const struct og_root *ra = og_root_find(a), *rb = og_root_find(b);

    return og_str_eq(ra ? ra->underlying : a, rb ? rb->underlying : b);
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
