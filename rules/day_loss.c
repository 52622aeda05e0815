/*
 * day-loss (910): today's loss, or the fall from today's best, is more than the desk allows.  The P&L is the service's,
 * realised and unrealised. Today's best is the highest P&L that this gate read today or was given: `send` keeps it in
 * the ledger for later runs and other senders.  P&L is not computed here.  Orders that only reduce a position pass,
 * since they end the loss.
 */
#include "rules/limit.h"

struct settings {
    struct og_money most, drawdown;
    int32_t exits;
};

static const struct og_param params[] = {
    { .key = "most",
      OG_MOST_MONEY(most),
      .help =
          "how much may be lost today before orders that open are refused, in dollars; 1000000000000 means no limit",
      OG_REFUSES({ .when = "counters.dayPnl < -{}", .exits = OG_EXITS_BY_SETTING, .unsure = true }),
      .plausible = { .least = "5", .why_low = "the spread of one round trip costs more: the unit is dollars" } },
    { .key = "drawdown",
      OG_MOST_MONEY(drawdown),
      .help = "how far today's P&L may have fallen from the highest that was read today, in dollars; 1000000000000: "
              "no limit",
      OG_REFUSES({ .when = "counters.drawdown > {}", .exits = OG_EXITS_BY_SETTING, .unsure = true }),
      .plausible = { .least = "5", .why_low = "the spread of one round trip costs more: the unit is dollars" } },
    OG_EXITS(exits),
};

enum { R_LOSS, R_DRAWDOWN };

static const struct og_reason reasons[] = {
    [R_LOSS] = { .id = "day-loss-above-limit",
                 .level = OG_LEVEL_REFUSE,
                 .undecided = OG_LEVEL_WARN,
                 .says = "{0} was lost today, the desk allows {1}",
                 .help = "only closing orders are accepted until tomorrow",
                 .where = "facts pnl" },
    [R_DRAWDOWN] = { .id = "drawdown-above-limit",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_WARN,
                     .says = "today's P&L fell {0} from its highest of {1}, the desk allows {2}",
                     .help = "only closing orders are accepted until tomorrow",
                     .where = "facts pnl" },
};

#define FIELD "facts/pnl"

static const struct og_pnl *pnl_of(const struct og_case *c, const struct og_reason *r, struct og_sink *sink)
{
    const struct og_pnl *pnl;

    if (!og_need(c, sink, r, OG_FACT_PNL, (struct og_str){ 0 }, FIELD))
        return NULL;
    pnl = og_facts_pnl(c->facts);
    if (pnl->has_day)
        return pnl;
    og_unsure(sink, r, FIELD, "the P&L has no dayPnl");
    return NULL;
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    bool loss = !og_is_unlimited(s->most), drawdown = !og_is_unlimited(s->drawdown);
    const struct og_pnl *pnl;
    struct og_money lost;

    if ((!loss && !drawdown) || og_limit_passes(c, s->exits) ||
        !(pnl = pnl_of(c, &reasons[loss ? R_LOSS : R_DRAWDOWN], sink)))
        return;
    if (loss && og_money_sub(og_money_from(0), pnl->day, &lost) && og_money_cmp(lost, s->most) > 0)
        OG_FIND(sink, &reasons[R_LOSS], FIELD, og_a_money(lost), og_a_money(s->most));
    if (drawdown && og_money_sub(pnl->peak, pnl->day, &lost) && og_money_cmp(lost, s->drawdown) > 0)
        OG_FIND(sink, &reasons[R_DRAWDOWN], FIELD, og_a_money(lost), og_a_money(pnl->peak), og_a_money(s->drawdown));
}

const struct og_rule og_rule_day_loss = {
    OG_PARTS_OF_FILE(day_loss),
    .id = "day-loss",
    .summary = "more was lost today than the desk allows",
    .because = "trading should stop before one day's losses become too large",
    .stage = OG_STAGE_ACCOUNT,
    .limit = true,
    .reads = OG_FACT_PNL,
    OG_SETTINGS_OF_FILE,
};
