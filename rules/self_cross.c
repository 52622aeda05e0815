/*
 * self-cross (915): the order would trade with a working order of the same account on the other side.  A limit order
 * crosses working limit orders at its price or a better one, and market orders; a market order crosses every order.
 * Stop orders are not in the market before they trigger, on either side.  For an order that only reduces a position the
 * finding is a warning, unless `exits` is `bind`.  Spreads are not compared, since their price is not the price of one
 * symbol.
 */
#include "rules/limit.h"

struct settings {
    int32_t exits;
};

static const struct og_param params[] = {
    OG_EXITS(exits),
};

enum { R_CROSS };

static const struct og_reason reasons[] = {
    [R_CROSS] = { .id = "crosses-own-order",
                  .level = OG_LEVEL_REFUSE,
                  .undecided = OG_LEVEL_WARN,
                  .says = "{0} at {1} would meet our own {2} at {3}",
                  .help = "cancel that order first: a trade with oneself is a wash trade",
                  .where = "facts orders" },
};

static struct og_arg price_of(bool market, struct og_money limit)
{
    return market ? og_a_text("market") : og_a_money(limit);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct settings *s = settings;
    const struct og_holding *h = c->holding;
    struct og_found *found;
    bool buys = o->side == OG_BUY, market = o->type == OG_MARKET, met = false;
    struct og_money best;
    int limits, markets, order;

    if (!og_case_is_single(c) || (!market && (o->type != OG_LIMIT || !og_order_ok(o, OG_KEY_LIMIT_PRICE))))
        return;
    limits = !h ? 0 : buys ? h->limit_sells : h->limit_buys;
    markets = !h ? 0 : buys ? h->market_sells : h->market_buys;
    if (limits || markets) {
        best = buys ? h->best_sell : h->best_buy;
        order = og_money_cmp(o->limit, best);
        met = markets || market || (buys ? order >= 0 : order <= 0);
    }
    if (!met && og_case_reduces(c)) /* an order that only reduces is not refused because the working orders are
                                     * unknown */
        return;
    if (!og_need_orders(c, sink, &reasons[R_CROSS], market ? "/orderType" : "/limitPrice", met) || !met)
        return;
    found =
        OG_FIND(sink, &reasons[R_CROSS], market ? "/orderType" : "/limitPrice", og_a_text(buys ? "buying" : "selling"),
                price_of(market, o->limit), og_a_text(buys ? "sell" : "buy"), price_of(markets > 0, best));
    found->exits_pass = s->exits == OG_EXITS_PASS;
}

const struct og_rule og_rule_self_cross = {
    OG_PARTS_OF_FILE(self_cross),
    .id = "self-cross",
    .summary = "the order would trade with one of our own",
    .because = "buying from oneself is a wash trade, whatever was meant",
    .stage = OG_STAGE_FLOW,
    .limit = true,
    .counts = true,
    .counts_working = true,
    .reads = OG_FACT_ORDERS,
    OG_SETTINGS_OF_FILE,
};
