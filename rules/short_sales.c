/*
 * short-sales (916): which stock the desk sells short (any, easy to borrow, none), and at what lowest price.  Checks
 * sells of stock that open, also as legs of a spread. A close of more than is held opens too, and is checked even if
 * other rules refuse it.  Stock of unknown borrow state does not count as easy to borrow.
 */
#include "rules/limit.h"

struct settings {
    int32_t allow;
    struct og_money least_price;
};

enum { ANY, EASY, NONE };
static const char *const allows[] = { "any", "easy", "none", NULL };

static const struct og_param params[] = {
    { .key = "allow",
      OG_CHOICE(allow),
      .fallback = "any",
      .choices = allows,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "which short sales may be opened; a sale that closes a long position is not one",
      OG_REFUSES({ .when = "order.securityType == \"Stock\" && order.action == \"Short\"", .choice = 2 },
                 { .when = "order.securityType == \"Stock\" && order.action == \"Short\" && !borrow.easy",
                   .choice = 1,
                   .unsure = true }) },
    { .key = "least_price",
      .each_order = true,
      OG_MONEY(least_price),
      .fallback = "0",
      .least = "0",
      .most = OG_UNLIMITED_MONEY,
      .tighter = OG_TIGHTER_HIGHER,
      .least_price =
          &(const struct og_least_price){ .security = OG_STOCK,
                                          .side = OG_SELL,
                                          .worth = OG_TIGHTER({ .key = "most", .rule = OG_PLACE_order_notional },
                                                              { .key = "short", .rule = OG_PLACE_exposure }),
                                          .below = OG_TIGHTER({ .key = "stock", .rule = OG_PLACE_price_floor }) },
      .help = "the least price at which stock is sold short, in dollars",
      OG_REFUSES({ .when = "order.securityType == \"Stock\" && order.action == \"Short\" && order.leastPrice < {}",
                   .unsure = true }),
      .plausible = { .most = "150",
                     .why_high = "most stocks are cheaper: it is the least price of a share, in dollars" } },
};

enum { R_NONE, R_EASY, R_PRICE };

static const struct og_reason reasons[] = {
    [R_NONE] = { .id = "short-barred",
                 .level = OG_LEVEL_REFUSE,
                 .says = "{0} would be sold short, the desk opens no shorts",
                 .help = "close what is held instead, or allow shorts in the policy",
                 .where = "policy" },
    [R_EASY] = { .id = "short-not-easy",
                 .level = OG_LEVEL_REFUSE,
                 .undecided = OG_LEVEL_WARN,
                 .says = "{0} is not easy to borrow, and the desk sells short only stock that is",
                 .help = "short something else, or allow it in the policy",
                 .where = "L6" },
    [R_PRICE] = { .id = "short-below-floor",
                  OG_SET_BY_DESK,
                  .says = "{0} would be sold short at {1}, the least allowed is {2}",
                  .help = "cheap stock is not sold short by this desk" },
};

/* Returns the index of a trade that sells stock short; -1 if none does. */
static int sold_short(const struct og_case *c)
{
    for (int i = 0; i < og_order_trades(c->order); i++)
        if (og_case_sells_short(c, i))
            return i;
    return -1;
}

/* Check the lowest price at which the stock can be sold: the order's limit, or the price by a quote if it has no limit.
 * A leg of a spread has no price of its own. */
static void check_price(const struct og_case *c, struct og_money least, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_reason *r = &reasons[R_PRICE];
    struct og_money price;
    enum og_worth known = og_order_least_price(o, og_has(c, OG_FACT_QUOTE) ? c->quote : NULL, &price);
    bool below = og_money_cmp(price, least) < 0;

    if (known == OG_WORTH_NEEDS_QUOTE && (price.coef == 0 || !below)) {
        if (og_need(c, sink, r, OG_FACT_QUOTE, o->symbol, "/side"))
            og_unsure(sink, r, "/side", "the quote has no bid");
    } else if (known != OG_WORTH_NONE && known != OG_WORTH_TOO_LARGE && below) {
        OG_FIND(sink, r, "/side", og_a_str(o->symbol), og_a_money(price), og_a_money(least));
    }
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_order *o = c->order;
    struct og_str symbol;
    const char *field;
    int i;

    if (o->side == OG_BUY || og_case_reduces(c) || (i = sold_short(c)) < 0)
        return;
    symbol = og_order_trade(o, i).symbol;
    field = o->security == OG_MLEG ? og_leg_pointer(i, OG_LEG_SIDE) : "/side";
    if (s->allow == NONE)
        OG_FIND(sink, &reasons[R_NONE], field, og_a_str(symbol));
    else if (s->allow == EASY && og_need(c, sink, &reasons[R_EASY], OG_FACT_BORROW, symbol, field) &&
             !og_facts_borrow(c->facts, symbol)->easy)
        OG_FIND(sink, &reasons[R_EASY], field, og_a_str(symbol));
    if (s->least_price.coef > 0 && o->security == OG_STOCK)
        check_price(c, s->least_price, sink);
}

const struct og_rule og_rule_short_sales = {
    OG_PARTS_OF_FILE(short_sales),
    .id = "short-sales",
    .summary = "a short sale the desk does not make",
    .because = "a short can lose without bound, and a borrow can be called",
    .stage = OG_STAGE_ACCOUNT,
    .securities = 1u << OG_STOCK | 1u << OG_MLEG,
    .limit = true,
    .counts = true,
    .reads = OG_FACT_BORROW | OG_FACT_QUOTE,
    OG_SETTINGS_OF_FILE,
};
