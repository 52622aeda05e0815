/*
 * concentration (907): too much of the account is in one underlying, with its stock and every contract on it. Values
 * are computed as in rule exposure, and compared with the account's equity; if the equity is unknown, the rule cannot
 * decide.
 */
#include "rules/limit.h"
#include "rules/usage.h"

struct settings {
    int32_t most; /* the limit: basis points of the equity */
};

static const struct og_param params[] = {
    { .key = "most",
      OG_BPS(most),
      .fallback = "25%",
      .least = "0.01%",
      .most = "10000%",
      .tighter = OG_TIGHTER_LOWER,
      .help = "how much one underlying may be worth, in percent of the account's equity; binds exits only where "
              "they sell the cover of written options",
      .plausible = { .least = "0.5",
                     .most = "1000",
                     .why_low = "hardly any order is so small: a quarter is written 25%, not 0.25%",
                     .why_high = "no account can hold ten times its equity: a quarter is written 25%" } },
};

enum { R_EXCEEDED };

static const struct og_reason reasons[] = {
    [R_EXCEEDED] = { .id = "concentration-above-limit",
                     OG_SET_BY_DESK,
                     .says = "{0} would come to {1}, the desk allows {2} of the equity of {3}: {4}",
                     .help = "lower the quantity, or close other positions in it" },
};

#define FIELD "/orderQuantity"

static struct og_str underlying_of(const struct og_order *o)
{
    return o->occ.is ? o->occ.root : o->symbol;
}

/* Set *most to the limit in dollars.  Returns false if the account has no equity. */
static bool limit_of(const struct og_account *a, const struct settings *s, struct og_money *most)
{
    return a->has_equity && og_money_share(a->equity, s->most, most);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_reason *r = &reasons[R_EXCEEDED];
    struct og_str root = underlying_of(c->order);
    const struct og_account *a;
    struct og_money most;
    enum og_worth worth;
    og_wide sum, cents;
    int unpriced;

    if (!root.len || c->order->quantity == 0 || (og_case_reduces(c) && !og_case_sells_cover(c)) ||
        !og_need(c, sink, r, OG_FACT_ACCOUNT, (struct og_str){ 0 }, FIELD))
        return;
    a = og_facts_account(c->facts);
    if (!limit_of(a, s, &most)) {
        og_unsure(sink, r, FIELD, "the account has no equity");
        return;
    }
    worth = og_case_adds(c, false, &cents);
    if (og_case_reduces(c) && cents == 0 && !og_case_uncovers_alone(c, false))
        return;
    sum = og_facts_value_on(c->facts, root, &unpriced) + cents;
    if (og_cents_exceed(sum, most))
        OG_FIND(sink, r, FIELD, og_a_str(root), og_a_money(og_dollars(sum)), og_a_bps(s->most), og_a_money(a->equity),
                og_a_money(most));
    else if (og_case_reduces(c))
        return; /* an order that only reduces (here, a sale of cover) is not refused because facts are unknown */
    else if (worth != OG_WORTH_KNOWN)
        og_unsure_adds(c, sink, r, FIELD, worth);
    else if (og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, FIELD) &&
             og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, FIELD) && unpriced)
        og_unsure_held(c, sink, r, FIELD, root);
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    const struct og_account *a = og_facts_account(u->facts);
    struct og_limit_use use = { .setting = "most",
                                .of = OG_USAGE_UNDERLYING,
                                .reads = OG_FACT_ACCOUNT | OG_FACT_POSITIONS | OG_FACT_ORDERS };
    int unpriced = 0;

    use.unknown = !a || !limit_of(a, settings, &use.allowed);
    OG_EACH_NAME(i, u->underlyings)
    {
        use.name = og_use_name(u->underlying, u->underlyings, i);
        og_use_cents(u, use, use.name.len ? og_facts_value_on(u->facts, use.name, &unpriced) : 0, unpriced);
    }
}

const struct og_rule og_rule_concentration = {
    OG_PARTS_OF_FILE(concentration),
    .id = "concentration",
    .summary = "too much of the account in one underlying",
    .because = "losses in one underlying should not ruin the account",
    .stage = OG_STAGE_ACCOUNT,
    .limit = true,
    .counts = true,
    .counts_working = true,
    .reads = OG_FACT_ACCOUNT | OG_FACT_POSITIONS | OG_FACT_ORDERS | OG_FACT_QUOTE,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
};
