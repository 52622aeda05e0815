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

/* What bounds the order beside its own prices: a quote of an age the policy allows, what is held, its legs. */
static inline struct og_market og_case_market(const struct og_case *c)
{
    return (struct og_market){ .facts = c->facts,
                               .quote = og_has(c, OG_FACT_QUOTE) ? c->quote : NULL,
                               .holding = c->holding,
                               .result = c->result,
                               .now = c->now,
                               .quote_age = c->max_age[__builtin_ctz(OG_FACT_QUOTE)],
                               .reduces = og_case_reduces(c),
                               .slippage = c->slippage };
}

/* Say why what the order is worth is not known: an unsure finding for a reason.  It may stand on a quote. */
static inline __attribute__((cold)) void og_unsure_worth(const struct og_case *c, struct og_sink *sink,
                                                         const struct og_reason *r, const char *field,
                                                         enum og_worth worth)
{
    const struct og_order *o = c->order;

    if (worth != OG_WORTH_NEEDS_QUOTE)
        og_unsure(sink, r, field, "the order has no price to count it by");
    else if (o->security == OG_MLEG)
        og_unsure(sink, r, field,
                  og_order_wants_limit(o) ? "what a spread can lose without bound is told by the quotes of its legs"
                                          : "a spread without a limit has no price");
    else if (og_need(c, sink, r, OG_FACT_QUOTE, o->symbol, field))
        og_unsure(sink, r, field, o->side == OG_BUY ? "the quote has no ask" : "the quote has no bid");
}

/* What the order is worth at the worst (margin/notional.h), in dollars: worked out for the first rule that asks. */
static inline enum og_worth og_case_worst(const struct og_case *c, struct og_money *dollars)
{
    struct og_market m;

    *c->asked |= OG_FACT_QUOTE;
    if (!c->worth->worst_is) {
        m = og_case_market(c);
        return og_order_worst(c->order, &m, c->worth, dollars);
    }
    *dollars = c->worth->worst;
    return c->worth->worst_is;
}

/* The same in cents; INT64_MAX: more than can be counted.  Returns something else than OG_WORTH_KNOWN if it is at least
 * that, and og_unsure_worth() says why no more is known. */
static inline enum og_worth og_case_cents(const struct og_case *c, int64_t *cents)
{
    struct og_market m;
    enum og_worth worth;

    if (og_order_is_bounded(c->order) && og_order_cents(c->order, NULL, c->worth, cents) == OG_WORTH_KNOWN)
        return OG_WORTH_KNOWN;
    m = og_case_market(c);
    worth = og_order_cents(c->order, &m, c->worth, cents);
    if (worth == OG_WORTH_TOO_LARGE)
        *cents = INT64_MAX;
    return worth == OG_WORTH_TOO_LARGE ? OG_WORTH_KNOWN : worth;
}

/* The same in dollars, a whole number of cents: what has no fraction of one needs no other form. */
static inline enum og_worth og_case_dollars(const struct og_case *c, struct og_money *dollars)
{
    enum og_worth worth = og_case_worst(c, dollars);
    int64_t cents;

    if ((worth == OG_WORTH_KNOWN || worth == OG_WORTH_NEEDS_QUOTE) && dollars->scale <= 2 &&
        dollars->coef <= OG_CENTS_SMALL)
        return worth;
    worth = og_case_cents(c, &cents);
    *dollars = og_dollars(cents);
    return worth;
}

/* In cents what a close of a single is worth as if it opened, which a part of it may; of others as og_case_cents(). */
static inline enum og_worth og_case_cents_opening(const struct og_case *c, int64_t *cents)
{
    struct og_own_worth apart = { .is = 0 };
    struct og_market m;
    enum og_worth worth;

    if (!og_case_reduces(c))
        return og_case_cents(c, cents);
    *c->asked |= OG_FACT_QUOTE;
    m = og_case_market(c);
    m.reduces = false;
    worth = og_order_cents(c->order, &m, &apart, cents);
    if (worth == OG_WORTH_TOO_LARGE)
        *cents = INT64_MAX;
    return worth == OG_WORTH_TOO_LARGE ? OG_WORTH_KNOWN : worth;
}

/* What a spread that does not only reduce comes to in exposure (margin/notional.h); INT64_MAX, and known: more than can
 * be counted. */
void og_case_spread(const struct og_case *c, struct og_exposure *e);

/* What an order that does not only reduce adds to exposure, in cents: all that it comes to; of a close, what it and
 * those that work with it take beyond what is held, whichever of them fills last.  shorts: to what is sold short alone.
 * Returns as og_case_cents(), and og_unsure_adds() says why no more is known. */
enum og_worth og_case_adds(const struct og_case *c, bool shorts, og_wide *cents);

/* Say why what the order adds to exposure is not known: an unsure finding for a reason. */
static inline __attribute__((cold)) void og_unsure_adds(const struct og_case *c, struct og_sink *sink,
                                                        const struct og_reason *r, const char *field,
                                                        enum og_worth worth)
{
    if (worth == OG_WORTH_NEEDS_QUOTE && c->order->security == OG_MLEG && c->worth->worst_is == OG_WORTH_KNOWN)
        og_unsure(sink, r, field, "what the legs of a spread come to is told by their quotes");
    else
        og_unsure_worth(c, sink, r, field, worth);
}

#endif
