/*
 * day-loss (910): today's loss, or the fall from today's best, is more than the desk allows.  The P&L is the service's,
 * realised and unrealised. Today's best is the highest P&L that this gate read today or was given: `send` keeps it in
 * the ledger for later runs and other senders.  P&L is not computed here.  Orders that only reduce a position pass,
 * since they end the loss.  With `latch`, a limit that was exceeded once goes on refusing after the P&L has recovered.
 */
#include "rules/limit.h"
#include "rules/usage.h"

struct settings {
    struct og_money most, drawdown;
    int32_t of_equity, latch, exits;
};

#define ANY_SHARE      1000000 /* basis points; means "no limit" */
#define ANY_SHARE_TEXT "10000%"

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
    { .key = "of_equity",
      OG_BPS(of_equity),
      .fallback = ANY_SHARE_TEXT,
      .least = "0.01%",
      .most = ANY_SHARE_TEXT,
      .tighter = OG_TIGHTER_LOWER,
      .help = "how much may be lost today, in percent of the account's first equity of the day (sodEquity); 10000% "
              "means no limit",
      .plausible = { .least = "0.05", .why_low = "no desk trades to lose so little: three percent is written 3%" } },
    OG_LATCHES_BY(latch),
    OG_EXITS(exits),
};

enum { R_LOSS, R_DRAWDOWN, R_SHARE, R_LATCHED };

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
    [R_SHARE] = { .id = "day-loss-of-equity",
                  .level = OG_LEVEL_REFUSE,
                  .undecided = OG_LEVEL_WARN,
                  .says = "{0} was lost today, the desk allows {1} of the day's first equity of {2}",
                  .help = "only closing orders are accepted until tomorrow",
                  .where = "facts pnl" },
    [R_LATCHED] = { .id = "day-loss-latched",
                    .level = OG_LEVEL_REFUSE,
                    .undecided = OG_LEVEL_OFF,
                    OG_SAYS_LATCHED,
                    .help = "find out why; whoever is responsible resumes: ordergate resume --latch NAME --reason TEXT",
                    .where = "facts gate.latches" },
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

/* Returns true if the account's first equity of the day is known.  sink NULL: no finding is made if it is not. */
static bool need_equity(const struct og_case *c, struct og_sink *sink)
{
    if (!og_need(c, sink, &reasons[R_SHARE], OG_FACT_ACCOUNT, (struct og_str){ 0 }, "account/sodEquity"))
        return false;
    if (og_facts_account(c->facts)->has_sod_equity)
        return true;
    og_unsure(sink, &reasons[R_SHARE], "account/sodEquity", "the account has no sodEquity");
    return false;
}

/* Returns true if more was lost than the share of the equity. An amount out of range is exceeded by no loss. */
static bool exceeds_share(struct og_money lost, struct og_money equity, int32_t share)
{
    struct og_money most;

    return equity.coef <= 0 ? lost.coef > 0 : og_money_share(equity, share, &most) && og_money_cmp(lost, most) > 0;
}

static bool is_latched(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_latch *l = og_case_latched(c, OG_LATCH_LOSS, s->most), *share = NULL;

    if (!l)
        l = og_case_latched(c, OG_LATCH_DRAWDOWN, s->drawdown);
    if (!l)
        l = share = og_case_latched(c, OG_LATCH_LOSS_OF_EQUITY, og_money_from(s->of_equity));
    if (l)
        og_find_latched(sink, &reasons[R_LATCHED], FIELD, l, share);
    return l;
}

/* Set *lost to today's loss, below 0 if it is a gain; *fell to the fall of today's P&L from its highest.  Each returns
 * false if the amount is out of range. */
static bool loss_of(const struct og_pnl *pnl, struct og_money *lost)
{
    return og_money_sub(og_money_from(0), pnl->day, lost);
}
static bool fall_of(const struct og_pnl *pnl, struct og_money *fell)
{
    return og_money_sub(pnl->peak, pnl->day, fell);
}

static void check_pnl(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const bool loss = !og_is_unlimited(s->most), drawdown = !og_is_unlimited(s->drawdown),
               share = s->of_equity < ANY_SHARE;
    const struct og_pnl *pnl = pnl_of(c, &reasons[loss ? R_LOSS : drawdown ? R_DRAWDOWN : R_SHARE], sink);
    struct og_money lost, fell;

    if (!pnl || !loss_of(pnl, &lost))
        return;
    if (loss && og_money_cmp(lost, s->most) > 0)
        OG_FIND(sink, &reasons[R_LOSS], FIELD, og_a_money(lost), og_a_money(s->most));
    if (drawdown && fall_of(pnl, &fell) && og_money_cmp(fell, s->drawdown) > 0)
        OG_FIND(sink, &reasons[R_DRAWDOWN], FIELD, og_a_money(fell), og_a_money(pnl->peak), og_a_money(s->drawdown));
    if (share && lost.coef > 0 && need_equity(c, sink) &&
        exceeds_share(lost, og_facts_account(c->facts)->sod_equity, s->of_equity))
        OG_FIND(sink, &reasons[R_SHARE], FIELD, og_a_money(lost), og_a_bps(s->of_equity),
                og_a_money(og_facts_account(c->facts)->sod_equity));
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;

    if ((og_is_unlimited(s->most) && og_is_unlimited(s->drawdown) && s->of_equity >= ANY_SHARE) ||
        og_limit_passes(c, s->exits))
        return;
    if (!is_latched(c, s, sink))
        check_pnl(c, s, sink);
}

/* Returns the loss in basis points of the equity, rounded up, so that it is above each share that the loss exceeds. */
static struct og_money loss_in_shares(struct og_money lost, struct og_money equity)
{
    int32_t low = 0, high = INT32_MAX;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;

        if (exceeds_share(lost, equity, middle))
            low = middle + 1;
        else
            high = middle;
    }
    return og_money_from(low);
}

static void trips(const struct og_facts *f, const void *settings, struct og_trips *to)
{
    const struct settings *s = settings;
    const bool until_resumed = s->latch == OG_LATCH_RESUMED;
    const struct og_pnl *pnl = og_facts_pnl(f);
    const struct og_account *account = og_facts_account(f);
    struct og_money lost, fell;

    if (s->latch == OG_LATCH_OFF || !pnl || !pnl->has_day || !loss_of(pnl, &lost))
        return;
    if (!og_is_unlimited(s->most) && og_money_cmp(lost, s->most) > 0)
        og_trip(to, OG_LATCH_LOSS, lost, s->most, until_resumed);
    if (!og_is_unlimited(s->drawdown) && fall_of(pnl, &fell) && og_money_cmp(fell, s->drawdown) > 0)
        og_trip(to, OG_LATCH_DRAWDOWN, fell, s->drawdown, until_resumed);
    if (s->of_equity < ANY_SHARE && account && account->has_sod_equity &&
        exceeds_share(lost, account->sod_equity, s->of_equity))
        og_trip(to, OG_LATCH_LOSS_OF_EQUITY, loss_in_shares(lost, account->sod_equity), og_money_from(s->of_equity),
                until_resumed);
}

static void usage(const struct og_usage_case *u, const void *settings)
{
    const struct settings *s = settings;
    const struct og_pnl *pnl = og_facts_pnl(u->facts);
    const struct og_account *a = og_facts_account(u->facts);
    struct og_limit_use use = { .of = OG_USAGE_ACCOUNT, .unit = OG_UNIT_DOLLARS, .reads = OG_FACT_PNL };
    struct og_money fell;
    const bool has = pnl && pnl->has_day && loss_of(pnl, &use.used), has_fall = has && fall_of(pnl, &fell);

    use.setting = "most";
    use.allowed = s->most;
    use.unknown = !has;
    if (!og_is_unlimited(s->most))
        og_use_put(u, &use);
    use.setting = "of_equity";
    use.reads = OG_FACT_PNL | OG_FACT_ACCOUNT;
    use.unknown = !has || !a || !a->has_sod_equity || !og_money_share(a->sod_equity, s->of_equity, &use.allowed);
    if (s->of_equity < ANY_SHARE)
        og_use_put(u, &use);
    use.setting = "drawdown";
    use.reads = OG_FACT_PNL;
    use.unknown = !has_fall;
    use.used = has_fall ? fell : use.used;
    use.allowed = s->drawdown;
    if (!og_is_unlimited(s->drawdown))
        og_use_put(u, &use);
}

const struct og_rule og_rule_day_loss = {
    OG_PARTS_OF_FILE(day_loss),
    .id = "day-loss",
    .summary = "more was lost today than the desk allows",
    .because = "trading should stop before one day's losses become too large",
    .stage = OG_STAGE_ACCOUNT,
    .limit = true,
    .reads = OG_FACT_PNL | OG_FACT_ACCOUNT,
    .trips = trips,
    OG_SETTINGS_OF_FILE,
    .usage = usage,
};
