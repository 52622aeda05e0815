/*
 * Shared by the rules for the desk's own limits.  Those rules predict nothing, since the broker does not know the
 * limits.  Orders that only reduce positions pass a limit on opening, unless its setting `exits` is `bind`.
 */
#pragma once

#include "margin/notional.h"
#include "rules/sides.h"

enum { OG_EXITS_PASS, OG_EXITS_BIND };
static const char *const og_exits[] = { "pass", "bind", NULL };
#define OG_EXITS(field)                                                                                          \
    {                                                                                                            \
        .key = "exits", OG_CHOICE(field), .fallback = "pass", .choices = og_exits, .tighter = OG_TIGHTER_HIGHER, \
        .aside = true,                                                                                           \
        .help = "whether the limit also applies to orders that only reduce what is held (closes): bind; pass "   \
                "exempts them"                                                                                   \
    }

/* Whether exceeding a limit stops orders until the next session day, or until somebody resumes: by the latches
 * (base/latches.h).  Values of a setting of type int32_t. */
enum { OG_LATCH_OFF, OG_LATCH_DAY, OG_LATCH_RESUMED };
static const char *const og_latch_choices[] = { "off", "day", "until-resumed", NULL };
#define OG_LATCHES_BY(field)                                                                                    \
    {                                                                                                           \
        .key = "latch", OG_CHOICE(field), .fallback = "off", .choices = og_latch_choices,                       \
        .tighter = OG_TIGHTER_HIGHER,                                                                           \
        .help = "whether a limit that is exceeded trips a latch, by which orders stay refused also when it is " \
                "exceeded no longer: until the next session day, or until `ordergate resume --latch`"           \
    }

/* Returns the latch that refuses orders under a limit of `most`; NULL if none does. The setting `latch` only says
 * whether the limit trips its latch: a latch that is tripped, by an earlier policy or another sender, refuses until it
 * is resumed, so that nobody resumes by removing the setting. */
static inline const struct og_latch *og_case_latched(const struct og_case *c, enum og_latch_kind kind,
                                                     struct og_money most)
{
    const struct og_latch *l;

    if (!og_facts_has_latch(c->facts))
        return NULL;
    l = og_facts_latched_at(c->facts, kind, c->now);
    return l && og_latch_covers(l, most, false) ? l : NULL;
}

/* The message of a reason that is a latch; og_find_latched() makes the finding.  share: the latch's value is in basis
 * points. */
#define OG_SAYS_LATCHED                                                                    \
    .says = "the latch '{0}' is tripped {4}: {2} was seen, the desk allows {3} (at {1}); " \
            "ordergate resume --latch {0} --reason TEXT"
static inline __attribute__((cold)) void og_find_latched(struct og_sink *sink, const struct og_reason *r,
                                                         const char *field, const struct og_latch *l, bool share)
{
    const struct og_time_text at = og_time_text(l->at_ns);

    OG_FIND(sink, r, field, og_a_text(l->name), og_a_text(l->at_ns == OG_TIME_UNKNOWN ? "an unknown time" : at.s),
            share ? og_a_bps(og_money_floor(l->value)) : og_a_money(l->value),
            share ? og_a_bps(og_money_floor(l->limit)) : og_a_money(l->limit),
            og_a_text(l->until_resumed ? "until somebody resumes" : "until the next session day"));
}

/* The highest value that can be set; it means "no limit". */
#define OG_UNLIMITED       INT64_C(1000000000)
#define OG_UNLIMITED_TEXT  "1000000000"
#define OG_UNLIMITED_MONEY "1000000000000"
/* Settings for the greatest number (of shares, orders and the like), and for the greatest amount, that the desk
 * allows; without a value, any number or amount is allowed. */
#define OG_MOST_INT(field, least_)                                                              \
    OG_INT(field), .fallback = OG_UNLIMITED_TEXT, .least = (least_), .most = OG_UNLIMITED_TEXT, \
                   .tighter = OG_TIGHTER_LOWER
#define OG_MOST_MONEY(field)                                                                   \
    OG_MONEY(field), .fallback = OG_UNLIMITED_MONEY, .least = "0", .most = OG_UNLIMITED_MONEY, \
                     .tighter = OG_TIGHTER_LOWER

/* The levels of a reason about a limit of the desk's own; the limit comes from the policy. */
#define OG_SET_BY_DESK .level = OG_LEVEL_REFUSE, .undecided = OG_LEVEL_WARN, .where = "policy"

static inline bool og_is_unlimited(struct og_money m)
{
    return m.scale == 0 && m.coef >= INT64_C(1000000000000);
}

static inline bool og_limit_passes(const struct og_case *c, int32_t exits)
{
    return exits == OG_EXITS_PASS && og_case_reduces(c);
}

/* Returns true for an order of stock, or of one contract, that has a side and a symbol. */
static inline bool og_case_is_single(const struct og_case *c)
{
    const struct og_order *o = c->order;

    return (o->security == OG_STOCK || o->security == OG_OPTION) && o->side != OG_SIDE_NONE && o->symbol.len;
}

/* Returns cents as dollars.  An amount too large for og_money, which exceeds every limit, becomes the largest
 * og_money. */
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

/* Returns what bounds the order's worth in addition to its own prices: a quote as fresh as the policy requires,
 * positions, and the order's legs. */
static inline struct og_market og_case_market(const struct og_case *c)
{
    return (struct og_market){ .facts = c->facts,
                               .quote = og_has(c, OG_FACT_QUOTE) ? c->quote : NULL,
                               .holding = c->holding,
                               .result = c->result,
                               .now = c->facts_at,
                               .quote_age = c->max_age[__builtin_ctz(OG_FACT_QUOTE)],
                               .reduces = og_case_reduces(c),
                               .slippage = c->slippage,
                               .opens = c->order->security == OG_MLEG ? og_case_opening_legs(c) : 0 };
}

/* Make an unsure finding for the reason that says why the order's worth is not known.  With a fresh quote the worth may
 * become known. */
static inline __attribute__((cold)) void og_unsure_worth(const struct og_case *c, struct og_sink *sink,
                                                         const struct og_reason *r, const char *field,
                                                         enum og_worth worth)
{
    const struct og_order *o = c->order;

    if (worth != OG_WORTH_NEEDS_QUOTE)
        og_unsure(sink, r, field, "the order has no price by which its worth could be computed");
    else if (o->security == OG_MLEG)
        og_unsure(sink, r, field,
                  og_order_wants_limit(o) ? "the order's loss is unbounded, so its worth depends on quotes of its legs"
                                          : "a spread without a limit has no price");
    else if (og_need(c, sink, r, OG_FACT_QUOTE, o->symbol, field))
        og_unsure(sink, r, field, o->side == OG_BUY ? "the quote has no ask" : "the quote has no bid");
}

/* Report which position or working order has no known value, and what would make the value known. root: only on the
 * underlying of this root; empty means any. */
static inline __attribute__((cold)) void og_unsure_held(const struct og_case *c, struct og_sink *sink,
                                                        const struct og_reason *r, const char *field,
                                                        struct og_str root)
{
    struct og_str symbol, id;
    bool legless;

    og_unsure(sink, r, field, "the value of a position or working order is not known");
    if (!og_facts_unpriced(c->facts, root, &symbol, &id, &legless))
        return;
    og_found_add(sink,
                 legless ? ": that of order '{1}' on {0}, which the list shows without its legs; it counts until it is "
                           "over: cancel it"
                 : id.len ? ": that of order '{1}' on {0}; a fresh quote of {0} makes it known, and so does a cancel"
                          : ": that of {0}; quotes of it, and of the legs of spreads on it, make it known",
                 (const struct og_arg[]){ og_a_str(symbol), og_a_str(id) }, 2);
}

/* Set *dollars to the order's worst-case worth (margin/notional.h). It is computed once, for the first rule that asks
 * for it. */
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

/* Set *cents to the order's worst-case worth; INT64_MAX if out of range.  If it does not return OG_WORTH_KNOWN, *cents
 * is a lower bound, and og_unsure_worth() reports why. */
static inline enum og_worth og_case_cents(const struct og_case *c, int64_t *cents)
{
    const bool known = c->worth->worst_is; /* the market was asked for this order already */
    struct og_market m;
    enum og_worth worth;

    if (og_order_is_bounded(c->order) && og_order_cents(c->order, NULL, c->worth, cents) == OG_WORTH_KNOWN)
        return OG_WORTH_KNOWN;
    *c->asked |= OG_FACT_QUOTE;
    if (!known)
        m = og_case_market(c);
    worth = og_order_cents(c->order, known ? NULL : &m, c->worth, cents);
    if (worth == OG_WORTH_TOO_LARGE)
        *cents = INT64_MAX;
    return worth == OG_WORTH_TOO_LARGE ? OG_WORTH_KNOWN : worth;
}

/* Set *dollars to the order's worst-case worth, a whole number of cents; returns as og_case_cents() does. */
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

/* Set *cents to the most that the order can trade for: its worst-case worth, and of a spread also what it brings, which
 * may be far more than it can lose.  Returns as og_case_cents() does. */
static inline enum og_worth og_case_traded(const struct og_case *c, int64_t *cents)
{
    const enum og_worth worth = og_case_cents(c, cents);
    struct og_market m;
    int64_t brings;

    if (c->order->security != OG_MLEG)
        return worth;
    m = og_case_market(c);
    if (og_spread_brings(c->order, &m, &brings) == OG_WORTH_TOO_LARGE)
        *cents = INT64_MAX;
    else if (brings > *cents)
        *cents = brings;
    return worth;
}

/* For a closing order of one symbol, set *cents to its worth as if it opened, since a part of it may open; for other
 * orders do as og_case_cents() does. */
static inline enum og_worth og_case_cents_opening(const struct og_case *c, int64_t *cents)
{
    struct og_own_worth apart = { .is = 0 };
    struct og_market m;
    enum og_worth worth;

    if (!og_case_reduces(c))
        return og_case_cents(c, cents);
    *c->asked |= OG_FACT_QUOTE;
    if (og_order_is_bounded(c->order)) /* the limit price bounds the worth, whether the order opens or closes */
        return og_case_cents(c, cents);
    m = og_case_market(c);
    m.reduces = false;
    worth = og_order_cents(c->order, &m, &apart, cents);
    if (worth == OG_WORTH_TOO_LARGE)
        *cents = INT64_MAX;
    return worth == OG_WORTH_TOO_LARGE ? OG_WORTH_KNOWN : worth;
}

/* Set *e to the exposure of a spread, unless the spread only reduces a position (margin/notional.h). An amount that is
 * out of range becomes INT64_MAX, and counts as known. */
void og_case_spread(const struct og_case *c, struct og_exposure *e);

/* Returns false if the order certainly uncovers nothing: no option is held short, no working order writes calls that
 * long ones may cover, and the order is not a spread of which one leg opens and another one sells. (The sold leg may be
 * the cover of a call that the opening leg writes.) */
static inline bool og_case_may_uncover(const struct og_case *c)
{
    const struct og_totals *t = og_facts_totals(c->facts);

    return t->written || t->calls_leaning ||
           (c->order->security == OG_MLEG && !(c->mleg->all_open && c->mleg->stock_leg < 0) &&
            og_order_may_open(c->order));
}
/* Set the options held short that the order uncovers, as og_facts_uncovers() does; if it is not known which these are,
 * set none. */
bool og_case_uncovers(const struct og_case *c, struct og_uncovered *filled, struct og_uncovered *waiting);
static inline bool og_case_sells_cover(const struct og_case *c)
{
    struct og_uncovered filled, waiting;

    return og_case_uncovers(c, &filled, &waiting);
}

/* Set *cents to what an order adds to exposure. An opening order adds its whole worth. A closing order adds two
 * amounts: (a) the worth of the excess, if it and the working closes together exceed the position, whichever of them
 * fills last; (b) the possible loss of the options that it uncovers, less the value with which the sold shares count.
 * shorts: only what is sold short. Returns the values of og_case_cents(); og_unsure_adds() reports why *cents is not
 * known. */
enum og_worth og_case_adds(const struct og_case *c, bool shorts, og_wide *cents);
/* What the order itself adds, by side, in cents. */
struct og_adds {
    og_wide longs, shorts;
    enum og_worth is, shorts_is; /* is: of both sides together */
};
struct og_adds og_case_adds_to(const struct og_case *c);
/* Returns true if an order that only reduces a position adds to exposure because it leaves written options uncovered
 * when it fills before all other working orders. If working orders have used up the limit, such an order exceeds it,
 * even if it adds nothing once they have filled. */
bool og_case_uncovers_alone(const struct og_case *c, bool shorts);

/* Make an unsure finding for the reason. It says why it is not known how much the order adds to exposure. */
static inline __attribute__((cold)) void og_unsure_adds(const struct og_case *c, struct og_sink *sink,
                                                        const struct og_reason *r, const char *field,
                                                        enum og_worth worth)
{
    if (worth == OG_WORTH_NEEDS_QUOTE && c->order->security == OG_MLEG && c->worth->worst_is == OG_WORTH_KNOWN)
        og_unsure(sink, r, field, "the worth of the legs depends on their quotes, which are not all known");
    else
        og_unsure_worth(c, sink, r, field, worth);
}
