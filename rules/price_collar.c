/*
 * price-collar (301): the limit is too far on the wrong side of the market.  A buy far above the ask, or a sell far
 * below the bid, fills at once at a price that nobody meant; usually a decimal point is misplaced.  Limits on the other
 * side are not checked, and a limit exactly at the boundary passes.  A doubtful quote (collar_quote.c) is used with a
 * wider collar. The last trade may bound the limit as well; cheap stock and the hours outside the session may have a
 * wider collar. The limit of a stop limit is measured from its stop, the market's price when it is triggered. The stop
 * has a wider bound of its own, and is compared with the limit where there is no quote. A market order has no limit:
 * the width of its market is checked. Spreads are in collar_spread.c.
 */
#include "rules/collar.h"

enum { WHOLE = 10000 };

struct settings {
    struct og_collar is;
};

enum { AGAINST_QUOTE, AGAINST_LAST_TOO };
static const char *const againsts[] = { "quote", "quote-and-last", NULL };

static const char *const quotes[] = { "optional", "required", NULL };

#define MAY_WIDEN(field)                                                                            \
    OG_BPS(is.field), .fallback = "0%", .least = "0%", .most = "100%", .tighter = OG_TIGHTER_LOWER, \
                      .finds = "limit-away-from-quote"

static const struct og_param params[] = {
    { .key = "away",
      OG_BPS(is.away),
      .fallback = "10%",
      .least = "0.01%",
      .most = "100%",
      .tighter = OG_TIGHTER_LOWER,
      .finds = "limit-away-from-quote",
      .help = "how far the limit of a buy may be above the ask, or that of a sell below the bid, in percent; the limit "
              "of a spread is compared with what its legs ask or bid together, and may also be beyond it by the width "
              "of that market; the limit of an order that only reduces may always be beyond the market by 0.05, or by "
              "0.01 for shares",
      .plausible = { .least = "0.1",
                     .most = "89",
                     .why_low = "one step of the price of a cheap stock is more: 5% is written 5%, not 0.05%",
                     .why_high = "even a price with a slipped decimal point passes" } },
    { .key = "stock_leg_away",
      OG_BPS(is.stock_leg_away),
      .fallback = "10%",
      .least = "0.01%",
      .most = "100%",
      .tighter = OG_TIGHTER_LOWER,
      .finds = "limit-away-from-quote",
      .help =
          "how far the limit of a spread with a leg of stock may be from what its legs ask or bid together, in "
          "percent, if that is less than `away`: such a spread moves like stock, however wide the collar of options "
          "is",
      .plausible = { .least = "0.1",
                     .most = "89",
                     .why_low = "one step of the price of a cheap stock is more: 5% is written 5%, not 0.05%",
                     .why_high = "even a price with a slipped decimal point passes" } },
    { .key = "stop_away",
      OG_BPS(is.stop_away),
      .fallback = "85%",
      .least = "0.01%",
      .most = "100%",
      .tighter = OG_TIGHTER_LOWER,
      .finds = "stop-away-from-market",
      .help =
          "how far a stop may be from the market, in percent of the higher of the two: at 85% a sell stop may not be "
          "below 15% of the bid, and a buy stop not above 6.6 times the ask; without a quote the stop of a stop "
          "limit is compared with its limit",
      .plausible = { .least = "5",
                     .why_low = "a stop waits away from the market: a few percent refuse the usual ones",
                     .most = "89",
                     .why_high = "even a stop with a slipped decimal point passes" } },
    { .key = "stale_away",
      OG_BPS(is.stale_away),
      .fallback = "50%",
      .least = "0.01%",
      .most = "1000%",
      .tighter = OG_TIGHTER_LOWER,
      .help =
          "how far a limit may be beyond a doubtful quote, in percent: one that is older than max_age allows, up to "
          "an hour of the session, or is dated up to 5 minutes ahead of the clock, or is crossed, or lacks the price "
          "to compare with, in whose place the last trade counts, or for a sell the ask if that is lower, and for a "
          "buy that opens the bid if there is one, even where it lags behind the market; by a crossed quote, what "
          "only reduces is compared with the middle one of bid, ask and last trade, or, without a last trade, with the "
          "one of bid and ask that allows more; where the quote has one price, and no last trade, a buy is compared "
          "with a bid and a sell with "
          "an ask, but what only reduces may go to 15% of the ask, or 6.6 times the bid, and may always sell at 0.05, "
          "or at 0.01 for shares; an option without a bid that a spread sells counts so too, and what only reduces has "
          "these wider bounds even by a last trade; it counts as worthless if its price is no more than 0.05, or 0.33 "
          "where the spread only reduces" },
    { .key = "widest",
      OG_BPS(is.widest),
      .fallback = "50%",
      .least = "0.01%",
      .most = "200%",
      .tighter = OG_TIGHTER_LOWER,
      .finds = "market-too-wide",
      .help =
          "how far the ask may be above the bid, in percent of their middle, where a market order or a stop without a "
          "limit opens; a market up to 0.10 wide always passes, of shares one up to 0.02; 200% is no bound",
      .plausible = { .least = "1",
                     .why_low = "the usual market of an option is wider",
                     .most = "150",
                     .why_high = "even an order that pays seven times the bid passes" } },
    { .key = "quote",
      OG_CHOICE(is.quote),
      .fallback = "optional",
      .choices = quotes,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "whether a limit without a fresh quote to compare it with passes without a finding, or gets the finding "
              "limit-without-quote" },
    { .key = "against",
      OG_CHOICE(is.against),
      .fallback = "quote",
      .choices = againsts,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "whether the limit of a single order is compared with the bid or ask alone, or with the last trade too" },
    { .key = "cheap_below",
      OG_MONEY(is.cheap_below),
      .fallback = "0",
      .least = "0",
      .most = "1000000",
      .tighter = OG_TIGHTER_LOWER,
      .help = "the price, in dollars a share, below which cheap_away is allowed; 0 means at no price" },
    { .key = "cheap_away",
      MAY_WIDEN(cheap_away),
      .help = "the distance that is allowed below that price, if it is wider than `away`" },
    { .key = "pre_market_away",
      MAY_WIDEN(pre_away),
      .help = "the distance that is allowed before 09:30 ET of a day with a session, if it is wider than `away`" },
    { .key = "after_hours_away",
      MAY_WIDEN(after_away),
      .help = "the distance that is allowed after the close of a day with a session, if it is wider than `away`" },
};

static const struct og_reason reasons[] = {
    [OG_COLLAR_AWAY] = { .id = "limit-away-from-quote",
                         .level = OG_LEVEL_WARN,
                         .undecided = OG_LEVEL_OFF,
                         .says = "limitPrice {0} is more than {1} {2} {3}",
                         .help = "compare it with the market; the setting `away` can allow more",
                         .where = "A15" },
    [OG_COLLAR_STOP] = { .id = "stop-away-from-market",
                         .level = OG_LEVEL_WARN,
                         .says = "{0} {1} is more than {2} below {3} {4}",
                         .help = "a stop so far from the market protects nothing; a nearer stop, a limit or a market "
                                 "order is the "
                                 "way out; the setting `stop_away` can allow more",
                         .where = "A15" },
    [OG_COLLAR_NO_QUOTE] = { .id = "market-without-quote",
                             .level = OG_LEVEL_INFO,
                             .undecided = OG_LEVEL_OFF,
                             .ignorance = true,
                             .says = "market order without a quote of {0} to {1} at: its cost has no bound",
                             .help = "give a quote in the facts, or send a limit order",
                             .where = "A15" },
    [OG_COLLAR_UNHELD] = { .id = "limit-without-quote",
                           .level = OG_LEVEL_REFUSE,
                           .undecided = OG_LEVEL_REFUSE,
                           .ignorance = true,
                           .says = "no {0} of {1} to compare the limit with",
                           .help = "give fresh quotes in the facts, or let the policy do without them",
                           .where = "A15" },
    [OG_COLLAR_WIDE] = { .id = "market-too-wide",
                         .level = OG_LEVEL_WARN,
                         .says = "{0} is {1} bid, {2} ask: the ask is above the bid by more than {3} of their middle",
                         .help = "a limit order says what one pays at most; the setting `widest` can allow more",
                         .where = "A15" },
};

const struct og_reason *const og_collar_reasons = reasons;

static bool is_bounded(const struct og_quote *q, enum og_side side)
{
    return q && (side == OG_BUY ? q->has_ask : q->has_bid);
}

/* Returns true for a buy that may pay more than the price `edge`, or a sell that may receive less. */
static inline bool crosses(enum og_side side, struct og_money limit, struct og_money edge)
{
    return side == OG_BUY ? og_price_cmp(limit, edge) > 0 : og_price_cmp(limit, edge) < 0;
}

static OG_COLD bool is_far_beyond(enum og_side side, struct og_money price, struct og_money from, int32_t bps)
{
    struct og_money edge;

    /* the boundary is out of range: the price counts as too far away */
    return !og_money_share(from, bps, &edge) || crosses(side, price, edge);
}

/* Returns true if the price is beyond bps basis points of the price `from`: above for a buy, below for a sell.  If
 * possible, both sides are multiplied by ten thousand, which avoids an exact division. */
static bool is_beyond(enum og_side side, struct og_money price, struct og_money from, int32_t bps)
{
    struct og_money scaled = price, edge = from;

    if (!__builtin_mul_overflow(scaled.coef, WHOLE, &scaled.coef) &&
        !__builtin_mul_overflow(edge.coef, bps, &edge.coef))
        return crosses(side, scaled, edge);
    return is_far_beyond(side, price, from, bps);
}

/* Returns true if the limit is further than `away` basis points on the wrong side of the market. */
static OG_HOT bool is_away(const struct og_order *o, struct og_money quote, int32_t away)
{
    return crosses(o->side, o->limit, quote) &&
           is_beyond(o->side, o->limit, quote, o->side == OG_BUY ? WHOLE + away : WHOLE - away);
}

OG_COLD bool og_collar_is_last_step(const struct og_case *c, struct og_money beyond)
{
    static const struct og_money cent = { 1, 2 }, nickel = { 5, 2 };

    return og_case_reduces(c) && og_money_cmp(beyond, c->order->security == OG_STOCK ? cent : nickel) <= 0;
}

/* Returns og_collar_is_last_step() for a single order whose limit is compared with the price `from`. */
static OG_COLD bool is_step_from(const struct og_case *c, struct og_money from)
{
    const struct og_order *o = c->order;
    struct og_money beyond;

    return (o->side == OG_BUY ? og_money_sub(o->limit, from, &beyond) : og_money_sub(from, o->limit, &beyond)) &&
           og_collar_is_last_step(c, beyond);
}

static inline struct og_money side_of(const struct og_quote *q, enum og_side side)
{
    return side == OG_BUY ? q->ask : q->bid;
}

/* Returns true if the limit of a stop limit order is measured from its stop: the order enters the market when the price
 * reaches the stop, unless the price is beyond the stop already. */
static inline bool is_by_stop(const struct og_order *o, const struct og_quote *q)
{
    return o->type == OG_STOP_LIMIT && og_order_ok(o, OG_KEY_STOP_PRICE) && o->stop.coef > 0 &&
           (!is_bounded(q, o->side) || crosses(o->side, o->stop, side_of(q, o->side)));
}

static inline int32_t wider(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

int32_t og_collar_away_now(const struct og_case *c, const struct og_collar *s)
{
    if (!(s->pre_away | s->after_away) || !og_day_is_session(c->today))
        return s->away;
    if (c->eastern.ns_of_day < OG_DAY_OPENS)
        return wider(s->away, s->pre_away);
    return c->eastern.ns_of_day >= c->today.closes ? wider(s->away, s->after_away) : s->away;
}

/* Returns the distance that is allowed from a price. */
static int32_t away_from(const struct og_case *c, const struct og_collar *s, struct og_money price)
{
    const int32_t away = og_collar_away_now(c, s);

    return s->cheap_below.coef && og_price_cmp(price, s->cheap_below) < 0 ? wider(away, s->cheap_away) : away;
}

void og_collar_found_away(const struct og_case *c, int32_t away, const char *from, struct og_money at,
                          struct og_sink *sink)
{
    OG_FIND(sink, &reasons[OG_COLLAR_AWAY], "/limitPrice", og_a_money(c->order->limit), og_a_bps(away), og_a_text(from),
            og_a_money(at));
}

/* Returns the order's quote if it bounds the side at which the order trades: it is fresh, and sound, or for a buy a bid
 * of 0 is all that is wrong with it. NULL if there is none. */
static const struct og_quote *bounding_quote(const struct og_case *c)
{
    const struct og_quote *raw = c->raw_quote;

    if (og_has(c, OG_FACT_QUOTE))
        return c->quote;
    return raw && raw->fault == OG_QUOTE_NO_BID && c->order->side == OG_BUY && raw->has_ask &&
                   og_collar_is_fresh(c, raw)
               ? raw
               : NULL;
}

/* Compare the limit with a quote so doubtful that it can reveal only a misplaced decimal point.  Returns false if the
 * limit is not that far away. */
static OG_COLD bool check_doubtful(const struct og_case *c, const struct og_collar *s, struct og_sink *sink)
{
    static const char *const from[2][OG_COLLAR_NO_PRICE] = { { "below the ask", "below the bid", "below the last" },
                                                             { "above the ask", "above the bid", "above the last" } };
    const struct og_quote *q = c->raw_quote;
    const bool buys = c->order->side == OG_BUY;
    struct og_collar_guess g;
    int32_t away;

    if (!q || !og_collar_is_recent(c, q))
        return false;
    g = og_collar_guess(c, q, c->order->side);
    away = og_collar_doubtful_away(c, s, g.alone, buys);
    if (g.of == OG_COLLAR_NO_PRICE || !is_away(c->order, g.price, away) || is_step_from(c, g.price) ||
        (g.alone && !buys && og_collar_is_last_step(c, c->order->limit))) /* the lowest price that there is */
        return false;
    og_collar_found_away(c, away, from[buys][g.of], g.price, sink);
    og_collar_add_doubt(c, q, (struct og_str){ NULL, 0 }, sink);
    return true;
}

/* Compare the limit with one price of the market. Returns false if it is not too far away. */
static bool check_against(const struct og_case *c, const struct og_collar *s, struct og_money price, const char *from,
                          struct og_sink *sink)
{
    const int32_t away = away_from(c, s, price);

    if (!is_away(c->order, price, away) || is_step_from(c, price))
        return false;
    og_collar_found_away(c, away, from, price, sink);
    return true;
}

/* Compare the limit with the side of a quote at which the order trades. Returns false if it is not too far away. */
static bool check_side(const struct og_case *c, const struct og_collar *s, const struct og_quote *q,
                       struct og_sink *sink)
{
    const bool buys = c->order->side == OG_BUY;

    if (!check_against(c, s, side_of(q, c->order->side), buys ? "above the ask" : "below the bid", sink))
        return false;
    if (q->fault != OG_QUOTE_SOUND)
        og_collar_add_doubt(c, q, (struct og_str){ NULL, 0 }, sink);
    return true;
}

/* Report that there is no price to compare the limit with, where the policy demands one. */
static OG_COLD void check_unheld(const struct og_case *c, const struct og_collar *s, const struct og_quote *q,
                                 const char *which, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    if (s->quote == OG_COLLAR_QUOTE_OPTIONAL)
        return;
    if (!q)
        (void)og_need(c, sink, &reasons[OG_COLLAR_UNHELD], OG_FACT_QUOTE, o->symbol, "/limitPrice");
    else
        OG_FIND(sink, &reasons[OG_COLLAR_UNHELD], "/limitPrice", og_a_text(which), og_a_str(o->symbol));
}

static OG_HOT OG_NOINLINE void check_limit(const struct og_case *c, const struct og_collar *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_quote *q = bounding_quote(c);
    const enum og_side side = o->side;
    const char *which = side == OG_BUY ? "ask" : "bid";

    if (is_by_stop(o, q)) { /* the market is not at the stop yet: neither quote nor last says where it will be then */
        if (!check_against(c, s, o->stop, side == OG_BUY ? "above the stop" : "below the stop", sink) &&
            !is_bounded(q, side))
            check_unheld(c, s, q, which, sink);
        return;
    }
    if (is_bounded(q, side) ? check_side(c, s, q, sink) : check_doubtful(c, s, sink))
        return;
    if (q && q->has_last && s->against == AGAINST_LAST_TOO &&
        check_against(c, s, q->last, side == OG_BUY ? "above the last" : "below the last", sink))
        return;
    if (!is_bounded(q, side))
        check_unheld(c, s, q, which, sink);
    else if (!q->has_last && s->against == AGAINST_LAST_TOO)
        check_unheld(c, s, q, "last", sink);
}

/* --- stops -------------------------------------------------------------------------------------------------------- */

/* Returns true if the lower of stop and price is less than the higher by more than stop_away. */
static bool is_apart(const struct og_collar *s, struct og_money stop, struct og_money price)
{
    const bool below = og_price_cmp(stop, price) < 0;

    return price.coef > 0 && is_beyond(OG_SELL, below ? stop : price, below ? price : stop, WHOLE - s->stop_away);
}

/* Report a stop too far from a price. Returns true if so. */
static bool check_apart(const struct og_case *c, const struct og_collar *s, struct og_money price, const char *name,
                        struct og_sink *sink)
{
    const struct og_money stop = c->order->stop;
    const bool below = og_price_cmp(stop, price) < 0;

    if (!is_apart(s, stop, price))
        return false;
    OG_FIND(sink, &reasons[OG_COLLAR_STOP], "/stopPrice", og_a_text(below ? "stopPrice" : name),
            og_a_money(below ? stop : price), og_a_bps(s->stop_away), og_a_text(below ? name : "stopPrice"),
            og_a_money(below ? price : stop));
    return true;
}

/* Set the price of the market that a stop is compared with: that at which the order trades, else the last trade. A
 * crossed quote is read as og_collar_guess() tells; without a last trade, it refuses only what is far from both. */
static struct og_collar_guess market_of_stop(const struct og_case *c, const struct og_collar *s,
                                             const struct og_quote *q)
{
    const enum og_side side = c->order->side;
    struct og_collar_guess g = { .of = OG_COLLAR_NO_PRICE };

    if (q->fault == OG_QUOTE_CROSSED && og_case_reduces(c)) {
        g = og_collar_guess(c, q, side);
        if (!(q->has_last && q->last.coef > 0) && is_apart(s, c->order->stop, g.price))
            g = side == OG_BUY ? (struct og_collar_guess){ .of = OG_COLLAR_ASK, .price = q->ask }
                               : (struct og_collar_guess){ .of = OG_COLLAR_BID, .price = q->bid };
    } else if (is_bounded(q, side) && side_of(q, side).coef > 0) {
        g = (struct og_collar_guess){ .of = side == OG_BUY ? OG_COLLAR_ASK : OG_COLLAR_BID, .price = side_of(q, side) };
    } else if (q->has_last) {
        g = (struct og_collar_guess){ .of = OG_COLLAR_LAST, .price = q->last };
    }
    return g;
}

/* Compare a stop with the market. Returns false if it is not too far away. Rule stop-price checks its side of a fresh
 * quote; an older quote shows a slipped decimal point on either side. */
static bool check_stop_market(const struct og_case *c, const struct og_collar *s, struct og_sink *sink)
{
    static const char *const names[OG_COLLAR_NO_PRICE] = { "the ask", "the bid", "the last trade" };
    const struct og_quote *q = c->raw_quote;
    const bool fresh = og_has(c, OG_FACT_QUOTE);
    struct og_collar_guess g;

    if (!q || !og_collar_is_recent(c, q))
        return false;
    g = market_of_stop(c, s, q);
    if (g.of == OG_COLLAR_NO_PRICE ||
        (fresh && g.of != OG_COLLAR_LAST && !crosses(c->order->side, c->order->stop, g.price)) ||
        !check_apart(c, s, g.price, names[g.of], sink))
        return false;
    if (!fresh)
        og_collar_add_doubt(c, q, (struct og_str){ NULL, 0 }, sink);
    return true;
}

/* Check the stop of a single order. Closes are checked too: a stop that never triggers looks like protection. */
static OG_NOINLINE void check_stop(const struct og_case *c, const struct og_collar *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    if (check_stop_market(c, s, sink))
        return;
    /* a limit on the side of the stop that the collar does not check */
    if (o->type == OG_STOP_LIMIT && og_order_ok(o, OG_KEY_LIMIT_PRICE) && !crosses(o->side, o->limit, o->stop))
        (void)check_apart(c, s, o->limit, "limitPrice", sink);
}

/* --- orders without a limit --------------------------------------------------------------------------------------- */

void og_collar_say_unbounded(struct og_str symbol, enum og_side side, struct og_sink *sink)
{
    OG_FIND(sink, &reasons[OG_COLLAR_NO_QUOTE], "/orderType", og_a_str(symbol),
            og_a_text(side == OG_BUY ? "buy" : "sell"));
}

static OG_NOINLINE void check_market(const struct og_case *c, const struct og_collar *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_quote *q = og_has(c, OG_FACT_QUOTE) ? c->quote : NULL;

    if (o->security == OG_MLEG) {
        og_collar_check_market_spread(c, s, sink);
        return;
    }
    if (!o->symbol.len || !o->side)
        return;
    if (is_bounded(q, o->side)) {
        (void)og_collar_check_width(c, s, o->symbol, q, sink);
        return;
    }
    og_collar_say_unbounded(o->symbol, o->side, sink);
    if (c->raw_quote)
        og_collar_add_doubt(c, c->raw_quote, (struct og_str){ NULL, 0 }, sink);
}

/* Returns true if a fresh quote confirms the limit of a Limit order, or if there is no quote and the settings require
 * none. */
static inline bool is_fine(const struct og_case *c, const struct og_collar *s)
{
    const struct og_order *o = c->order;

    if (s->against == AGAINST_LAST_TOO && c->raw_quote)
        return false;
    if (!og_has(c, OG_FACT_QUOTE))
        return !c->raw_quote && s->quote == OG_COLLAR_QUOTE_OPTIONAL;
    return is_bounded(c->quote, o->side) && !is_away(o, side_of(c->quote, o->side), s->away);
}

/* Check spreads, and single orders with a stop. */
static OG_NOINLINE void check_others(const struct og_case *c, const struct og_collar *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const bool has_limit = og_order_wants_limit(o) && og_order_ok(o, OG_KEY_LIMIT_PRICE);

    if (o->security == OG_MLEG && c->facts && (has_limit || (o->type == OG_STOP && og_order_ok(o, OG_KEY_STOP_PRICE))))
        og_collar_check_spread(c, s, sink);
    if (o->security == OG_MLEG && c->facts && o->type == OG_STOP)
        og_collar_check_market_spread(c, s, sink);
    if ((o->security != OG_STOCK && o->security != OG_OPTION) || !o->side || !o->symbol.len || !og_order_wants_stop(o))
        return;
    if (og_order_ok(o, OG_KEY_STOP_PRICE) && o->stop.coef > 0)
        check_stop(c, s, sink);
    if (has_limit)
        check_limit(c, s, sink);
    else if (o->type == OG_STOP && og_has(c, OG_FACT_QUOTE))
        (void)og_collar_check_width(c, s, o->symbol, c->quote, sink);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct og_collar *s = &((const struct settings *)settings)->is;
    const struct og_order *o = c->order;

    if (o->type == OG_LIMIT && (o->security == OG_STOCK || o->security == OG_OPTION)) {
        if (og_order_ok(o, OG_KEY_LIMIT_PRICE) && o->side && o->symbol.len && !is_fine(c, s))
            check_limit(c, s, sink);
    } else if (o->type == OG_MARKET) {
        check_market(c, s, sink);
    } else {
        check_others(c, s, sink);
    }
}

const struct og_rule og_rule_price_collar = {
    OG_PARTS_OF_FILE(price_collar),
    .id = "price-collar",
    .summary =
        "the limit is far on the wrong side of the market, the stop far from it, or nothing bounds a market order",
    .because = "a limit that crosses the market by a wide margin fills at once, at a price nobody meant",
    .stage = OG_STAGE_MARKET,
    .local = true,
    .counts = true,
    .reads = OG_FACT_QUOTE,
    OG_SETTINGS_OF_FILE,
};
