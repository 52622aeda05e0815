/*
 * order-quantity-limit (902): more shares or contracts in one order than the desk allows.
 *
 * Of a spread its orderQuantity counts, not its legs.  It refuses to convert contracts to shares.
 */
#include "rules/limit.h"

#include "base/banned.h"

struct settings {
    int64_t shares, contracts;
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "shares",
      OG_INT(shares),
      .fallback = OG_UNLIMITED_TEXT,
      .least = "1",
      .most = OG_UNLIMITED_TEXT,
      .tighter = OG_TIGHTER_LOWER,
      .help = "how many shares one order may have; 1000000000: no limit" },
    { .key = "contracts",
      OG_INT(contracts),
      .fallback = OG_UNLIMITED_TEXT,
      .least = "1",
      .most = OG_UNLIMITED_TEXT,
      .tighter = OG_TIGHTER_LOWER,
      .help = "how many contracts or spreads one order may have; 1000000000: no limit" },
    OG_EXITS(exits),
    { .key = NULL },
};

enum { R_EXCEEDED };

static const struct og_reason reasons[] = {
    [R_EXCEEDED] = { .id = "quantity-above-limit",
                     .level = OG_LEVEL_REFUSE,
                     .says = "orderQuantity is {0}, the desk allows {1} {2} in one order",
                     .help = "split the order, or allow more in the policy",
                     .where = "policy" },
    { .id = NULL },
};

static OG_RARELY void check_exceeded(const struct og_case *c, int64_t most, int32_t exits, struct og_sink *sink)
{
    if (!og_limit_passes(c, exits))
        OG_FIND(sink, &reasons[R_EXCEEDED], "/orderQuantity", og_a_int(c->order->quantity), og_a_int(most),
                og_a_text(c->order->security == OG_STOCK ? "shares" : "contracts"));
}

static OG_OFTEN void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    int64_t most = c->order->security == OG_STOCK ? s->shares : s->contracts;

    if (most == OG_UNLIMITED)
        return;
    og_sized(c);
    if (c->order->quantity > most)
        check_exceeded(c, most, s->exits, sink);
}

const struct og_rule og_rule_order_quantity_limit = {
    .code = OG_CODE_order_quantity_limit,
    .id = "order-quantity-limit",
    .summary = "more shares or contracts in one order than the desk allows",
    .because = "a slipped zero should cost nothing",
    .stage = OG_STAGE_FORM,
    .local = true,
    .limit = true,
    .sizes = true,
    .settings_size = sizeof(struct settings),
    .params = params,
    .reasons = reasons,
    .check = check,
};
