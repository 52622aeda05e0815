/*
 * buying-power (403): what an opening order costs against what the account may still use.
 *
 * Notional only (margin/cost.h): stock, options bought, debit spreads, puts written in full.  What has no notional
 * model passes here, and is said.  bp comes less what accepted orders of this run reserve.
 */
#include "rules/rule.h"

#include "margin/cover.h"

#include "base/banned.h"

enum { R_EXCEEDED, R_PUT, R_OVERNIGHT, R_NOT_MODELLED };

static const struct og_reason reasons[] = {
    [R_EXCEEDED] = { .id = "buying-power-exceeded",
                     .level = OG_LEVEL_REFUSE,
                     .undecided = OG_LEVEL_WARN,
                     .rank = OG_RANK_LIVE_ASYNC,
                     .predicts = { .channel = OG_CHANNEL_REJECTED_OR_ASYNC, .certainty = OG_READING },
                     .says = "order costs {0}, buying power is {1}",
                     .help = "lower the quantity or the price, or free buying power by cancelling or closing",
                     .where = "C7, S5" },
    [R_PUT] = { .id = "cash-secured-put-buying-power",
                .level = OG_LEVEL_REFUSE,
                .undecided = OG_LEVEL_WARN,
                .rank = OG_RANK_LIVE_ASYNC,
                .predicts = { .channel = OG_CHANNEL_REJECTED_OR_ASYNC, .certainty = OG_STATED },
                .says = "put written needs {0} to be cash-secured, buying power is {1}",
                .help = "lower the quantity or the strike; without the cash a put needs option level 4",
                .where = "S5" },
    [R_OVERNIGHT] = { .id = "overnight-buying-power",
                      .level = OG_LEVEL_WARN,
                      .undecided = OG_LEVEL_OFF,
                      .says = "order costs {0}, overnight buying power is {1}",
                      .help = "an order that lasts beyond today may fill when only overnight buying power counts",
                      .where = "C16" },
    [R_NOT_MODELLED] = { .id = "buying-power-not-modelled",
                         .level = OG_LEVEL_INFO,
                         .predicts = OG_NOT_STATED,
                         .says = "what {0} takes of buying power is not modelled here",
                         .help = "the broker may reject it for buying power; its margin formula is not stated",
                         .where = "GAP-23" },
    { .id = NULL },
};

#define FIELD "/orderQuantity"

static struct og_arg cost_text(enum og_cost_kind kind, struct og_money cost)
{
    return kind == OG_COST_OUT_OF_RANGE ? og_a_text("more than can be counted") : og_a_money(cost);
}

static bool exceeds(enum og_cost_kind kind, struct og_money cost, struct og_money most)
{
    return kind == OG_COST_OUT_OF_RANGE || og_money_cmp(cost, most) > 0;
}

/* bp, or an unsure finding for reason. */
static const struct og_account *account_with_bp(const struct og_case *c, struct og_sink *sink,
                                                const struct og_reason *reason)
{
    const struct og_account *a;

    if (!og_need(c, sink, reason, OG_FACT_ACCOUNT, (struct og_str){ 0 }, FIELD))
        return NULL;
    a = og_facts_account(c->facts);
    if (a->has_bp)
        return a;
    og_unsure(sink, reason, FIELD, "the account has no bp");
    return NULL;
}

/* Shares sold short cover as many puts as they are hundreds. */
static bool short_stock_covers(const struct og_case *c)
{
    const struct og_holding *h = og_facts_holding(c->facts, c->order->occ.root);

    return h && og_money_floor(h->held_short) / 100 >= c->order->quantity;
}

static void check_put(const struct og_case *c, enum og_cost_kind kind, struct og_money cost, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_PUT];
    const struct og_account *a = account_with_bp(c, sink, r);

    if (!a || !exceeds(kind, cost, a->bp))
        return;
    if (og_option_level(a) >= 4) {
        OG_FIND(sink, &reasons[R_NOT_MODELLED], FIELD, og_a_text("a put written without the cash"));
        return;
    }
    if (og_option_level(a) < 0) {
        og_unsure(sink, r, FIELD, "the account has no option level");
        return;
    }
    if (og_need(c, sink, r, OG_FACT_POSITIONS, (struct og_str){ 0 }, FIELD) && !short_stock_covers(c))
        og_found_by_environment(c, OG_FIND(sink, r, FIELD, cost_text(kind, cost), og_a_money(a->bp)));
}

/* The order's cost once it is known; false when an unsure finding says why it is not. */
static bool priced(const struct og_case *c, struct og_sink *sink, enum og_cost_kind *kind, struct og_money *cost)
{
    const struct og_reason *r = &reasons[R_EXCEEDED];
    const struct og_order *o = c->order;

    if (*kind != OG_COST_NEEDS_QUOTE)
        return true;
    if (o->security == OG_MLEG) {
        og_unsure(sink, r, FIELD, "a spread without a limit has no price");
        return false;
    }
    if (!og_need(c, sink, r, OG_FACT_QUOTE, o->symbol, FIELD))
        return false;
    *kind = og_order_cost(o, c->mleg, c->quote, cost);
    if (*kind != OG_COST_NEEDS_QUOTE)
        return true;
    og_unsure(sink, r, FIELD, o->side == OG_BUY ? "the quote has no ask" : "the quote has no bid");
    return false;
}

static void check_cost(const struct og_case *c, enum og_cost_kind kind, struct og_money cost, struct og_sink *sink)
{
    const struct og_account *a = account_with_bp(c, sink, &reasons[R_EXCEEDED]);
    enum og_tif tif = c->order->tif;

    if (!a || !priced(c, sink, &kind, &cost))
        return;
    if (exceeds(kind, cost, a->bp))
        og_found_by_environment(c,
                                OG_FIND(sink, &reasons[R_EXCEEDED], FIELD, cost_text(kind, cost), og_a_money(a->bp)));
    else if ((tif == OG_GOOD_TILL_CANCEL || tif == OG_GTC_PLUS) && a->has_overnight_bp &&
             exceeds(kind, cost, a->overnight_bp))
        OG_FIND(sink, &reasons[R_OVERNIGHT], FIELD, cost_text(kind, cost), og_a_money(a->overnight_bp));
}

/* What kind of opening order the notional model has no word for; NULL: it has, or the order is not well formed. */
static const char *not_modelled(const struct og_case *c)
{
    const struct og_order *o = c->order;

    if (o->security == OG_OPTION && !og_order_has(o, OG_KEY_OPEN_CLOSE))
        return "an option order without openClose";
    if (o->quantity == 0 || !og_order_opens(o))
        return NULL;
    if (o->security == OG_OPTION && o->side == OG_SELL && o->occ.type == 'C')
        return "a call written";
    if (o->security == OG_MLEG && c->mleg->strategy != OG_STRATEGY_NONE && c->mleg->net != OG_DEBIT)
        return c->mleg->net == OG_CREDIT ? "a credit spread" : "a spread of unequal wings";
    return NULL;
}

static void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    struct og_money cost;
    enum og_cost_kind kind = og_order_cost(c->order, c->mleg, NULL, &cost);

    (void)settings;
    if (not_modelled(c))
        OG_FIND(sink, &reasons[R_NOT_MODELLED], FIELD, og_a_text(not_modelled(c)));
    if (kind == OG_COST_NONE || kind == OG_COST_NOT_MODELLED)
        return;
    if (c->order->security == OG_OPTION && c->order->side == OG_SELL)
        check_put(c, kind, cost, sink);
    else
        check_cost(c, kind, cost, sink);
}

const struct og_rule og_rule_buying_power = {
    .code = OG_CODE_buying_power,
    .id = "buying-power",
    .summary = "an opening order costs more than the account may use",
    .because = "the broker rejects what the account cannot pay, and the orders after it are then built on nothing",
    .stage = OG_STAGE_ACCOUNT,
    .reads = OG_FACT_ACCOUNT | OG_FACT_POSITIONS | OG_FACT_QUOTE,
    .reasons = reasons,
    .check = check,
};
