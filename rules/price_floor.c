/*
 * price-floor (919): nothing is opened below a price.
 *
 * A sell's limit is the least it fills at.  A buy's limit is the most: it may fill at anything below, so that only a
 * fresh quote tells what it buys (the least of limit, stop, bid, ask and last counts); what is below the floor by its
 * own price is so without one.  Exits pass.  It refuses spreads, whose net is no price of anything.
 */
#include "rules/limit.h"

#include "base/banned.h"

struct settings {
    struct og_money stock, option;
};

static const struct og_param params[] = {
    { .key = "stock",
      OG_MONEY(stock),
      .fallback = "0",
      .least = "0",
      .most = OG_UNLIMITED_MONEY,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "the least price of stock that is opened, in dollars" },
    { .key = "option",
      OG_MONEY(option),
      .fallback = "0",
      .least = "0",
      .most = OG_UNLIMITED_MONEY,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "the least price of options that are opened, in dollars" },
    { .key = NULL },
};

enum { R_BELOW };

static const struct og_reason reasons[] = {
    [R_BELOW] = { .id = "price-below-floor",
                  .level = OG_LEVEL_REFUSE,
                  .undecided = OG_LEVEL_WARN,
                  .says = "{0} would be opened at {1}, the least price allowed is {2}",
                  .help = "the desk does not open what is so cheap",
                  .where = "policy" },
    { .id = NULL },
};

static OG_OFTEN void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_order *o = c->order;
    const struct og_reason *r = &reasons[R_BELOW];
    struct og_money least = o->security == OG_STOCK ? s->stock : s->option, price;
    enum og_worth worth;

    if (least.coef <= 0 || !og_case_is_single(c) || og_case_reduces(c))
        return;
    worth = og_order_least_price(o, og_has(c, OG_FACT_QUOTE) ? c->quote : NULL, &price);
    if (worth == OG_WORTH_NEEDS_QUOTE && (price.coef == 0 || og_money_cmp(price, least) >= 0)) {
        if (og_need(c, sink, r, OG_FACT_QUOTE, o->symbol, "/symbol"))
            og_unsure(sink, r, "/symbol", o->side == OG_BUY ? "the quote has no ask" : "the quote has no bid");
        return;
    }
    if ((worth == OG_WORTH_KNOWN || worth == OG_WORTH_NEEDS_QUOTE) && og_money_cmp(price, least) < 0)
        OG_FIND(sink, r, "/symbol", og_a_str(o->symbol), og_a_money(price), og_a_money(least));
}

const struct og_rule og_rule_price_floor = {
    .code = OG_CODE_price_floor,
    .id = "price-floor",
    .summary = "something is opened below the least price",
    .because = "cheap stock moves by halves, and cheap options go to nothing",
    .stage = OG_STAGE_MARKET,
    .local = true,
    .limit = true,
    .reads = OG_FACT_QUOTE,
    .settings_size = sizeof(struct settings),
    .params = params,
    .reasons = reasons,
    .check = check,
};
