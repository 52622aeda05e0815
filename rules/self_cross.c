/*
 * self-cross (915): the order would trade with a working order of the same account on the other side.  A limit order
 * crosses working limit orders at its price or a better one, and market orders; a market order crosses every order.  A
 * stop limit counts at its limit price, as if it had triggered.  A leg of a spread has no price of its own, so it
 * crosses what a market order would: as leg of the order every limit or market order on its symbol, and as leg of a
 * working spread every order of its symbol.  But the only leg that the order sells brings at least the order's net
 * credit, and does not meet buys below that.  Two spreads are not compared.
 *
 * A plain stop is a market order once the price has come to it.  By then market orders have filled, and limits between
 * the market and the stop.  So a sell stop may trade with buys whose limit is at or below it, a buy stop with sells
 * whose limit is at or above it, and both with legs of spreads.  Whether that happens depends on the market, so this is
 * a reason of its own, and a warning.
 *
 * For an order that only reduces a position each finding is at most a warning, unless `exits` is `bind`.
 */
#include "rules/limit.h"

struct settings {
    int32_t exits;
};

static const struct og_param params[] = {
    OG_EXITS(exits),
};

enum { R_CROSS, R_LEG, R_STOP };

static const struct og_reason reasons[] = {
    [R_CROSS] = { .id = "crosses-own-order",
                  .level = OG_LEVEL_REFUSE,
                  .undecided = OG_LEVEL_WARN,
                  .says = "{0} at {1} would meet our own {2} at {3}",
                  .help = "cancel that order first: a trade with oneself is a wash trade",
                  .where = "facts orders" },
    [R_LEG] = { .id = "leg-crosses-own-order",
                .level = OG_LEVEL_REFUSE,
                .undecided = OG_LEVEL_WARN,
                .says = "{0} {1} would meet our own {2}",
                .help = "cancel that order first: a leg of a spread may trade with a single order on its symbol",
                .where = "facts orders" },
    [R_STOP] = { .id = "stop-crosses-own-order",
                 .level = OG_LEVEL_WARN,
                 .undecided = OG_LEVEL_WARN,
                 .says = "{0} at {1} may meet our own {2} at {3} once the stop triggers",
                 .help = "cancel that order first, or set a limit beside the stop: a stop without one sells or buys at "
                         "any price once it triggers",
                 .where = "facts orders" },
};

static struct og_arg price_of(bool market, struct og_money limit)
{
    return market ? og_a_text("market") : og_a_money(limit);
}

/* Say which orders on the other side the finding is about. buys: the order, or its leg, buys. price: for the kinds of
 * working orders that have a price. */
static OG_COLD void name_them(const struct og_case *c, enum og_working_kind kind, struct og_str symbol, bool buys,
                              struct og_money price, struct og_sink *sink)
{
    const struct og_working_of of = { .kind = kind, .symbol = symbol, .side = buys ? OG_SELL : OG_BUY, .price = price };

    og_found_name(c, sink, &of, -1);
}

/* Report that a leg of a spread would trade with a single order. side, symbol: of the order or of its leg. */
static OG_COLD void find_leg(const struct og_case *c, const struct settings *s, enum og_side side, struct og_str symbol,
                             const char *other, const char *field, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_LEG];

    if (!og_need_orders(c, sink, r, field, true))
        return;
    OG_FIND(sink, r, field, og_a_text(side == OG_BUY ? "buying" : "selling"), og_a_str(symbol), og_a_text(other))
        ->exits_pass = s->exits == OG_EXITS_PASS;
    name_them(c, c->order->security == OG_MLEG ? OG_WORKING_NOW : OG_WORKING_LEG, symbol, side == OG_BUY,
              og_money_from(0), sink);
}

/* Report that the order may trade with a working order of this kind, where one of the two is a plain stop. buys: the
 * order, or its leg, buys.  price, other_price: the two orders' prices; NULL for a leg of a spread. */
static OG_COLD void find_stop(const struct og_case *c, const struct settings *s, struct og_str symbol, bool buys,
                              const struct og_money *price, enum og_working_kind kind,
                              const struct og_money *other_price, const char *field, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_STOP];
    const struct og_arg any = og_a_text("any price");
    const bool leg = kind == OG_WORKING_LEG;
    const char *other =
        buys ? (leg ? "leg of a spread that sells" : "sell") : (leg ? "leg of a spread that buys" : "buy");

    if (!og_need_orders(c, sink, r, field, true))
        return;
    OG_FIND(sink, r, field, og_a_text(buys ? "buying" : "selling"), price ? og_a_money(*price) : any, og_a_text(other),
            other_price ? og_a_money(*other_price) : any)
        ->exits_pass = s->exits == OG_EXITS_PASS;
    name_them(c, kind, symbol, buys, other_price ? *other_price : og_money_from(0), sink);
}

/* Compare the order with the plain stops of the other side that may still be working when the price comes to the
 * order's limit. */
static OG_NOINLINE void check_stops(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const bool buys = o->side == OG_BUY;
    struct og_money at;

    if (og_facts_nearest(c->holding, !buys, true, o->limit, &at))
        find_stop(c, s, o->symbol, buys, &o->limit, OG_WORKING_STOP, &at, "/limitPrice", sink);
}

/* Compare a plain stop with the orders of the other side. */
static OG_NOINLINE void check_stop(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_holding *h = c->holding;
    const bool buys = o->side == OG_BUY;
    struct og_money at;

    if (!og_order_ok(o, OG_KEY_STOP_PRICE))
        return;
    if (h && (buys ? h->limit_sells : h->limit_buys) && og_facts_nearest(h, !buys, false, o->stop, &at))
        find_stop(c, s, o->symbol, buys, &o->stop, OG_WORKING_LIMIT, &at, "/stopPrice", sink);
    else if (h && (buys ? h->leg_sells : h->leg_buys))
        find_stop(c, s, o->symbol, buys, &o->stop, OG_WORKING_LEG, NULL, "/stopPrice", sink);
    else if (!og_case_reduces(c) && og_need_orders(c, sink, &reasons[R_STOP], "/stopPrice", false) &&
             og_facts_has_legless(c->facts, o->occ.is ? o->occ.root : o->symbol))
        og_unsure(sink, &reasons[R_STOP], "/stopPrice", "it is not known what a working order trades");
}

/* Returns true if our own buys of this limit or lower cannot fill what a leg of the order sells. The only leg that is
 * sold in a spread for a credit brings at least that credit, as the others cost no less than nothing. */
static bool brings_more(const struct og_case *c, int leg, struct og_money buys_at)
{
    const struct og_order *o = c->order;

    if (c->mleg->net != OG_CREDIT || o->leg_count != o->legs_kept || !og_order_wants_limit(o) ||
        !og_order_ok(o, OG_KEY_LIMIT_PRICE) || o->leg[leg].ratio != 1)
        return false;
    for (int i = 0; i < o->legs_kept; i++)
        if (!o->leg[i].occ.is || (i != leg) != (o->leg[i].side == OG_BUY))
            return false;
    return og_money_cmp(buys_at, o->limit) < 0;
}

/* Returns true if the leg would trade with a single order of the other side that needs no stop to trigger. */
static bool meets(const struct og_case *c, int leg, const struct og_holding *h)
{
    if (c->order->leg[leg].side == OG_BUY)
        return h->limit_sells || h->market_sells;
    return h->market_buys || (h->limit_buys && !brings_more(c, leg, h->best_buy));
}

/* Compare the legs of the order with single orders. */
static OG_NOINLINE void check_spread(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    bool met = false;

    for (int i = 0; i < o->legs_kept; i++) {
        const struct og_leg *l = &o->leg[i];
        const struct og_holding *h = l->symbol.len ? og_facts_holding(c->facts, l->symbol) : NULL;
        const bool buys = l->side == OG_BUY;
        struct og_money at;

        if (!h || l->side == OG_SIDE_NONE)
            continue;
        if (meets(c, i, h)) {
            met = true;
            find_leg(c, s, l->side, l->symbol, buys ? "sell" : "buy", og_leg_pointer(i, OG_LEG_SYMBOL), sink);
        } else if ((buys ? h->stop_sells : h->stop_buys) &&
                   og_facts_nearest(h, !buys, true, og_money_from(buys ? 0 : INT64_MAX), &at)) {
            find_stop(c, s, l->symbol, buys, NULL, OG_WORKING_STOP, &at, og_leg_pointer(i, OG_LEG_SYMBOL), sink);
        }
    }
    if (!met && !og_case_reduces(c) && og_need_orders(c, sink, &reasons[R_LEG], "/legs", false) &&
        og_facts_has_unknown_symbol(c->facts))
        og_unsure(sink, &reasons[R_LEG], "/legs", "it is not known what a working order trades");
}

/* Compare an order of one symbol with the legs of working spreads. If working orders are not known, check() reports
 * that. */
static void check_legs(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_holding *h = c->holding;
    const bool buys = o->side == OG_BUY;

    if (h && (buys ? h->leg_sells : h->leg_buys))
        find_leg(c, s, o->side, o->symbol, buys ? "leg of a spread that sells" : "leg of a spread that buys", "/symbol",
                 sink);
    else if (og_has(c, OG_FACT_ORDERS) && !og_case_reduces(c) &&
             og_facts_has_legless(c->facts, o->occ.is ? o->occ.root : o->symbol))
        og_unsure(sink, &reasons[R_LEG], "/symbol", "it is not known what a working order trades");
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

    if (o->security == OG_MLEG)
        check_spread(c, s, sink);
    if (!og_case_is_single(c))
        return;
    if (o->type == OG_STOP)
        check_stop(c, s, sink);
    if (!market && (!og_order_wants_limit(o) || !og_order_ok(o, OG_KEY_LIMIT_PRICE)))
        return;
    check_legs(c, s, sink);
    if (h && !market && (buys ? h->stop_sells : h->stop_buys))
        check_stops(c, s, sink);
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
    name_them(c, markets ? OG_WORKING_MARKET : OG_WORKING_LIMIT, o->symbol, buys, best, sink);
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
