/*
 * price-collar (301): the limit is too far on the wrong side of the market.
 *
 * A buy far above the ask, or a sell far below the bid, fills at once and nowhere near what the sender saw; it is
 * nearly always a slipped decimal point.  Only that side is measured, and a limit exactly on the boundary passes.  It
 * refuses spreads, whose net price has no quote.
 */
#include "rules/rule.h"

#include "base/banned.h"

enum { WHOLE = 10000 }; /* basis points */

struct settings {
    int32_t away; /* basis points of the quote */
    int32_t quote;
};

enum { QUOTE_OPTIONAL, QUOTE_REQUIRED };
static const char *const quotes[] = { "optional", "required", NULL };

static const struct og_param params[] = {
    { .key = "away",
      OG_BPS(away),
      .fallback = "10%",
      .least = "0.01%",
      .most = "100%",
      .tighter = OG_TIGHTER_LOWER,
      .help = "how far beyond the ask a buy, or below the bid a sell, may be limited, in percent" },
    { .key = "quote",
      OG_CHOICE(quote),
      .fallback = "optional",
      .choices = quotes,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "whether a limit that no fresh quote can be held against is let through" },
    { .key = NULL },
};

enum { R_AWAY, R_NO_QUOTE, R_UNHELD };

static const struct og_reason reasons[] = {
    [R_AWAY] = { .id = "limit-away-from-quote",
                 .level = OG_LEVEL_WARN,
                 .undecided = OG_LEVEL_OFF,
                 .says = "limitPrice {0} is more than {1} {2} {3}",
                 .help = "compare with the market; the setting away allows more",
                 .where = "A15" },
    [R_NO_QUOTE] = { .id = "market-without-quote",
                     .level = OG_LEVEL_INFO,
                     .undecided = OG_LEVEL_OFF,
                     .ignorance = true,
                     .says = "market order without a quote of {0} to {1} at: what it costs has no bound",
                     .help = "give a quote in the facts, or send a limit order",
                     .where = "A15" },
    [R_UNHELD] = { .id = "limit-without-quote",
                   .level = OG_LEVEL_REFUSE,
                   .undecided = OG_LEVEL_REFUSE,
                   .ignorance = true,
                   .says = "no {0} of {1} to hold the limit against",
                   .help = "give fresh quotes in the facts, or let the policy do without",
                   .where = "A15" },
    { .id = NULL },
};

static bool is_bounded(const struct og_quote *q, enum og_side side)
{
    return q && (side == OG_BUY ? q->has_ask : q->has_bid);
}

/* A buy that may pay more than that, or a sell that may take less. */
static inline bool crosses(enum og_side side, struct og_money limit, struct og_money edge)
{
    return side == OG_BUY ? og_price_cmp(limit, edge) > 0 : og_price_cmp(limit, edge) < 0;
}

/* Beyond a share of the quote: of both ten thousand times as much, which needs no normal form, where that fits. */
static bool is_beyond(const struct og_order *o, struct og_money quote, int32_t bps)
{
    struct og_money limit = o->limit, edge = quote;

    if (!__builtin_mul_overflow(limit.coef, WHOLE, &limit.coef) && !__builtin_mul_overflow(edge.coef, bps, &edge.coef))
        return crosses(o->side, limit, edge);
    return og_money_share(quote, bps, &edge) && crosses(o->side, o->limit, edge);
}

/* Farther than that on the wrong side of the market. */
static inline bool is_away(const struct og_order *o, struct og_money quote, int32_t away)
{
    return crosses(o->side, o->limit, quote) && is_beyond(o, quote, o->side == OG_BUY ? WHOLE + away : WHOLE - away);
}

static inline struct og_money side_of(const struct og_quote *q, enum og_side side)
{
    return side == OG_BUY ? q->ask : q->bid;
}

static OG_APART void check_limit(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[s->quote == QUOTE_REQUIRED ? R_UNHELD : R_AWAY];
    const struct og_order *o = c->order;
    bool buy = o->side == OG_BUY;

    if (!og_need(c, sink, r, OG_FACT_QUOTE, o->symbol, "/limitPrice"))
        return;
    if (is_bounded(c->quote, o->side) && is_away(o, side_of(c->quote, o->side), s->away))
        OG_FIND(sink, &reasons[R_AWAY], "/limitPrice", og_a_money(o->limit), og_a_bps(s->away),
                og_a_text(buy ? "above the ask" : "below the bid"), og_a_money(side_of(c->quote, o->side)));
    else if (!is_bounded(c->quote, o->side) && s->quote == QUOTE_REQUIRED)
        OG_FIND(sink, r, "/limitPrice", og_a_text(buy ? "ask" : "bid"), og_a_str(o->symbol));
}

static void say_unbounded(struct og_str symbol, enum og_side side, struct og_sink *sink)
{
    OG_FIND(sink, &reasons[R_NO_QUOTE], "/orderType", og_a_str(symbol), og_a_text(side == OG_BUY ? "buy" : "sell"));
}

static OG_APART void check_market(const struct og_case *c, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    if (o->security != OG_MLEG) {
        if (o->symbol.len && o->side && !is_bounded(c->quote, o->side))
            say_unbounded(o->symbol, o->side, sink);
        return;
    }
    for (int i = 0; i < o->legs_kept; i++)
        if (o->leg[i].symbol.len && o->leg[i].side &&
            !is_bounded(og_facts_quote(c->facts, o->leg[i].symbol), o->leg[i].side)) {
            say_unbounded(o->leg[i].symbol, o->leg[i].side, sink);
            return;
        }
}

/* A fresh quote holds it, as most do, or there is none, and none is required. */
static inline bool is_fine(const struct og_case *c, const struct settings *s)
{
    const struct og_order *o = c->order;

    if (!og_has(c, OG_FACT_QUOTE))
        return s->quote == QUOTE_OPTIONAL;
    return is_bounded(c->quote, o->side) && !is_away(o, side_of(c->quote, o->side), s->away);
}

static OG_OFTEN void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    bool single = o->security == OG_STOCK || o->security == OG_OPTION;

    if (o->type == OG_MARKET)
        check_market(c, sink);
    else if (single && og_order_wants_limit(o) && og_order_ok(o, OG_KEY_LIMIT_PRICE) && o->side && o->symbol.len &&
             !is_fine(c, settings))
        check_limit(c, settings, sink);
}

const struct og_rule og_rule_price_collar = {
    .code = OG_CODE_price_collar,
    .id = "price-collar",
    .summary = "the limit is far on the wrong side of the market, or nothing bounds a market order",
    .because = "a limit that crosses the market by a wide margin fills at once, at a price nobody meant",
    .stage = OG_STAGE_MARKET,
    .local = true,
    .reads = OG_FACT_QUOTE,
    .settings_size = sizeof(struct settings),
    .params = params,
    .reasons = reasons,
    .check = check,
};
