/*
 * position-limit (905): a position would grow beyond what the desk allows, in shares or contracts of one symbol.
 *
 * The worst case counts: what is held on the order's side and everything that works to open more of it.  It refuses to
 * count legs of spreads, which option-contracts does.
 */
#include "rules/limit.h"

#include "base/banned.h"

struct settings {
    int64_t shares, contracts;
};

static const struct og_param params[] = {
    { .key = "shares",
      OG_INT(shares),
      .fallback = OG_UNLIMITED_TEXT,
      .least = "0",
      .most = OG_UNLIMITED_TEXT,
      .tighter = OG_TIGHTER_LOWER,
      .help = "how many shares of one symbol may be held and coming, either side; "
              "1000000000: no limit; does not bind exits" },
    { .key = "contracts",
      OG_INT(contracts),
      .fallback = OG_UNLIMITED_TEXT,
      .least = "0",
      .most = OG_UNLIMITED_TEXT,
      .tighter = OG_TIGHTER_LOWER,
      .help = "how many of one contract may be held and coming, either side; 1000000000: "
              "no limit; does not bind exits" },
    { .key = NULL },
};

enum { R_EXCEEDED };

static const struct og_reason reasons[] = {
    [R_EXCEEDED] = { .id = "position-above-limit",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_WARN,
                     .says = "{0} of {1} would be held {2}, the desk allows {3}",
                     .help = "lower the quantity, or cancel what works on the same side",
                     .where = "policy" },
    { .id = NULL },
};

#define FIELD "/orderQuantity"

/* What is held and coming on the order's side, this order included.  false: beyond counting. */
static bool worst_case(const struct og_case *c, struct og_money *sum)
{
    const struct og_holding *h = c->holding;
    bool buys = c->order->side == OG_BUY;

    *sum = og_money_from(c->order->quantity);
    return !h || (og_money_add(*sum, buys ? h->held_long : h->held_short, sum) &&
                  og_money_add(*sum, buys ? h->opening_buy_leaves : h->opening_sell_leaves, sum));
}

static OG_OFTEN void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_reason *r = &reasons[R_EXCEEDED];
    int64_t most = c->order->security == OG_STOCK ? s->shares : s->contracts;
    struct og_money sum;

    if (most == OG_UNLIMITED || !og_case_is_single(c) || og_case_reduces(c))
        return;
    if (!worst_case(c, &sum))
        og_unsure(sink, r, FIELD, "what is held and working is beyond counting");
    else if (og_money_cmp(sum, og_money_from(most)) > 0)
        OG_FIND(sink, r, FIELD, og_a_money(sum), og_a_str(c->order->symbol),
                og_a_text(c->order->side == OG_BUY ? "long" : "short"), og_a_int(most));
    else if (og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, FIELD) &&
             og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, FIELD) && c->holding && c->holding->unsized)
        og_unsure(sink, r, FIELD, "the size of some working order is not known");
}

const struct og_rule og_rule_position_limit = {
    .code = OG_CODE_position_limit,
    .id = "position-limit",
    .summary = "a position would grow beyond what the desk allows",
    .because = "many small orders make a large position",
    .stage = OG_STAGE_ACCOUNT,
    .local = true,
    .limit = true,
    .reads = OG_FACT_POSITIONS | OG_FACT_ORDERS,
    .settings_size = sizeof(struct settings),
    .params = params,
    .reasons = reasons,
    .check = check,
};
