/*
 * What the desk's own limits share.  They predict nothing: the broker does not know them.
 * A limit meant for opening lets pass what only reduces, unless its setting `exits` is `bind`.
 */
#ifndef OG_RULES_LIMIT_H
#define OG_RULES_LIMIT_H

#include "margin/notional.h"
#include "rules/sides.h"

enum { OG_EXITS_PASS, OG_EXITS_BIND };
static const char *const og_exits[] = { "pass", "bind", NULL };
#define OG_EXITS(field)                                                                                          \
    {                                                                                                            \
        .key = "exits", OG_CHOICE(field), .fallback = "pass", .choices = og_exits, .tighter = OG_TIGHTER_HIGHER, \
        .help = "whether orders that only reduce what is held are held to it too"                                \
    }

/* The most that can be set stands for "no limit". */
#define OG_UNLIMITED       INT64_C(1000000000)
#define OG_UNLIMITED_TEXT  "1000000000"
#define OG_UNLIMITED_MONEY "1000000000000"
static inline bool og_is_unlimited(struct og_money m)
{
    return m.scale == 0 && m.coef >= INT64_C(1000000000000);
}

static inline bool og_limit_passes(const struct og_case *c, int32_t exits)
{
    return exits == OG_EXITS_PASS && og_case_reduces(c);
}

/* It trades stock or a contract, on a side. */
static inline bool og_case_is_single(const struct og_case *c)
{
    const struct og_order *o = c->order;

    return (o->security == OG_STOCK || o->security == OG_OPTION) && o->side != OG_SIDE_NONE && o->symbol.len;
}

/* Cents as dollars.  What is beyond og_money is far beyond every limit: shown as the most there is. */
static inline struct og_money og_dollars(og_wide cents)
{
    struct og_money m;

    if (cents > INT64_MAX || !og_money_mul(og_money_from((int64_t)cents), (struct og_money){ 1, 2 }, &m))
        m = og_money_from(INT64_MAX / 100);
    return m;
}
static inline bool og_cents_exceed(og_wide cents, struct og_money most)
{
    struct og_money m;

    return cents > INT64_MAX || !og_money_mul(og_money_from((int64_t)cents), (struct og_money){ 1, 2 }, &m) ||
           og_money_cmp(m, most) > 0;
}

/* What the order is worth, by its own price or else by a quote; false when an unsure finding says why it is not
 * known. */
static inline bool og_need_cents(const struct og_case *c, struct og_sink *sink, const struct og_reason *r,
                                 const char *field, int64_t *cents)
{
    const struct og_order *o = c->order;

    if ((*cents = og_order_cents(o, NULL, c->worth)) >= 0)
        return true;
    if (o->security == OG_MLEG || og_order_wants_limit(o)) {
        og_unsure(sink, r, field, "the order has no price to count it by");
        return false;
    }
    if (!og_need(c, sink, r, OG_FACT_QUOTE, o->symbol, field))
        return false;
    if ((*cents = og_order_cents(o, c->quote, c->worth)) >= 0)
        return true;
    og_unsure(sink, r, field, o->side == OG_BUY ? "the quote has no ask" : "the quote has no bid");
    return false;
}

#endif
