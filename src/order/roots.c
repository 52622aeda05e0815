/*
 * The table of roots.  It lists names, not patterns: SPXW has the underlying SPX, but SNOW does not have SNO.
 */
#include "order/roots.h"

#include "base/attributes.h"

/* A perfect hash by the second and the last letter; two names with the same index would be a compile error. */
#define PLACES              32
#define PLACE(second, last) (((second)*3 + (last)*2) % PLACES)
#define ROOT(second, last, of, on, ...) \
    [PLACE(second, last)] = { .root = { of, sizeof(of) - 1 }, .underlying = { on, sizeof(on) - 1 }, __VA_ARGS__ }
static const struct og_root roots[PLACES] = {
    ROOT('F', 'A', "BFA", "BF.A"),
    ROOT('F', 'B', "BFB", "BF.B"),
    ROOT('R', 'A', "BRKA", "BRK.A"),
    ROOT('R', 'B', "BRKB", "BRK.B"),
    ROOT('E', 'A', "HEIA", "HEI.A"),
    ROOT('W', 'M', "IWM", "IWM", .any_weekday = true),
    ROOT('E', 'B', "LENB", "LEN.B"),
    ROOT('O', 'A', "MOGA", "MOG.A"),
    ROOT('D', 'X', "NDX", "NDX", .index = true, .in_the_morning = true),
    ROOT('D', 'P', "NDXP", "NDX", .index = true, .any_weekday = true),
    ROOT('Q', 'Q', "QQQ", "QQQ", .any_weekday = true),
    ROOT('U', 'T', "RUT", "RUT", .index = true, .in_the_morning = true),
    ROOT('U', 'W', "RUTW", "RUT", .index = true, .any_weekday = true),
    ROOT('P', 'X', "SPX", "SPX", .index = true, .in_the_morning = true),
    ROOT('P', 'W', "SPXW", "SPX", .index = true, .any_weekday = true),
    ROOT('P', 'Y', "SPY", "SPY", .any_weekday = true),
    ROOT('I', 'X', "VIX", "VIX", .index = true, .in_the_morning = true, .any_weekday = true),
    ROOT('I', 'W', "VIXW", "VIX", .index = true, .in_the_morning = true, .any_weekday = true),
    ROOT('S', 'P', "XSP", "XSP", .index = true, .any_weekday = true),
};

OG_HOT const struct og_root *og_root_find(struct og_str root)
{
    const struct og_root *r;

    if (root.len < 3 || root.len > 4)
        return NULL;
    r = &roots[PLACE((unsigned char)root.s[1], (unsigned char)root.s[root.len - 1])];
    return og_str_eq(root, r->root) ? r : NULL;
}

struct og_str og_root_shares(struct og_str root)
{
    const struct og_root *r = og_root_find(root);

    return !r ? root : r->index ? (struct og_str){ NULL, 0 } : r->underlying;
}

OG_HOT struct og_str og_root_on(struct og_str ticker)
{
    if (ticker.len < 3 || ticker.s[ticker.len - 2] != '.') /* only the ticker of a class share has another root: it ends
                                                            * in a point and a letter */
        return ticker;
    for (size_t i = 0; i < PLACES; i++)
        if (og_str_eq(ticker, roots[i].underlying))
            return roots[i].root;
    return ticker;
}

const struct og_root *og_root_next_on(struct og_str underlying, const struct og_root *after)
{
    for (const struct og_root *r = after ? after + 1 : roots; r < roots + PLACES; r++)
        if (og_str_eq(r->underlying, underlying))
            return r;
    return NULL;
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

struct og_str og_root_bare(struct og_str root)
{
    while (root.len && is_digit(root.s[root.len - 1]))
        root.len--;
    while (root.len && is_digit(root.s[0]))
        root = (struct og_str){ root.s + 1, root.len - 1 };
    return root;
}

bool og_root_is_adjusted(struct og_str root)
{
    return root.len > 1 && is_digit(root.s[root.len - 1]) && !is_digit(root.s[0]);
}

bool og_root_is_flex(struct og_str root)
{
    return root.len > 0 && is_digit(root.s[0]);
}

bool og_root_is_derived(struct og_str root)
{
    return (og_root_is_adjusted(root) || og_root_is_flex(root)) && og_root_bare(root).len > 0;
}
