/*
 * price-collar (301): the limit is too far on the wrong side of the market.  A buy far above the ask, or a sell far
 * below the bid, fills at once at a price that nobody meant; usually a decimal point is misplaced.  Limits on the other
 * side are not checked, and a limit exactly at the boundary passes.  A quote that is older than the policy allows is
 * used with a wider collar for an hour of trading time. The last trade may bound the limit as well; cheap stock and the
 * hours outside the session may have a wider collar. The limit of a stop limit is measured from its stop, the market's
 * price when it is triggered. The stop has a wider bound of its own, and is compared with the limit where there is no
 * quote. Spreads are compared with the market of their legs (margin/net.h).
 */
#include "facts/calendar.h"
#include "margin/net.h"
#include "rules/limit.h"

enum { WHOLE = 10000, DAYS_MOST = 10 };
#define HOUR (3600 * OG_NS_PER_S)
#define DAY  (24 * HOUR)

struct settings {
    int32_t away;       /* allowed distance, in basis points of the quote */
    int32_t stop_away;  /* allowed distance of a stop, in basis points of the higher of stop and market */
    int32_t stale_away; /* allowed distance, in basis points, from a quote that is older than the policy allows */
    int32_t quote;
    int32_t against;
    struct og_money cheap_below;  /* price below which cheap_away is allowed; 0: at no price */
    int32_t cheap_away;           /* allowed distance in basis points, if it is more than `away`; 0: none */
    int32_t pre_away, after_away; /* before and after the session: allowed distance, if more than `away`; 0: none */
};

enum { AGAINST_QUOTE, AGAINST_LAST_TOO };
static const char *const againsts[] = { "quote", "quote-and-last", NULL };

enum { QUOTE_OPTIONAL, QUOTE_REQUIRED };
static const char *const quotes[] = { "optional", "required", NULL };

#define MAY_WIDEN(field)                                                                         \
    OG_BPS(field), .fallback = "0%", .least = "0%", .most = "100%", .tighter = OG_TIGHTER_LOWER, \
                   .finds = "limit-away-from-quote"

static const struct og_param params[] = {
    { .key = "away",
      OG_BPS(away),
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
    { .key = "stop_away",
      OG_BPS(stop_away),
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
      OG_BPS(stale_away),
      .fallback = "50%",
      .least = "0.01%",
      .most = "1000%",
      .tighter = OG_TIGHTER_LOWER,
      .help = "how far a limit may be beyond a quote that is older than max_age allows, up to an hour of the session, "
              "in percent" },
    { .key = "quote",
      OG_CHOICE(quote),
      .fallback = "optional",
      .choices = quotes,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "whether a limit without a fresh quote to compare it with passes without a finding, or gets the finding "
              "limit-without-quote" },
    { .key = "against",
      OG_CHOICE(against),
      .fallback = "quote",
      .choices = againsts,
      .tighter = OG_TIGHTER_HIGHER,
      .help = "whether the limit of a single order is compared with the bid or ask alone, or with the last trade too" },
    { .key = "cheap_below",
      OG_MONEY(cheap_below),
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

enum { R_AWAY, R_STOP, R_NO_QUOTE, R_UNHELD };

static const struct og_reason reasons[] = {
    [R_AWAY] = { .id = "limit-away-from-quote",
                 .level = OG_LEVEL_WARN,
                 .undecided = OG_LEVEL_OFF,
                 .says = "limitPrice {0} is more than {1} {2} {3}",
                 .help = "compare it with the market; the setting `away` can allow more",
                 .where = "A15" },
    [R_STOP] = { .id = "stop-away-from-market",
                 .level = OG_LEVEL_WARN,
                 .says = "{0} {1} is more than {2} below {3} {4}",
                 .help =
                     "a stop so far from the market protects nothing; a nearer stop, a limit or a market order is the "
                     "way out; the setting `stop_away` can allow more",
                 .where = "A15" },
    [R_NO_QUOTE] = { .id = "market-without-quote",
                     .level = OG_LEVEL_INFO,
                     .undecided = OG_LEVEL_OFF,
                     .ignorance = true,
                     .says = "market order without a quote of {0} to {1} at: its cost has no bound",
                     .help = "give a quote in the facts, or send a limit order",
                     .where = "A15" },
    [R_UNHELD] = { .id = "limit-without-quote",
                   .level = OG_LEVEL_REFUSE,
                   .undecided = OG_LEVEL_REFUSE,
                   .ignorance = true,
                   .says = "no {0} of {1} to compare the limit with",
                   .help = "give fresh quotes in the facts, or let the policy do without them",
                   .where = "A15" },
};

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

/* Returns true if the order only reduces and its limit is no more than a price step beyond the market: a cent for a
 * share, a nickel for an option or a spread.  For cheap ones a step is more than any percentage that a desk allows:
 * they could not be closed.  beyond: dollars per share by which the limit is on the wrong side. */
static OG_COLD bool is_last_step(const struct og_case *c, struct og_money beyond)
{
    static const struct og_money cent = { 1, 2 }, nickel = { 5, 2 };

    return og_case_reduces(c) && og_money_cmp(beyond, c->order->security == OG_STOCK ? cent : nickel) <= 0;
}

/* Returns is_last_step() for a single order whose limit is compared with the price `from`. */
static OG_COLD bool is_step_from(const struct og_case *c, struct og_money from)
{
    const struct og_order *o = c->order;
    struct og_money beyond;

    return (o->side == OG_BUY ? og_money_sub(o->limit, from, &beyond) : og_money_sub(from, o->limit, &beyond)) &&
           is_last_step(c, beyond);
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

/* Returns true if time `then` is within the last hour of trading. The hours between two sessions do not count: in the
 * first hour of a session, a quote from the close of the previous session is recent enough. */
static bool is_within_an_hour(const struct og_case *c, int64_t then)
{
    struct og_eastern e, now = c->eastern;
    int64_t open = 0, from;

    if (then == OG_TIME_UNKNOWN || then > c->facts_at || c->facts_at - then > DAYS_MOST * DAY)
        return false;
    if (c->facts_at != c->now)
        og_eastern_from(c->facts_at, &now);
    og_eastern_from(then, &e);
    for (from = e.ns_of_day; open <= HOUR && e.date <= now.date; from = 0) {
        const struct og_day day = og_facts_day(c->facts, e.date, og_calendar_day(e.date));
        int64_t to = e.date == now.date && now.ns_of_day < day.closes ? now.ns_of_day : day.closes;

        from = from > OG_DAY_OPENS ? from : OG_DAY_OPENS;
        open += og_day_is_session(day) && to > from ? to - from : 0;
        og_eastern_from(og_eastern_instant(e.year, e.month, e.day, DAY / 2) + DAY, &e);
    }
    return open <= HOUR;
}

static inline int32_t wider(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Returns the distance that is allowed at this time of the day, in basis points. */
static int32_t away_now(const struct og_case *c, const struct settings *s)
{
    if (!(s->pre_away | s->after_away) || !og_day_is_session(c->today))
        return s->away;
    if (c->eastern.ns_of_day < OG_DAY_OPENS)
        return wider(s->away, s->pre_away);
    return c->eastern.ns_of_day >= c->today.closes ? wider(s->away, s->after_away) : s->away;
}

/* Returns the distance that is allowed from a price. */
static int32_t away_from(const struct og_case *c, const struct settings *s, struct og_money price)
{
    const int32_t away = away_now(c, s);

    return s->cheap_below.coef && og_price_cmp(price, s->cheap_below) < 0 ? wider(away, s->cheap_away) : away;
}

static OG_COLD void found_away(const struct og_case *c, int32_t away, const char *from, struct og_money at,
                               struct og_sink *sink)
{
    OG_FIND(sink, &reasons[R_AWAY], "/limitPrice", og_a_money(c->order->limit), og_a_bps(away), og_a_text(from),
            og_a_money(at));
}

static const char *from_quote(enum og_side side)
{
    return side == OG_BUY ? "above the ask" : "below the bid";
}

/* Compare the limit with a quote so old that it can reveal only a misplaced decimal point.  Returns false if the limit
 * is not that far away. */
static OG_COLD bool check_stale(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_quote *q = c->quote;

    if (!is_bounded(q, o->side) || !is_within_an_hour(c, q->as_of) || !is_away(o, side_of(q, o->side), s->stale_away) ||
        is_step_from(c, side_of(q, o->side)))
        return false;
    if (og_case_reduces(c)) { /* an order that only reduces: make the finding unsure, since the market may have moved to
                               * the order's limit */
        og_unsure(sink, &reasons[R_AWAY], "/limitPrice", "the limit is far from the quote, but the quote is old");
        return true;
    }
    found_away(c, s->stale_away, from_quote(o->side), side_of(q, o->side), sink);
    og_found_add(sink, ", which is {0} old", (const struct og_arg[]){ og_a_age(c->facts_at - q->as_of) }, 1);
    return true;
}

/* Compare the limit with one price of the market. Returns false if it is not too far away. */
static bool check_against(const struct og_case *c, const struct settings *s, struct og_money price, const char *from,
                          struct og_sink *sink)
{
    const int32_t away = away_from(c, s, price);

    if (!is_away(c->order, price, away) || is_step_from(c, price))
        return false;
    found_away(c, away, from, price, sink);
    return true;
}

/* Report that there is no price to compare the limit with, where the policy demands one. */
static OG_COLD void check_unheld(const struct og_case *c, const struct settings *s, const struct og_quote *q,
                                 const char *which, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    if (s->quote == QUOTE_OPTIONAL)
        return;
    if (!q)
        (void)og_need(c, sink, &reasons[R_UNHELD], OG_FACT_QUOTE, o->symbol, "/limitPrice");
    else
        OG_FIND(sink, &reasons[R_UNHELD], "/limitPrice", og_a_text(which), og_a_str(o->symbol));
}

static OG_HOT OG_NOINLINE void check_limit(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const struct og_quote *q = og_has(c, OG_FACT_QUOTE) ? c->quote : NULL;
    const enum og_side side = o->side;
    const char *which = side == OG_BUY ? "ask" : "bid";

    if (is_by_stop(o, q)) { /* the market is not at the stop yet: neither quote nor last says where it will be then */
        if (!check_against(c, s, o->stop, side == OG_BUY ? "above the stop" : "below the stop", sink) &&
            !is_bounded(q, side))
            check_unheld(c, s, q, which, sink);
        return;
    }
    if (is_bounded(q, side) && check_against(c, s, side_of(q, side), from_quote(side), sink))
        return;
    if (!q && c->quote && check_stale(c, s, sink))
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

/* Report a stop too far from a price: the lower is less than the higher by more than stop_away. Returns true if so. */
static bool check_apart(const struct og_case *c, const struct settings *s, struct og_money price, const char *name,
                        struct og_sink *sink)
{
    const struct og_money stop = c->order->stop;
    const bool below = og_price_cmp(stop, price) < 0;

    if (price.coef <= 0 || !is_beyond(OG_SELL, below ? stop : price, below ? price : stop, WHOLE - s->stop_away))
        return false;
    OG_FIND(sink, &reasons[R_STOP], "/stopPrice", og_a_text(below ? "stopPrice" : name),
            og_a_money(below ? stop : price), og_a_bps(s->stop_away), og_a_text(below ? name : "stopPrice"),
            og_a_money(below ? price : stop));
    return true;
}

/* Check the stop of a single order. Rule stop-price checks its side of a fresh quote; an older quote shows a slipped
 * decimal point on either side. Closes are checked too: a stop that never triggers looks like protection. */
static OG_NOINLINE void check_stop(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const bool fresh = og_has(c, OG_FACT_QUOTE), buys = o->side == OG_BUY;
    const struct og_quote *q = fresh || (c->quote && is_within_an_hour(c, c->quote->as_of)) ? c->quote : NULL;
    const bool bounded = is_bounded(q, o->side);
    const struct og_money market = !q ? (struct og_money){ 0, 0 } : bounded ? side_of(q, o->side) : q->last;

    if (q && (bounded || q->has_last) && (!fresh || !bounded || crosses(o->side, o->stop, market)) &&
        check_apart(c, s, market,
                    !bounded ? "the last trade"
                    : buys   ? "the ask"
                             : "the bid",
                    sink)) {
        if (!fresh)
            og_found_add(sink, ", by a quote that is {0} old",
                         (const struct og_arg[]){ og_a_age(c->facts_at - q->as_of) }, 1);
        return;
    }
    /* a limit on the side of the stop that the collar does not check */
    if (o->type == OG_STOP_LIMIT && og_order_ok(o, OG_KEY_LIMIT_PRICE) && !crosses(o->side, o->limit, o->stop))
        (void)check_apart(c, s, o->limit, "limitPrice", sink);
}

static void say_unbounded(struct og_str symbol, enum og_side side, struct og_sink *sink)
{
    OG_FIND(sink, &reasons[R_NO_QUOTE], "/orderType", og_a_str(symbol), og_a_text(side == OG_BUY ? "buy" : "sell"));
}

static const struct og_quote *fresh_quote(const struct og_case *c, struct og_str symbol)
{
    const struct og_quote *q = og_facts_quote(c->facts, symbol);

    return q && og_fact_is_fresh(q->as_of, c->facts_at, c->max_age[__builtin_ctz(OG_FACT_QUOTE)]) ? q : NULL;
}

static OG_NOINLINE void check_market(const struct og_case *c, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    if (o->security != OG_MLEG) {
        if (o->symbol.len && o->side && !is_bounded(og_has(c, OG_FACT_QUOTE) ? c->quote : NULL, o->side))
            say_unbounded(o->symbol, o->side, sink);
        return;
    }
    for (int i = 0; i < o->legs_kept; i++)
        if (o->leg[i].symbol.len && o->leg[i].side && !is_bounded(fresh_quote(c, o->leg[i].symbol), o->leg[i].side)) {
            say_unbounded(o->leg[i].symbol, o->leg[i].side, sink);
            return;
        }
}

/* --- spreads ------------------------------------------------------------------------------------------------------ */

/* Set the market of the legs, and the age of the oldest of their quotes.  Returns false if some leg (*at) has no usable
 * quote of the last hour of trading, or a quote without the price at which the leg trades. */
static bool net_of_legs(const struct og_case *c, struct og_net_market *n, int64_t *as_of, int *at)
{
    const struct og_order *o = c->order;

    *n = (struct og_net_market){ .ask = { 0, 0 } };
    *as_of = c->facts_at;
    for (*at = 0; *at < o->legs_kept; ++*at) {
        const struct og_quote *q = og_facts_quote(c->facts, o->leg[*at].symbol);

        if (!q || (!fresh_quote(c, o->leg[*at].symbol) && !is_within_an_hour(c, q->as_of)) ||
            !og_net_add(n, &o->leg[*at], q))
            return false;
        if (!fresh_quote(c, o->leg[*at].symbol) && q->as_of < *as_of)
            *as_of = q->as_of;
    }
    return *at > 0 && o->legs_kept == o->leg_count;
}

/* Returns is_last_step() for a spread, whose limit is compared with the net of its legs. */
static OG_COLD bool is_step_from_net(const struct og_case *c, const struct og_net_market *n)
{
    struct og_money beyond;

    return og_net_beyond(n, c->order->limit, c->mleg->net, &beyond) &&
           og_money_mul(beyond, (struct og_money){ 1, 2 }, &beyond) && is_last_step(c, beyond);
}

/* Set the price of one unit, 100 shares, as the price per share that is paid or received. */
static bool net_per_share(const struct og_net_market *n, bool pays, struct og_money *net)
{
    *net = n->ask;
    if (!pays)
        net->coef = -net->coef;
    return og_money_mul(*net, (struct og_money){ 1, 2 }, net);
}

static void found_spread(const struct og_case *c, const struct og_net_market *n, int32_t away, bool at_stop,
                         struct og_sink *sink)
{
    static const char *const from[2][2] = { { "below what its legs bid together,",
                                              "above what its legs ask together," },
                                            { "below the stop", "above the stop" } };
    const bool pays = og_net_pays(n, c->mleg->net);
    struct og_money net;

    if (net_per_share(n, pays, &net))
        found_away(c, away, from[at_stop][pays], net, sink);
}

/* Set the stop of a spread. A StopLimit without one has its limit as the stop. Returns false if it has none. */
static bool stop_of(const struct og_order *o, struct og_money *stop)
{
    const bool own = og_order_has(o, OG_KEY_STOP_PRICE);

    *stop = own ? o->stop : o->limit;
    return (own ? og_order_wants_stop(o) && og_order_ok(o, OG_KEY_STOP_PRICE) : o->type == OG_STOP_LIMIT) &&
           stop->coef > 0;
}

/* Check a stop that a spread's market has not reached. Returns false if the stop is not too far from that market. */
static bool check_spread_stop(const struct og_case *c, const struct settings *s, const struct og_net_market *n,
                              struct og_money stop, struct og_sink *sink)
{
    const bool pays = og_net_pays(n, c->mleg->net);
    struct og_money market;

    if (!og_net_stop_is_away(n, stop, c->mleg->net, s->stop_away) || !net_per_share(n, pays, &market))
        return false;
    OG_FIND(sink, &reasons[R_STOP], og_order_has(c->order, OG_KEY_STOP_PRICE) ? "/stopPrice" : "/limitPrice",
            og_a_text(pays ? "the legs' net ask" : "the stop"), og_a_money(pays ? market : stop),
            og_a_bps(s->stop_away), og_a_text(pays ? "the stop" : "the legs' net bid"),
            og_a_money(pays ? stop : market));
    return true;
}

/* Compare stop and limit of a spread with its legs' market. Returns false if neither is too far from that market. */
static bool check_net(const struct og_case *c, const struct settings *s, struct og_net_market *n, int64_t as_of,
                      struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const enum og_net net = c->mleg->net;
    struct og_money stop, beyond;
    const bool waits = stop_of(o, &stop) && og_net_beyond(n, stop, net, &beyond) && beyond.coef > 0;
    const bool far = waits && check_spread_stop(c, s, n, stop, sink), old = as_of < c->facts_at && (!waits || far);
    const int32_t away = old ? s->stale_away : away_now(c, s);

    if (!far) {
        if ((waits && !og_money_add(n->ask, beyond, &n->ask)) || /* from here on n is the market at the stop */
            !og_order_wants_limit(o) || !og_net_is_away(n, o->limit, net, away) || is_step_from_net(c, n))
            return false;
        if (old && og_case_reduces(c)) { /* make the finding unsure: the market may have moved to the limit */
            og_unsure(sink, &reasons[R_AWAY], "/limitPrice", "the limit is far from old quotes of the legs");
            return true;
        }
        found_spread(c, n, away, waits, sink);
    }
    if (old)
        og_found_add(sink, far ? ", by quotes of which one is {0} old" : ", of which one is {0} old",
                     (const struct og_arg[]){ og_a_age(c->facts_at - as_of) }, 1);
    return true;
}

/* Report a leg without a fresh quote, or with a quote that lacks the price at which the leg trades. */
static void say_unheld(const struct og_case *c, const struct og_leg *l, struct og_sink *sink)
{
    const struct og_reason *r = &reasons[R_UNHELD];

    if (l->symbol.len && l->side && og_need(c, sink, r, OG_FACT_QUOTE, l->symbol, "/limitPrice"))
        OG_FIND(sink, r, "/limitPrice", og_a_text(l->side == OG_BUY ? "ask" : "bid"), og_a_str(l->symbol));
}

static OG_NOINLINE void check_spread(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    struct og_net_market n;
    int64_t as_of;
    int at;

    if (net_of_legs(c, &n, &as_of, &at)) {
        if (check_net(c, s, &n, as_of, sink) || as_of == c->facts_at)
            return;
        for (at = 0; at < o->legs_kept && fresh_quote(c, o->leg[at].symbol);)
            at++;
    }
    if (s->quote == QUOTE_REQUIRED && og_order_wants_limit(o) && at < o->legs_kept)
        say_unheld(c, &o->leg[at], sink);
}

/* Returns true if a fresh quote confirms the limit of a Limit order, or if there is no quote and the settings require
 * none. */
static inline bool is_fine(const struct og_case *c, const struct settings *s)
{
    const struct og_order *o = c->order;

    if (s->against == AGAINST_LAST_TOO && c->quote)
        return false;
    if (!og_has(c, OG_FACT_QUOTE))
        return !c->quote && s->quote == QUOTE_OPTIONAL;
    return is_bounded(c->quote, o->side) && !is_away(o, side_of(c->quote, o->side), s->away);
}

/* Check spreads, and single orders with a stop. */
static OG_NOINLINE void check_others(const struct og_case *c, const struct settings *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const bool has_limit = og_order_wants_limit(o) && og_order_ok(o, OG_KEY_LIMIT_PRICE);

    if (o->security == OG_MLEG && c->facts && (has_limit || (o->type == OG_STOP && og_order_ok(o, OG_KEY_STOP_PRICE))))
        check_spread(c, s, sink);
    if ((o->security != OG_STOCK && o->security != OG_OPTION) || !o->side || !o->symbol.len || !og_order_wants_stop(o))
        return;
    if (og_order_ok(o, OG_KEY_STOP_PRICE) && o->stop.coef > 0)
        check_stop(c, s, sink);
    if (has_limit)
        check_limit(c, s, sink);
}

static OG_HOT void check(const struct og_case *c, const void *settings, struct og_sink *sink)
{
    const struct settings *s = settings;
    const struct og_order *o = c->order;

    if (o->type == OG_LIMIT && (o->security == OG_STOCK || o->security == OG_OPTION)) {
        if (og_order_ok(o, OG_KEY_LIMIT_PRICE) && o->side && o->symbol.len && !is_fine(c, s))
            check_limit(c, s, sink);
    } else if (o->type == OG_MARKET) {
        check_market(c, sink);
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
