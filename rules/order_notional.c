/*
 * order-notional (903): an order is worth more than the desk allows.
 *
 * Price x quantity, x 100 for contracts and spreads: by the limit, else the stop, else a fresh quote (ask to buy, bid
 * to sell).  It refuses to guess: without a price it is unsure.
 */
#include "rules/limit.h"

#include "base/banned.h"

struct settings {
    struct og_money most;
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "most",
      OG_MONEY(most),
      .fallback = NULL,
      .least = "0",
      .most = NULL,
      .tighter = OG_TIGHTER_LOWER,
      .help = "how much one order may be worth, in dollars" },
    OG_EXITS(exits),
    { .key = NULL },
};

enum { R_EXCEEDED };

static const struct og_reason reasons[] = {
    [R_EXCEEDED] = { .id = "notional-above-limit",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_WARN,
                     .says = "order is worth {0}, the desk allows {1}",
                     .help = "lower the quantity or the price, or allow more in the policy",
                     .where = "policy" },
    { .id = NULL },
};

#define FIELD "/orderQuantity"

static void compare(enum og_worth worth, struct og_money dollars, struct og_money most, struct og_sink *sink)
{
    if (worth == OG_WORTH_TOO_LARGE)
        OG_FIND(sink, &reasons[R_EXCEEDED], FIELD, og_a_text("more than can be counted"), og_a_money(most));
    else if (worth == OG_WORTH_KNOWN && og_money_cmp(dollars, most) > 0)
        OG_FIND(sink, &reasons[R_EXCEEDED], FIELD, og_a_money(dollars), og_a_money(most));
}

/* A market order: by a fresh quote. */
static void check_by_quote(const struct og_case *c, struct og_money most, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    struct og_money dollars;
    enum og_worth worth;

    if (o->security == OG_MLEG) {
        og_unsure(sink, &reasons[R_EXCEEDED], FIELD, "a spread without a limit has no price");
        return;
    }
    if (!og_need(c, sink, &reasons[R_EXCEEDED], OG_FACT_QUOTE, o->symbol, FIELD))
        return;
    worth = og_order_notional(o, c->quote, &dollars);
    if (worth == OG_WORTH_NEEDS_QUOTE)
        og_unsure(sink, &reasons[R_EXCEEDED], FIELD,
                  o->side == OG_BUY ? "the quote has no ask" : "the quote has no bid");
    else
        compare(worth, dollars, most, sink);
}

/* Told without the normal form of what it is worth. */
static inline bool is_within(const struct og_order *o, struct og_money price, struct og_money most)
{
    int64_t shares = o->quantity * (o->security == OG_STOCK ? 1 : 100);

    return price.coef > 0 && !__builtin_mul_overflow(price.coef, shares, &price.coef) && og_money_cmp(price, most) <= 0;
}

static OG_APART void check_worth(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_quote *quote = og_has(c, OG_FACT_QUOTE) ? c->quote : NULL;
    struct og_money price, dollars;
    enum og_worth worth;

    if (og_order_price(c->order, quote, &price) == OG_WORTH_KNOWN && is_within(c->order, price, s->most))
        return;
    worth = og_order_notional(c->order, NULL, &dollars);
    if ((worth == OG_WORTH_KNOWN && og_money_cmp(dollars, s->most) <= 0) || og_limit_passes(c, s->exits))
        return;
    if (worth == OG_WORTH_NEEDS_QUOTE)
        check_by_quote(c, s->most, sink);
    else
        compare(worth, dollars, s->most, sink);
}

static OG_OFTEN void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;

    og_sized(c);
    if (!og_order_wants_limit(c->order) || !is_within(c->order, c->order->limit, s->most))
        check_worth(c, s, sink);
}

const struct og_rule og_rule_order_notional = {
    .code = OG_CODE_order_notional,
    .id = "order-notional",
    .summary = "an order is worth more than the desk allows",
    .because = "the size of a mistake is price times quantity",
    .stage = OG_STAGE_MARKET,
    .local = true,
    .limit = true,
    .sizes = true,
    .reads = OG_FACT_QUOTE,
    .settings_size = sizeof(struct settings),
    .params = params,
    .reasons = reasons,
    .check = check,
};
