/*
 * order-notional (903): an order is worth more than the desk allows, in the worst case (margin/notional.h). A buy is
 * worth its limit; a sell the greatest of limit, stop and quote; a written put its strike less its limit; a spread its
 * maximum loss. A sale of what covers written options, even if it only reduces a position, is worth what these options
 * can then lose in addition. If only a quote bounds the worth and there is none, the rule is unsure, unless the order's
 * own prices already exceed the limit.
 */
#include "rules/limit.h"
#include "rules/worth.h"

struct settings {
    struct og_worth_settings is;
};

static const struct og_param params[] = {
    { .key = "most",
      .each_order = true,
      OG_MONEY(is.most),
      .fallback = NULL,
      .least = "0",
      .most = NULL,
      .tighter = OG_TIGHTER_LOWER,
      .idle_by = OG_TIGHTER({ .key = "gross", .rule = OG_PLACE_exposure, .shown = OG_STOCK }),
      .help = "how much one order may be worth, in dollars",
      OG_REFUSES({ .when = "order.notional > {}", .exits = OG_EXITS_BY_SETTING, .unsure = true }),
      .plausible = { .least = "500",
                     .why_low = "one share of many stocks and one contract of most options are worth more: the unit is "
                                "dollars" } },
    { .key = "slippage",
      OG_BPS(is.slippage),
      .fallback = "0%",
      .least = "0%",
      .most = "100%",
      .tighter = OG_TIGHTER_HIGHER,
      .shared = true,
      .help = "how far beyond the quote a market order or buy stop may fill, in percent; limits in dollars count the "
              "order at a price that is worse by this much" },
    OG_EXITS(is.exits),
};

enum { R_EXCEEDED };

static const struct og_reason reasons[] = {
    [R_EXCEEDED] = { .id = "notional-above-limit",
                     OG_SET_BY_DESK,
                     .says = "order is worth {0}, the desk allows {1}",
                     .help = "lower the quantity or the price, or allow more in the policy" },
};

#define FIELD "/orderQuantity"

static void compare(enum og_worth worth, struct og_money dollars, struct og_money most, struct og_sink *sink)
{
    if (worth == OG_WORTH_TOO_LARGE)
        OG_FIND(sink, &reasons[R_EXCEEDED], FIELD, og_a_text("more than can be counted"), og_a_money(most));
    else if (worth != OG_WORTH_NONE && og_money_cmp(dollars, most) > 0)
        OG_FIND(sink, &reasons[R_EXCEEDED], FIELD, og_a_money(dollars), og_a_money(most));
}

/* Returns true if price x quantity is within the limit; a quick test, which converts no amounts. */
static inline bool is_within(const struct og_order *o, struct og_money price, struct og_money most)
{
    int64_t shares = o->quantity * (o->security == OG_STOCK ? 1 : 100);

    return price.coef > 0 && !__builtin_mul_overflow(price.coef, shares, &price.coef) &&
           og_money_is_within(price, most);
}

/* Returns true if the order sells the cover of written options, and so raises what they can lose by more than the
 * limit. No single order may open so much risk, so none may uncover so much. */
static OG_NOINLINE bool leaves_too_much(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    struct og_uncovered filled, waiting;
    og_wide cents;

    (void)og_case_uncovers(c, &filled, &waiting);
    cents = filled.worth > waiting.worth ? filled.worth : waiting.worth;
    if (!og_cents_exceed(cents, s->is.most))
        return false;
    OG_FIND(sink, &reasons[R_EXCEEDED], FIELD, og_a_money(og_dollars(cents)), og_a_money(s->is.most));
    og_found_add(sink, ": it sells the cover of written options, which can then lose that much more", NULL, 0);
    return true;
}

static OG_HOT OG_NOINLINE void check_worth(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    struct og_money dollars;
    enum og_worth worth;

    if (og_limit_passes(c, s->is.exits))
        return;
    worth = og_case_worst(c, &dollars);
    if (worth == OG_WORTH_KNOWN && og_money_is_within(dollars, s->is.most))
        return;
    if (worth != OG_WORTH_NEEDS_QUOTE || og_money_cmp(dollars, s->is.most) > 0)
        compare(worth, dollars, s->is.most, sink);
    else
        og_unsure_worth(c, sink, &reasons[R_EXCEEDED], FIELD, worth);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;

    og_sized(c);
    if (og_case_may_uncover(c) && leaves_too_much(c, s, sink))
        return;
    if (!og_order_is_bounded(c->order) || !is_within(c->order, c->order->limit, s->is.most))
        check_worth(c, s, sink);
}

const struct og_rule og_rule_order_notional = {
    OG_PARTS_OF_FILE(order_notional),
    .id = "order-notional",
    .summary = "an order is worth more than the desk allows",
    .because = "the size of a mistake is price times quantity",
    .stage = OG_STAGE_MARKET,
    .limit = true,
    .limits_size = OG_LIMITS_ORDERS,
    .counts = true,
    .counts_working = true,
    .reads = OG_FACT_QUOTE | OG_FACT_POSITIONS | OG_FACT_ORDERS,
    OG_SETTINGS_OF_FILE,
};
