/*
 * stop-price (109): whether the stop is present, positive, and on the correct side of the market: a buy stop above, a
 * sell stop below. A stop on the wrong side of both bid and ask is certainly rejected (R118). For a stop between bid
 * and ask the service's document says nothing; we assume that it is rejected too. The stop of a spread is not compared,
 * since a spread has no quote.
 */
#include "rules/rule.h"

enum { R_MISSING, R_NOT_POSITIVE, R_SUB_PENNY, R_WRONG_SIDE, R_INVERTED };

#define PENNY  ((struct og_money){ 1, 2 })
#define DOLLAR ((struct og_money){ 1, 0 })

static const struct og_reason reasons[] = {
    [R_MISSING] = { .id = "stop-price-missing",
                    .level = OG_LEVEL_REFUSE,
                    OG_PREDICTS(PRICE, REJECTED, READING),
                    .predicts.code = "R88",
                    .predicts.codes = { "R88", "R145" },
                    .says = "stopPrice is missing on a {0} order",
                    .where = "Q18, S8, CON-19" },
    [R_NOT_POSITIVE] = { .id = "stop-price-not-positive",
                         .level = OG_LEVEL_REFUSE,
                         OG_PREDICTS(PRICE, REJECTED, READING),
                         .predicts.code = "R88",
                         .predicts.codes = { "R88", "R145" },
                         .says = "stopPrice is {0}, it must be above 0",
                         .where = "Q18, S8, CON-19" },
    [R_SUB_PENNY] = { .id = "stop-price-sub-penny",
                      .level = OG_LEVEL_WARN,
                      .predicts = OG_NOT_STATED,
                      .says = "stopPrice is {0}, stocks at 1.00 or above take 2 decimals",
                      .help = "the service says so of limitPrice only; whether it rejects a stop is not stated",
                      .where = "Q17" },
    [R_WRONG_SIDE] = { .id = "stop-wrong-side-of-quote",
                       .level = OG_LEVEL_REFUSE,
                       .undecided = OG_LEVEL_WARN,
                       OG_PREDICTS(LIVE_ASYNC, ASYNC, STATED),
                       .predicts.code = "R118",
                       .says = "{0} stop {1} is not {2} the market, which is {3} bid, {4} ask",
                       .help = "a buy stop must be above the ask, a sell stop below the bid; on live the service "
                               "rejects the order and adds INVALID to its clientOrderId",
                       .where = "Y43, Q39" },
    [R_INVERTED] = { .id = "stop-limit-inverted",
                     .level = OG_LEVEL_INFO,
                     .says = "limitPrice {0} is {1} stopPrice {2}: once triggered it may never fill",
                     .where = "Q18" },
};

static bool is_negative(const struct og_order *o)
{
    return o->field[OG_KEY_STOP_PRICE].text.s[0] == '-';
}

static void check_not_positive(const struct og_order *o, const char *field, struct og_sink *sink)
{
    struct og_found *found = OG_FIND(sink, &reasons[R_NOT_POSITIVE], field, og_a_str(o->field[OG_KEY_STOP_PRICE].text));

    if (o->security == OG_OPTION)
        found->predicts.certainty = OG_STATED;
    if (is_negative(o)) {
        found->predicts.code = found->predicts.codes[0] = "R145";
        found->predicts.codes[1] = "R88";
    }
}

/* Returns true if the stop may be absent: for a StopLimit spread the service uses the limit as the stop. */
static bool may_be_absent(const struct og_order *o)
{
    return o->security == OG_MLEG && o->type == OG_STOP_LIMIT && og_order_has(o, OG_KEY_LIMIT_PRICE);
}

static void check_missing(const struct og_order *o, const char *field, struct og_sink *sink)
{
    struct og_found *found;

    if (may_be_absent(o))
        return;
    found = OG_FIND(sink, &reasons[R_MISSING], field, og_a_text(og_order_type_name(o->type)));
    if (o->security == OG_OPTION)
        found->predicts.certainty = OG_STATED;
}

static void check_quote(const struct og_case *c, const char *field, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    bool buy = o->side == OG_BUY;
    const struct og_quote *q;
    struct og_found *found;
    /* near: the stop, compared with the side of the quote beyond which it must be; far: the stop, compared with the
     * side beyond which it is certainly rejected */
    int near, far;

    if (o->side == OG_SIDE_NONE || o->symbol.len == 0 || (o->security == OG_STOCK && o->occ.is))
        return; /* the quote is that of a contract: it does not apply to a stock order with the contract's symbol */
    if (!og_need(c, sink, &reasons[R_WRONG_SIDE], OG_FACT_QUOTE, o->symbol, field))
        return;
    q = c->quote;
    if (!q->has_bid || !q->has_ask) {
        og_unsure(sink, &reasons[R_WRONG_SIDE], field, "the quote has no bid or no ask");
        return;
    }
    near = buy ? og_price_cmp(q->ask, o->stop) : og_price_cmp(o->stop, q->bid);
    far = buy ? og_price_cmp(q->bid, o->stop) : og_price_cmp(o->stop, q->ask);
    if (near < 0)
        return;
    found = OG_FIND(sink, &reasons[R_WRONG_SIDE], field, og_a_text(buy ? "buy" : "sell"), og_a_money(o->stop),
                    og_a_text(buy ? "above" : "below"), og_a_money(q->bid), og_a_money(q->ask));
    if (far <= 0)
        found->predicts.certainty = OG_READING;
    if (og_case_is_paper(c))
        found->predicts.channel = OG_CHANNEL_REJECTED;
}

static void check_inverted(const struct og_order *o, struct og_sink *sink)
{
    int order;

    if (o->type != OG_STOP_LIMIT || !og_order_ok(o, OG_KEY_LIMIT_PRICE) || o->limit.coef <= 0)
        return;
    order = og_price_cmp(o->limit, o->stop);
    if ((o->side == OG_BUY && order < 0) || (o->side == OG_SELL && order > 0))
        OG_FIND(sink, &reasons[R_INVERTED], "/limitPrice", og_a_money(o->limit),
                og_a_text(order < 0 ? "below" : "above"), og_a_money(o->stop));
}

static void OG_COLD check_stop(const struct og_case *c, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_field *parsed = &o->field[OG_KEY_STOP_PRICE];
    const char *field = og_key_pointers[OG_KEY_STOP_PRICE];
    bool inexact = parsed->status == OG_TOO_LARGE || parsed->status == OG_TOO_FINE;

    if (parsed->status == OG_ABSENT)
        check_missing(o, field, sink);
    if (inexact && is_negative(o))
        check_not_positive(o, field, sink);
    if (parsed->status != OG_VALID)
        return;
    if (o->stop.coef <= 0) {
        check_not_positive(o, field, sink);
        return;
    }
    if (o->security == OG_STOCK && og_money_cmp(o->stop, DOLLAR) >= 0 && !og_money_is_multiple(o->stop, PENNY))
        OG_FIND(sink, &reasons[R_SUB_PENNY], field, og_a_str(parsed->text));
    if (o->security == OG_STOCK || o->security == OG_OPTION)
        check_quote(c, field, sink);
    check_inverted(o, sink);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    (void)settings;
    if (og_order_wants_stop(c->order))
        check_stop(c, sink);
}

const struct og_rule og_rule_stop_price = {
    OG_PARTS_OF_FILE(stop_price),
    .id = "stop-price",
    .summary = "stopPrice is missing, not positive, or on the wrong side of the market",
    .because = "the service rejects it, on live only after it was accepted and under another id",
    .stage = OG_STAGE_MARKET,
    .form = true,
    .reads = OG_FACT_QUOTE,
    .only = OG_TRAIT_ODD,
};
