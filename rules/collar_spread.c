/*
 * How price-collar checks spreads: limit and stop are compared with the market of the legs (margin/net.h). If the quote
 * of some leg is doubtful, the collar widens to that of doubtful quotes.
 *
 * A sold option that nobody bids for brings nothing, or, if the feed has lost its bid, about its last trade or ask. The
 * first alone would hide a slipped decimal point wherever such a leg is most of the price, and the second would keep
 * spreads with worthless legs open. So the limit has to pass by both, and a leg that is cheap counts as worthless.
 */
#include "margin/net.h"
#include "rules/collar.h"

/* What sold options without a bid count as, if they are dear. */
enum reading { AS_WORTHLESS, AS_GUESSED };

/* The market of a spread's legs. */
struct legs {
    struct og_net_market net;
    bool known;                   /* false: leg `at` has no recent quote, or one without a price for it */
    bool doubted;                 /* the quote of leg `at` is doubtful: the first of them */
    bool alone;                   /* the price of some leg is a guess, by which nobody knows how far the market is */
    bool bidless;                 /* some sold option without a bid is too dear to be worthless */
    int at;                       /* legs_kept if there is no such leg */
    const struct og_quote *quote; /* that of leg `at`; NULL if there is none */
};

static const struct og_quote *raw_quote(const struct og_case *c, const struct og_leg *l)
{
    return c->facts && l->symbol.len ? og_facts_raw_quote(c->facts, l->symbol) : NULL;
}

/* Returns true if the leg's quote bounds the price at which the leg trades without doubt: it is fresh, and it is sound,
 * or a bid of 0 is all that is wrong with it. */
static bool is_sound(const struct og_case *c, const struct og_leg *l, const struct og_quote *q)
{
    return og_collar_is_fresh(c, q) &&
           (q->fault == OG_QUOTE_SOUND || (q->fault == OG_QUOTE_NO_BID && (l->side == OG_BUY || l->occ.is)));
}

/* Returns true for a sold option that nobody bids for. */
static bool is_bidless(const struct og_leg *l, const struct og_quote *q)
{
    return l->side != OG_BUY && l->occ.is && !(q->has_bid && q->bid.coef > 0);
}

/* Returns true if an option of this price may as well be worthless: it is one price step, or, where the order only
 * reduces, a step is no slip of it (15%). */
static bool is_cheap(const struct og_case *c, const struct og_collar_guess *g)
{
    static const struct og_money step = { 5, 2 }, no_slip = { 33, 2 };

    return g->of == OG_COLLAR_NO_PRICE || og_price_cmp(g->price, og_case_reduces(c) ? no_slip : step) <= 0;
}

/* Give the quote the price at which the leg trades. Returns false if there is none. */
static bool supply_price(const struct og_case *c, const struct og_leg *l, struct og_quote *q, enum reading as,
                         struct legs *legs, bool *doubted)
{
    const bool buys = l->side == OG_BUY, bidless = is_bidless(l, q);
    const struct og_collar_guess g = og_collar_guess(c, q, l->side);
    const bool dear = bidless && !is_cheap(c, &g);

    legs->bidless = legs->bidless || dear;
    if (bidless && (as == AS_WORTHLESS || !dear)) {
        *doubted = !q->has_bid; /* the feed may have lost it */
        q->has_bid = true;
        q->bid = (struct og_money){ 0, 0 };
        return true;
    }
    legs->alone = legs->alone || g.alone || bidless;
    *doubted = g.of != (buys ? OG_COLLAR_ASK : OG_COLLAR_BID);
    *(buys ? &q->has_ask : &q->has_bid) = true;
    *(buys ? &q->ask : &q->bid) = g.price;
    if (*doubted) /* its width is not that of a market */
        *(buys ? &q->has_bid : &q->has_ask) = false;
    return g.of != OG_COLLAR_NO_PRICE;
}

/* Add a leg to the market. Returns false if there is no recent quote with a price for it. */
static bool add_leg(const struct og_case *c, const struct og_leg *l, const struct og_quote *raw, enum reading as,
                    struct legs *legs, bool *doubted)
{
    struct og_quote q;

    if (!raw || !og_collar_is_recent(c, raw))
        return false;
    q = *raw;
    if (!supply_price(c, l, &q, as, legs, doubted))
        return false;
    if (q.fault == OG_QUOTE_CROSSED || q.fault == OG_QUOTE_NO_ASK) /* its width is not that of a market */
        *(l->side == OG_BUY ? &q.has_bid : &q.has_ask) = false;
    *doubted = *doubted || !is_sound(c, l, raw);
    return og_net_add(&legs->net, l, &q);
}

static void sum_legs(const struct og_case *c, enum reading as, struct legs *legs)
{
    const struct og_order *o = c->order;

    *legs = (struct legs){ .at = o->legs_kept };
    for (int i = 0; i < o->legs_kept; i++) {
        const struct og_quote *q = raw_quote(c, &o->leg[i]);
        bool doubted;

        if (!add_leg(c, &o->leg[i], q, as, legs, &doubted)) {
            *legs = (struct legs){ .at = i, .quote = q };
            return;
        }
        if (doubted && !legs->doubted) {
            legs->doubted = true;
            legs->at = i;
            legs->quote = q;
        }
    }
    legs->known = o->legs_kept > 0 && o->legs_kept == o->leg_count;
}

/* Returns og_collar_is_last_step() for a spread, whose limit is compared with the net of its legs. */
static OG_COLD bool is_step_from_net(const struct og_case *c, const struct og_net_market *n)
{
    struct og_money beyond;

    return og_net_beyond(n, c->order->limit, c->mleg->net, &beyond) &&
           og_money_mul(beyond, (struct og_money){ 1, 2 }, &beyond) && og_collar_is_last_step(c, beyond);
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
        og_collar_found_away(c, away, from[at_stop][pays], net, sink);
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
static bool check_spread_stop(const struct og_case *c, const struct og_collar *s, const struct og_net_market *n,
                              struct og_money stop, struct og_sink *sink)
{
    const bool pays = og_net_pays(n, c->mleg->net);
    struct og_money market;

    if (!og_net_stop_is_away(n, stop, c->mleg->net, s->stop_away) || !net_per_share(n, pays, &market))
        return false;
    OG_FIND(sink, &og_collar_reasons[OG_COLLAR_STOP],
            og_order_has(c->order, OG_KEY_STOP_PRICE) ? "/stopPrice" : "/limitPrice",
            og_a_text(pays ? "the legs' net ask" : "the stop"), og_a_money(pays ? market : stop),
            og_a_bps(s->stop_away), og_a_text(pays ? "the stop" : "the legs' net bid"),
            og_a_money(pays ? stop : market));
    return true;
}

/* Returns the distance that is allowed from the market: that of stock too if a leg is stock, which is most of the
 * price. */
static int32_t away_of(const struct og_case *c, const struct og_collar *s)
{
    const int32_t away = og_collar_away_now(c, s);

    return c->mleg->stock_leg >= 0 && s->stock_leg_away < away ? s->stock_leg_away : away;
}

/* Compare stop and limit of a spread with its legs' market. Returns false if neither is too far from that market. */
static bool check_net(const struct og_case *c, const struct og_collar *s, const struct legs *legs, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    const enum og_net net = c->mleg->net;
    struct og_net_market n = legs->net;
    struct og_money stop, beyond;
    const bool waits = stop_of(o, &stop) && og_net_beyond(&n, stop, net, &beyond) && beyond.coef > 0;
    /* a price alone does not tell how far the market is, and a stop must not be refused for it: it protects */
    const bool far = waits && !legs->alone && check_spread_stop(c, s, &n, stop, sink);
    const bool doubted = legs->doubted && (!waits || far);
    const int32_t away = doubted ? og_collar_doubtful_away(c, s, legs->alone, og_net_pays(&n, net)) : away_of(c, s);

    if (!far) {
        if ((waits && !og_money_add(n.ask, beyond, &n.ask)) || /* from here on n is the market at the stop */
            !og_order_wants_limit(o) || !og_net_is_away(&n, o->limit, net, away) || is_step_from_net(c, &n))
            return false;
        found_spread(c, &n, away, waits, sink);
    }
    if (doubted)
        og_collar_add_doubt(c, legs->quote, o->leg[legs->at].symbol, sink);
    return true;
}

/* Report a leg without a fresh quote, or with a quote that lacks the price at which the leg trades. */
static void say_unheld(const struct og_case *c, const struct og_leg *l, struct og_sink *sink)
{
    const struct og_reason *r = &og_collar_reasons[OG_COLLAR_UNHELD];

    if (l->symbol.len && l->side && og_need(c, sink, r, OG_FACT_QUOTE, l->symbol, "/limitPrice"))
        OG_FIND(sink, r, "/limitPrice", og_a_text(l->side == OG_BUY ? "ask" : "bid"), og_a_str(l->symbol));
}

void og_collar_check_spread(const struct og_case *c, const struct og_collar *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;
    struct legs legs, guessed;

    sum_legs(c, AS_WORTHLESS, &legs);
    if (legs.known && check_net(c, s, &legs, sink))
        return;
    if (legs.known && legs.bidless) {
        sum_legs(c, AS_GUESSED, &guessed);
        if (guessed.known && check_net(c, s, &guessed, sink))
            return;
    }
    if (legs.known && !legs.doubted)
        return;
    if (s->quote == OG_COLLAR_QUOTE_REQUIRED && og_order_wants_limit(o) && legs.at < o->legs_kept)
        say_unheld(c, &o->leg[legs.at], sink);
}

void og_collar_check_market_spread(const struct og_case *c, const struct og_collar *s, struct og_sink *sink)
{
    const struct og_order *o = c->order;

    for (int i = 0; i < o->legs_kept; i++) {
        const struct og_leg *l = &o->leg[i];
        const struct og_quote *q = raw_quote(c, l);
        const bool sound = q && q->fault == OG_QUOTE_SOUND && og_collar_is_fresh(c, q);

        if (!l->symbol.len || !l->side)
            continue;
        if (o->type == OG_MARKET && !(sound && (l->side == OG_BUY ? q->has_ask : q->has_bid))) {
            og_collar_say_unbounded(l->symbol, l->side, sink);
            if (q)
                og_collar_add_doubt(c, q, (struct og_str){ NULL, 0 }, sink);
            return;
        }
        if (sound && og_collar_check_width(c, s, l->symbol, q, sink))
            return;
    }
}
