/*
 * What price-collar makes of quotes: how old or new they are, what is wrong with them, and how wide their market is.
 *
 * A doubtful quote is older than the policy allows, ahead of the clock, crossed, or lacks a price. It never admits an
 * order, but it still reveals a misplaced decimal point; an order that only reduces gets the benefit of the doubt. An
 * ask beside a bid of 0 is not doubtful for a buy: options far from the money are quoted so.
 */
#include "rules/collar.h"

enum { WHOLE = 10000, DAYS_MOST = 10 };
#define HOUR       (3600 * OG_NS_PER_S)
#define DAY        (24 * HOUR)
#define AHEAD_MOST (300 * OG_NS_PER_S) /* a feed's clock may be set wrong by this much */

bool og_collar_is_fresh(const struct og_case *c, const struct og_quote *q)
{
    return og_fact_is_fresh(q->as_of, c->facts_at, c->max_age[__builtin_ctz(OG_FACT_QUOTE)]);
}

/* Returns true if time `then` is within the last hour of trading. The hours between two sessions do not count: in the
 * first hour of a session, a quote from the close of the previous session is recent enough. */
static bool is_within_an_hour(const struct og_case *c, int64_t then)
{
    struct og_eastern e, now = c->eastern;
    int64_t open = 0, from;

    if (then > c->facts_at || c->facts_at - then > DAYS_MOST * DAY)
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

bool og_collar_is_recent(const struct og_case *c, const struct og_quote *q)
{
    if (og_collar_is_fresh(c, q))
        return true;
    if (q->as_of == OG_TIME_UNKNOWN)
        return false;
    return q->as_of > c->facts_at ? q->as_of - c->facts_at <= AHEAD_MOST : is_within_an_hour(c, q->as_of);
}

static bool is_price(bool has, struct og_money price)
{
    return has && price.coef > 0;
}

/* Guess which price of a crossed quote is right. */
static enum og_collar_price uncrossed(const struct og_quote *q, enum og_side side)
{
    if (!is_price(q->has_last, q->last))
        return side == OG_BUY ? OG_COLLAR_BID : OG_COLLAR_ASK;
    if (og_price_cmp(q->last, q->ask) <= 0)
        return OG_COLLAR_ASK;
    return og_price_cmp(q->last, q->bid) >= 0 ? OG_COLLAR_BID : OG_COLLAR_LAST;
}

static enum og_collar_price guess(const struct og_case *c, const struct og_quote *q, enum og_side side)
{
    const bool bid = is_price(q->has_bid, q->bid), ask = is_price(q->has_ask, q->ask);
    const bool last = is_price(q->has_last, q->last), buys = side == OG_BUY;

    if (q->fault == OG_QUOTE_CROSSED && og_case_reduces(c))
        return uncrossed(q, side);
    if (buys ? ask : bid)
        return buys ? OG_COLLAR_ASK : OG_COLLAR_BID;
    if (buys && bid && !og_case_reduces(c)) /* the last trade may be absurd, and the bid is what somebody pays now */
        return OG_COLLAR_BID;
    if (last && !(buys ? bid && og_price_cmp(q->bid, q->last) > 0 : ask && og_price_cmp(q->ask, q->last) < 0))
        return OG_COLLAR_LAST;
    return buys && bid ? OG_COLLAR_BID : !buys && ask ? OG_COLLAR_ASK : OG_COLLAR_NO_PRICE;
}

struct og_collar_guess og_collar_guess(const struct og_case *c, const struct og_quote *q, enum og_side side)
{
    struct og_collar_guess g = { .of = guess(c, q, side) };

    if (g.of != OG_COLLAR_NO_PRICE)
        g.price = g.of == OG_COLLAR_ASK ? q->ask : g.of == OG_COLLAR_BID ? q->bid : q->last;
    g.alone = g.of == (side == OG_BUY ? OG_COLLAR_BID : OG_COLLAR_ASK) && !is_price(q->has_last, q->last) &&
              q->fault != OG_QUOTE_CROSSED;
    return g;
}

int32_t og_collar_doubtful_away(const struct og_case *c, const struct og_collar *s, bool alone, bool rises)
{
    /* to 15% of an ask, or 6.6 times a bid */
    const int32_t slip = rises ? 56000 : 8500;

    return alone && og_case_reduces(c) && slip > s->stale_away ? slip : s->stale_away;
}

void og_collar_add_doubt(const struct og_case *c, const struct og_quote *q, struct og_str symbol, struct og_sink *sink)
{
    const bool fresh = og_collar_is_fresh(c, q), timed = q->as_of != OG_TIME_UNKNOWN;
    const bool ahead = timed && !fresh && q->as_of > c->facts_at;
    const int64_t age = !timed ? 0 : ahead ? q->as_of - c->facts_at : c->facts_at - q->as_of;
    const struct og_arg args[] = { og_a_money(q->bid), og_a_money(q->ask), og_a_str(symbol), og_a_age(age) };

    og_found_add(sink, symbol.len ? " (doubtful quote of {2}: " : " (doubtful quote: ", args, 4);
    if (!fresh && !timed)
        og_found_add(sink, "it has no time", args, 4);
    else if (!fresh)
        og_found_add(sink, ahead ? "it is dated {3} ahead of the clock" : "it is {3} old", args, 4);
    if (q->fault != OG_QUOTE_SOUND) {
        if (!fresh)
            og_found_add(sink, ", ", args, 4);
        og_found_add(sink, og_quote_fault_says[q->fault], args, 4);
    } else if (fresh) { /* what is wrong with it is that it lacks a price */
        og_found_add(sink,
                     q->has_ask   ? "it has no bid"
                     : q->has_bid ? "it has no ask"
                                  : "it has no bid and no ask",
                     args, 4);
    }
    og_found_add(sink, ")", args, 4);
}

/* Returns true if the ask is above the bid by more than `bps` of their middle. */
static bool is_wider(struct og_money width, struct og_money bid, struct og_money ask, int32_t bps)
{
    struct og_money sum, most;

    return !og_money_add(bid, ask, &sum) || !og_money_times(width, 2 * WHOLE, &width) ||
           !og_money_times(sum, bps, &most) || og_money_cmp(width, most) > 0;
}

bool og_collar_check_width(const struct og_case *c, const struct og_collar *s, struct og_str symbol,
                           const struct og_quote *q, struct og_sink *sink)
{
    /* between cheap bids and asks a few steps of the price are a large percentage */
    static const struct og_money steps = { 10, 2 }, stock_steps = { 2, 2 };
    struct og_money width;

    if (!q->has_bid || !q->has_ask || og_case_reduces(c) || !og_money_sub(q->ask, q->bid, &width) ||
        og_money_cmp(width, c->order->security == OG_STOCK ? stock_steps : steps) <= 0 ||
        !is_wider(width, q->bid, q->ask, s->widest))
        return false;
    OG_FIND(sink, &og_collar_reasons[OG_COLLAR_WIDE], "/orderType", og_a_str(symbol), og_a_money(q->bid),
            og_a_money(q->ask), og_a_bps(s->widest));
    return true;
}
