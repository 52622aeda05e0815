/*
 * order-quantity-limit (902): more shares or contracts in one order than the desk allows.  For a spread, its
 * orderQuantity counts, and also the shares of a stock leg.  Contracts are not converted to shares.
 */
#include "rules/limit.h"

struct settings {
    int64_t shares, contracts;
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "shares",
      .of_shares = true,
      .each_order = true,
      OG_MOST_INT(shares, "1"),
      .idle_by = OG_TIGHTER({ .key = "shares", .rule = OG_PLACE_position_limit, .shown = OG_STOCK }),
      .broker = { 1000000, OG_PLACE_order_quantity },
      .help = "how many shares one order may have; 1000000000 means no limit",
      OG_REFUSES(
          { .when = "order.securityType == \"Stock\" && order.orderQuantity > {} || order.securityType == \"Mleg\" && "
                    "order.legs.exists(l, !has(l.strike) && l.ratio * order.orderQuantity > {})",
            .exits = OG_EXITS_BY_SETTING }) },
    { .key = "contracts",
      .each_order = true,
      OG_MOST_INT(contracts, "1"),
      .broker = { 1000000, OG_PLACE_order_quantity },
      .help = "how many contracts or spreads one order may have; 1000000000 means no limit",
      OG_REFUSES(
          { .when = "order.securityType != \"Stock\" && order.orderQuantity > {}", .exits = OG_EXITS_BY_SETTING }) },
    OG_EXITS(exits),
};

enum { R_EXCEEDED };

static const struct og_reason reasons[] = {
    [R_EXCEEDED] = { .id = "quantity-above-limit",
                     OG_SET_BY_DESK,
                     .says = "{3} {0}, the desk allows {1} {2} in one order",
                     .help = "split the order, or allow more in the policy" },
};

static OG_COLD void check_exceeded(const struct og_case *c, int64_t quantity, int64_t most, int32_t exits,
                                   const char *what, struct og_sink *sink)
{
    if (!og_limit_passes(c, exits))
        OG_FIND(sink, &reasons[R_EXCEEDED], "/orderQuantity", og_a_int(quantity), og_a_int(most), og_a_text(what),
                og_a_text(quantity == c->order->quantity ? "orderQuantity is" : "the legs of stock come to"));
}

/* Returns the shares in a spread's stock legs. */
static OG_HOT int64_t shares_of(const struct og_order *o)
{
    int64_t shares = 0;

    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        shares += t.occ->is ? 0 : t.size;
    }
    return shares;
}

static OG_HOT OG_NOINLINE void check_sizes(const struct og_case *c, const struct settings *s, int64_t most,
                                           struct og_sink *sink)
{
    const struct og_order *o = c->order;
    int64_t shares;

    if (most != OG_UNLIMITED && o->quantity > most)
        check_exceeded(c, o->quantity, most, s->exits, o->security == OG_STOCK ? "shares" : "contracts", sink);
    if (o->security == OG_MLEG && s->shares != OG_UNLIMITED && (shares = shares_of(o)) > s->shares)
        check_exceeded(c, shares, s->shares, s->exits, "shares", sink);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_order *o = c->order;
    const int64_t most = o->security == OG_STOCK ? s->shares : s->contracts;

    if (most != OG_UNLIMITED)
        og_sized(c);
    if (o->quantity > most || o->security == OG_MLEG)
        check_sizes(c, s, most, sink);
}

const struct og_rule og_rule_order_quantity_limit = {
    OG_PARTS_OF_FILE(order_quantity_limit),
    .id = "order-quantity-limit",
    .summary = "more shares or contracts in one order than the desk allows",
    .because = "an order with a zero too many must not be sent",
    .stage = OG_STAGE_FORM,
    .limit = true,
    .limits_size = OG_LIMITS_ORDERS,
    .counts = true,
    OG_SETTINGS_OF_FILE,
};
