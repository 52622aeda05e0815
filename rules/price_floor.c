/*
 * price-floor (919): nothing is opened below a price.  The limit of a sell is the lowest price at which it fills.  A
 * buy may fill at any price below its limit, so a fresh quote is needed: the least of limit, stop, bid, ask and last
 * counts. If the buy's own price is below the floor, no quote is needed.  Orders that only reduce pass.  For a spread,
 * whose net price is not a price of its legs, each leg that may open is checked by its own quote, like a single order
 * at the market.
 */
#include "rules/limit.h"

struct settings {
    struct og_money stock, option;
};

static const struct og_param params[] = {
    { .key = "stock",
      .of_shares = true,
      .each_order = true,
      OG_MONEY(stock),
      .fallback = "0",
      .least = "0",
      .most = OG_UNLIMITED_MONEY,
      .tighter = OG_TIGHTER_HIGHER,
      .least_price =
          &(const struct og_least_price){ .security = OG_STOCK,
                                          .worth = OG_TIGHTER({ .key = "most", .rule = OG_PLACE_order_notional },
                                                              { .key = "gross", .rule = OG_PLACE_exposure }) },
      .help = "the lowest price at which stock may be opened, in dollars; for a leg of stock its quote counts; does "
              "not bind exits",
      OG_REFUSES({ .when = "order.securityType == \"Stock\" && order.leastPrice < {}",
                   .exits = OG_EXITS_ALWAYS_PASS,
                   .unsure = true,
                   .more = "order.securityType == \"Mleg\"" }),
      .plausible = { .most = "150",
                     .why_high = "most stocks are cheaper: it is the least price of a share, in dollars" } },
    { .key = "option",
      .each_order = true,
      OG_MONEY(option),
      .fallback = "0",
      .least = "0",
      .most = OG_UNLIMITED_MONEY,
      .tighter = OG_TIGHTER_HIGHER,
      .least_price =
          &(const struct og_least_price){ .security = OG_OPTION,
                                          .worth = OG_TIGHTER({ .key = "most", .rule = OG_PLACE_order_notional },
                                                              { .key = "gross", .rule = OG_PLACE_exposure }) },
      .help = "the lowest price at which options may be opened, in dollars; for legs their quotes count; does not bind "
              "exits",
      OG_REFUSES({ .when = "order.securityType == \"Option\" && order.leastPrice < {}",
                   .exits = OG_EXITS_ALWAYS_PASS,
                   .unsure = true,
                   .more = "order.securityType == \"Mleg\"" }),
      .plausible = { .most = "50", .why_high = "most contracts are cheaper: it is the price of one share's worth" } },
};

enum { R_BELOW };

static const struct og_reason reasons[] = {
    [R_BELOW] = { .id = "price-below-floor",
                  OG_SET_BY_DESK,
                  .says = "{0} would be opened at {1}, the least price allowed is {2}",
                  .help = "the desk opens nothing below this price" },
};

static void check_leg(const struct og_case *c, int i, const struct settings *s, struct og_sink *sink)
{
    const struct og_trade t = og_order_trade(c->order, i);
    const struct og_reason *r = &reasons[R_BELOW];
    const struct og_money least = t.occ->is ? s->option : s->stock;
    const char *field = og_leg_pointer(i, -1);
    const bool buy = t.side == OG_BUY;
    const struct og_quote *q;
    struct og_money opening;

    if (least.coef <= 0 || t.side == OG_SIDE_NONE || !t.symbol.len ||
        (og_case_opening(c, i, &opening) && opening.coef == 0) || !og_need(c, sink, r, OG_FACT_QUOTE, t.symbol, field))
        return;
    q = og_facts_quote(c->facts, t.symbol);
    if (!(buy ? q->has_ask : q->has_bid))
        og_unsure(sink, r, field, buy ? "the quote has no ask" : "the quote has no bid");
    else if (og_money_cmp(buy ? q->ask : q->bid, least) < 0)
        OG_FIND(sink, r, field, og_a_str(t.symbol), og_a_money(buy ? q->ask : q->bid), og_a_money(least));
}

static void check_single(const struct og_case *c, struct og_money least, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_reason *r = &reasons[R_BELOW];
    struct og_money price;
    const enum og_worth worth = og_order_least_price(o, og_has(c, OG_FACT_QUOTE) ? c->quote : NULL, &price);

    if (worth == OG_WORTH_NEEDS_QUOTE && (price.coef == 0 || og_money_cmp(price, least) >= 0)) {
        if (og_need(c, sink, r, OG_FACT_QUOTE, o->symbol, "/symbol"))
            og_unsure(sink, r, "/symbol", o->side == OG_BUY ? "the quote has no ask" : "the quote has no bid");
        return;
    }
    if ((worth == OG_WORTH_KNOWN || worth == OG_WORTH_NEEDS_QUOTE) && og_money_cmp(price, least) < 0)
        OG_FIND(sink, r, "/symbol", og_a_str(o->symbol), og_a_money(price), og_a_money(least));
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_order *o = c->order;
    const struct og_money least = o->security == OG_STOCK ? s->stock : s->option;

    if ((s->stock.coef <= 0 && s->option.coef <= 0) || og_case_reduces(c))
        return;
    if (o->security == OG_MLEG)
        for (int i = 0; i < og_order_trades(o); i++)
            check_leg(c, i, s, sink);
    else if (least.coef > 0 && og_case_is_single(c))
        check_single(c, least, sink);
}

const struct og_rule og_rule_price_floor = {
    OG_PARTS_OF_FILE(price_floor),
    .id = "price-floor",
    .summary = "something is opened below the least price",
    .because = "cheap stock may lose half its price in a day, and cheap options often expire worthless",
    .stage = OG_STAGE_MARKET,
    .limit = true,
    .counts = true,
    .reads = OG_FACT_QUOTE,
    OG_SETTINGS_OF_FILE,
};
