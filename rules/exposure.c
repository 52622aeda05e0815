/*
 * exposure (906): the account's gross or short exposure would exceed what the desk allows, in dollars.  Positions
 * count at their average price, at the session's opening price or at the last quote, whichever is highest; opening
 * orders, working ones too, at their worst-case worth (margin/notional.h).  Nothing is netted.  A spread counts at its
 * maximum loss, or at the quotes of its opening legs if that is more; short exposure counts the legs that it
 * sells to open.  Written options count at no less than what they can lose when their cover is taken into account; a
 * call without cover counts at its price.  So the sale of shares or of a long contract counts too if these cover a
 * written option, although it only reduces a position. Closes that exceed the position count at the price of the
 * dearest close that may open.  If the worth of any position or order is unknown, the rule cannot decide.
 */
#include "rules/limit.h"
#include "rules/usage.h"

struct settings {
    struct og_money gross, shorts;
};

static const struct og_param params[] = {
    { .key = "gross",
      OG_MOST_MONEY(gross),
      .help = "how much all positions and opening orders may be worth, in dollars; spreads count by their legs, "
              "written options by what they can lose; 1000000000000 means no limit; binds exits only where they sell "
              "the cover of written options",
      .plausible = { .least = "1000",
                     .why_low = "ten shares of an ordinary stock are worth more: the unit is dollars" } },
    { .key = "short",
      OG_MOST_MONEY(shorts),
      .idle_by = OG_TIGHTER({ .key = "gross", .rule = OG_PLACE_exposure }),
      .help =
          "how much positions and opening orders may be short, in dollars; 1000000000000 means no limit; binds exits "
          "only where they sell the cover of written options",
      .plausible = { .least = "500", .why_low = "one share of many stocks is worth more: the unit is dollars" } },
};

enum { R_GROSS, R_SHORT };

static const struct og_reason reasons[] = {
    [R_GROSS] = { .id = "gross-exposure-above-limit",
                  OG_SET_BY_DESK,
                  .says = "gross exposure would be {0}, the desk allows {1}",
                  .help = "close positions or cancel working orders first" },
    [R_SHORT] = { .id = "short-exposure-above-limit",
                  OG_SET_BY_DESK,
                  .says = "short exposure would be {0}, the desk allows {1}",
                  .help = "cover shorts or cancel working orders first" },
};

#define FIELD "/orderQuantity"

static void compare(const struct og_case *c, const struct og_reason *r, og_wide held, int unpriced,
                    struct og_money most, struct og_sink *sink)
{
    og_wide cents;
    const bool shorts = r == &reasons[R_SHORT];
    const enum og_worth worth = og_case_adds(c, shorts, &cents);

    if (og_case_reduces(c) && cents == 0 && !og_case_uncovers_alone(c, shorts))
        return;
    if (og_cents_exceed(held + cents, most))
        OG_FIND(sink, r, FIELD, og_a_money(og_dollars(held + cents)), og_a_money(most));
    else if (og_case_reduces(c))
        return; /* an order that only reduces (here, a sale of cover) is not refused because facts are unknown */
    else if (worth != OG_WORTH_KNOWN)
        og_unsure_adds(c, sink, r, FIELD, worth);
    else if (og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, FIELD) &&
             og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, FIELD) && unpriced)
        og_unsure_held(c, sink, r, FIELD, (struct og_str){ 0 });
}

/* Returns true if the order may sell short; a close of more than is held does too. */
static bool sells_short(const struct og_case *c)
{
    struct og_money opening;

    if (og_order_sells_short(c->order) || og_case_sells_cover(c))
        return true;
    for (int i = 0; i < og_order_trades(c->order); i++)
        if (og_order_trade(c->order, i).side == OG_SELL && (!og_case_opening(c, i, &opening) || opening.coef))
            return true;
    return false;
}

static inline og_wide gross_of(const struct og_beyond *t)
{
    return t->longs + t->shorts;
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    struct og_beyond t;
    bool gross = !og_is_unlimited(s->gross), shorts = !og_is_unlimited(s->shorts);

    if ((!gross && !shorts) || c->order->quantity == 0 || (og_case_reduces(c) && !og_case_sells_cover(c)))
        return;
    t = og_facts_exposure(c->facts);
    if (gross)
        compare(c, &reasons[R_GROSS], gross_of(&t), t.unpriced, s->gross, sink);
    if (shorts && sells_short(c))
        compare(c, &reasons[R_SHORT], t.shorts, t.unpriced_shorts, s->shorts, sink);
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    const struct settings *s = settings;
    const struct og_beyond t = og_facts_exposure(u->facts);
    struct og_limit_use use = { .of = OG_USAGE_ACCOUNT, .reads = OG_FACT_POSITIONS | OG_FACT_ORDERS };

    use.setting = "gross";
    use.allowed = s->gross;
    if (!og_is_unlimited(s->gross))
        og_use_cents(u, use, gross_of(&t), t.unpriced);
    use.setting = "short";
    use.allowed = s->shorts;
    if (!og_is_unlimited(s->shorts))
        og_use_cents(u, use, t.shorts, t.unpriced_shorts);
}

const struct og_rule og_rule_exposure = {
    OG_PARTS_OF_FILE(exposure),
    .id = "exposure",
    .summary = "gross or short exposure beyond what the desk allows",
    .because = "each order may be small and all of them together too much",
    .stage = OG_STAGE_ACCOUNT,
    .limit = true,
    .limits_size = OG_LIMITS_POSITIONS,
    .counts = true,
    .counts_working = true,
    .reads = OG_FACT_POSITIONS | OG_FACT_ORDERS | OG_FACT_QUOTE,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
};
