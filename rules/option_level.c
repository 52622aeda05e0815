/*
 * option-level (402): the account's option approval against what the order needs (matrix.md "OPTION-LEVEL TABLE").
 *
 * Closing needs no approval.  What a write or a bought put needs depends on what is held; where any answer within the
 * bounds leads to the same finding, nothing is asked for.  Levels can vary by account, so all but level 0 is a warning.
 */
#include "rules/rule.h"

#include "margin/cover.h"

#include "base/banned.h"

enum { R_OFF, R_SHORT, R_DISAGREE };

static const struct og_reason reasons[] = {
    [R_OFF] = { .id = "options-not-enabled",
                .level = OG_LEVEL_REFUSE,
                .undecided = OG_LEVEL_WARN,
                .rank = OG_RANK_LIVE_ASYNC,
                .predicts = { .channel = OG_CHANNEL_ASYNC, .certainty = OG_READING },
                .says = "the account has option level 0, options are not enabled",
                .help = "ask the broker for option approval; an order that only closes needs none",
                .where = "C23, OL28" },
    [R_SHORT] = { .id = "option-level-insufficient",
                  .level = OG_LEVEL_WARN,
                  .undecided = OG_LEVEL_WARN,
                  .rank = OG_RANK_LIVE_ASYNC,
                  .predicts = { .channel = OG_CHANNEL_ASYNC, .certainty = OG_READING },
                  .says = "{0} needs option level {1}{2}, the account has {3}",
                  .help = "ask the broker for the level, or cover the order with shares, contracts or cash",
                  .where = "C23, OL4-OL25" },
    [R_DISAGREE] = { .id = "account-option-level-disagree",
                     .level = OG_LEVEL_WARN,
                     .undecided = OG_LEVEL_OFF,
                     .says = "optLevel is {0} and optionTradingLevel is {1}: the smaller is used",
                     .help = "the two are documented as one value; ask the broker which holds",
                     .where = "C14" },
    { .id = NULL },
};

/* What an order needs: between least and most, whatever is held. */
struct need {
    int least, most;
    const char *what;
};

static const struct need nothing = { 0, 0, "" };

static struct need single_need(const struct og_order *o)
{
    bool call = o->occ.type == 'C';

    if (!o->occ.is)
        return nothing; /* not a contract: other rules say so */
    if (o->side == OG_BUY)
        return call ? (struct need){ 2, 2, "a long call" } : (struct need){ 1, 2, "a long put" };
    if (o->side == OG_SELL)
        return call ? (struct need){ 1, 4, "a call written" } : (struct need){ 1, 4, "a put written" };
    return nothing;
}

static struct need mleg_need(const struct og_mleg *m)
{
    bool naked_shape = (m->strategy == OG_STRADDLE || m->strategy == OG_STRANGLE) && m->net == OG_CREDIT;

    if (m->strategy == OG_STRATEGY_NONE)
        return nothing;
    if (m->mixed_open_close)
        return (struct need){ 3, 4, "a roll in one multi-leg order" };
    if (naked_shape)
        return (struct need){ 3, 4, "a short straddle or strangle" };
    if (m->strategy == OG_COVERED_CALL)
        return (struct need){ 3, 3, "a covered call as one multi-leg order (by name level 1)" };
    if (m->strategy == OG_MARRIED_PUT)
        return (struct need){ 3, 3, "a married put as one multi-leg order (by name level 1)" };
    return (struct need){ 3, 3, "a multi-leg order" };
}

static const char *const too_many = "more contracts are held on the underlying than are looked at";

/* Cash left beside the strikes of the puts already written pays this one's strike in full; with *why: cannot tell. */
static bool cash_secures(const struct og_facts *f, const struct og_occ *occ, int64_t contracts, const char **why)
{
    const struct og_account *a = og_facts_account(f);
    struct og_money reserved, left, needed;

    if (!a->has_available_cash)
        *why = "the account has no availableCash";
    else if (!og_facts_put_reserve(f, &reserved) || !og_money_sub(a->available_cash, reserved, &left))
        *why = "the cash that puts reserve is beyond counting";
    if (*why)
        return false;
    return og_put_secured_by(occ, contracts, &needed) && og_money_cmp(left, needed) >= 0;
}

/* A put bought protects shares that no call written needs and no other put protects. */
static int bought_put_level(const struct og_case *c, const char **why)
{
    struct og_str root = c->order->occ.root;
    struct og_cover calls, puts;

    if (!og_cover_of(c->facts, root, 'C', NULL, OG_COVER_AS_IS, &calls) ||
        !og_cover_of(c->facts, root, 'P', NULL, OG_COVER_AS_IS, &puts))
        *why = too_many;
    else if (calls.lots - calls.unpaired - puts.longs >= c->order->quantity)
        return 1;
    return 2;
}

static int written_level(const struct og_case *c, const char **why)
{
    const struct og_order *o = c->order;
    struct og_cover before, after;

    if (!og_cover_of(c->facts, o->occ.root, o->occ.type, NULL, OG_COVER_AS_IS, &before) ||
        !og_cover_of(c->facts, o->occ.root, o->occ.type, o, OG_COVER_FILLED, &after))
        *why = too_many;
    if (*why)
        return 4;
    if (o->occ.type == 'P') {
        if (cash_secures(c->facts, &o->occ, o->quantity, why))
            return 1;
        return after.unpaired == before.unpaired ? 3 : 4;
    }
    if (before.lots - before.unpaired >= o->quantity)
        return 1;
    return og_cover_naked_calls(&after) > og_cover_naked_calls(&before) ? 4 : 3;
}

static bool leg_covered(const struct og_case *c, const struct og_leg *leg, const char **why)
{
    const struct og_order *o = c->order;
    struct og_cover before, after;

    if (!og_cover_of(c->facts, leg->occ.root, leg->occ.type, o, OG_COVER_CLOSES, &before) ||
        !og_cover_of(c->facts, leg->occ.root, leg->occ.type, o, OG_COVER_FILLED, &after)) {
        *why = too_many;
        return false;
    }
    if (leg->occ.type == 'C')
        return og_cover_naked_calls(&after) == og_cover_naked_calls(&before);
    return after.unpaired == before.unpaired || cash_secures(c->facts, &leg->occ, leg->ratio * o->quantity, why);
}

/* Whether the opening sells stay covered once the order's closes are done. */
static int mleg_level(const struct og_case *c, const char **why)
{
    for (int i = 0; i < c->order->legs_kept; i++) {
        const struct og_leg *leg = &c->order->leg[i];

        if (leg->side == OG_SELL && leg->open_close == OG_OPEN && leg->occ.is && !leg_covered(c, leg, why))
            return 4;
    }
    return 3;
}

static int exact_level(const struct og_case *c, const char **why)
{
    if (c->order->security == OG_MLEG)
        return mleg_level(c, why);
    return c->order->side == OG_BUY ? bought_put_level(c, why) : written_level(c, why);
}

/* False when the account's level is not known: said for reason. */
static bool level_known(const struct og_case *c, struct og_sink *sink, const struct og_reason *reason,
                        const char *field, int *level)
{
    if (!og_need(c, sink, reason, OG_FACT_ACCOUNT, (struct og_str){ 0 }, field))
        return false;
    *level = og_option_level(og_facts_account(c->facts));
    if (*level < 0)
        og_unsure(sink, reason, field, "the account has no option level");
    return *level >= 0;
}

static void check_need(const struct og_case *c, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_SHORT];
    const char *field = c->order->security == OG_MLEG ? "/legs" : "/side", *why = NULL;
    struct need n = c->order->security == OG_MLEG ? mleg_need(c->mleg) : single_need(c->order);
    int level, needed = n.least;

    if (n.most == 0 || c->order->quantity == 0 || !level_known(c, sink, r, field, &level) || level >= n.most)
        return;
    if (level >= n.least) { /* what is held decides */
        if (!og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, field) ||
            !og_need(c, sink, r, OG_FACT_ORDERS, (struct og_str){ 0 }, field))
            return;
        needed = exact_level(c, &why);
        if (why)
            og_unsure(sink, r, field, why);
    }
    if (!why && level < needed)
        og_found_by_environment(c, OG_FIND(sink, r, field, og_a_text(n.what), og_a_int(needed),
                                           og_a_text(level < n.least && n.least < n.most ? " or more" : ""),
                                           og_a_int(level)));
}

static void check_enabled(const struct og_case *c, struct og_sink *sink)
{
    struct og_found *found;
    int level;

    /* a close asks under the reason that is skipped in silence: it needs no approval */
    if (!level_known(c, sink, &reasons[og_order_opens(c->order) ? R_OFF : R_DISAGREE], "/securityType", &level) ||
        level > 0)
        return;
    found = OG_FIND0(sink, &reasons[R_OFF], "/securityType");
    og_found_by_environment(c, found);
    if (!og_order_opens(c->order)) {
        found->natural = OG_LEVEL_INFO;
        found->predicts.channel = OG_CHANNEL_NONE;
    }
}

static void check_names(const struct og_case *c, struct og_sink *sink)
{
    const struct og_account *a;

    if (!og_need(c, sink, &reasons[R_DISAGREE], OG_FACT_ACCOUNT, (struct og_str){ 0 }, "account/optLevel"))
        return;
    a = og_facts_account(c->facts);
    if (a->opt_level >= 0 && a->option_trading_level >= 0 && a->opt_level != a->option_trading_level)
        OG_FIND(sink, &reasons[R_DISAGREE], "account/optLevel", og_a_int(a->opt_level),
                og_a_int(a->option_trading_level));
}

static void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    (void)settings;
    if (c->order->security != OG_OPTION && c->order->security != OG_MLEG)
        return;
    check_enabled(c, sink);
    check_names(c, sink);
    if (og_order_opens(c->order))
        check_need(c, sink);
}

const struct og_rule og_rule_option_level = {
    .code = OG_CODE_option_level,
    .id = "option-level",
    .summary = "the account's option approval does not reach the order",
    .because = "an option order above the account's approval is rejected, and an uncovered one can lose without bound",
    .stage = OG_STAGE_ACCOUNT,
    .securities = 1u << OG_OPTION | 1u << OG_MLEG,
    .reads = OG_FACT_ACCOUNT | OG_FACT_POSITIONS | OG_FACT_ORDERS,
    .reasons = reasons,
    .check = check,
};
