/*
 * Matching. Market orders fill at the touch (the ask to buy, the bid to sell), limit orders at the touch if it is
 * within their limit, stop orders once the quote reaches the stop, multi-leg orders at the net price of their legs.
 * Liquidity is not modeled: only the size of the quote, if it has one, limits a fill.
 */
#include "paper/match.h"

#include "paper/db.h"
#include "paper/history.h"
#include "paper/hours.h"
#include "paper/hub.h"
#include "paper/paper.h"
#include "paper/strategy.h"

/* Get the price that a side pays or receives now, in millionths, and the size available at that price. Returns false if
 * there is no price. */
static bool price_at_touch(struct og_paper *p, const struct og_paper_symbol *symbol, bool buy, int64_t *price,
                           int64_t *size)
{
    struct og_paper_quote q;

    if (!symbol || !og_paper_market_quote(&p->market, symbol, &q))
        return false;
    *price = buy ? q.ask : q.bid;
    *size = buy ? q.ask_size : q.bid_size;
    return *price > 0;
}

/* Get the net price of a multi-leg order, per share of its unit; it is positive if it is paid. A stock leg has ratio
 * 100, and a contract is for 100 shares. */
static bool net_touch(struct og_paper_order *o, int64_t *net)
{
    int64_t price, size, part;
    int i;

    *net = 0;
    for (i = 0; i < o->ticket.legs; i++) {
        bool buy = o->ticket.leg[i].side == OG_TICKET_SIDE_BUY;

        if (!price_at_touch(o->paper, o->leg[i].symbol, buy, &price, &size))
            return false;
        part = og_dec_scale(price, o->ticket.leg[i].ratio);
        if (!o->leg[i].symbol->option)
            part /= 100;
        *net = og_dec_add(*net, buy ? part : -part);
    }
    return true;
}

/* Returns true if a stop is triggered: the price at which the order would trade now, or the price of the last trade,
 * has reached the stop price. */
static bool stop_reached(const struct og_paper_order *o, int64_t price, bool buy)
{
    struct og_paper_quote q;

    if (o->ticket.security == OG_TICKET_MLEG)
        return buy ? price >= o->ticket.stop : price <= o->ticket.stop;
    if (!og_paper_market_quote(&o->paper->market, o->symbol, &q))
        return false;
    return buy ? price >= o->ticket.stop || q.last >= o->ticket.stop
               : price <= o->ticket.stop || q.last <= o->ticket.stop;
}

static bool can_fill(struct og_paper_order *o, int64_t price, bool buy)
{
    const struct og_paper_ticket *t = &o->ticket;

    if ((t->type == OG_TICKET_TYPE_STOP || t->type == OG_TICKET_TYPE_STOP_LIMIT) && !o->triggered) {
        if (!stop_reached(o, price, buy))
            return false;
        o->triggered = true;
        og_paper_order_mark_changed(o);
    }
    if (t->type == OG_TICKET_TYPE_MARKET || t->type == OG_TICKET_TYPE_STOP)
        return true;
    return buy ? price <= t->limit : price >= t->limit;
}

/* Charge a fill, and apply it to the account and its history. */
static void apply_fill(struct og_paper_order *o, struct og_paper_fill fill)
{
    og_paper_history_charge(o->paper, &fill);
    og_paper_account_fill(o->paper, o->account, &fill);
    og_paper_history_add(o, &fill);
}

static void fill_single(struct og_paper_order *o)
{
    const struct og_paper_ticket *t = &o->ticket;
    bool buy = t->side == OG_TICKET_SIDE_BUY, open = t->effect == OG_TICKET_EFFECT_OPEN;
    int64_t price, size, quantity = og_paper_order_leaves(o), tied;

    if (!price_at_touch(o->paper, o->symbol, buy, &price, &size) || !can_fill(o, price, buy))
        return;
    if (size != OG_NO_SIZE && size < quantity)
        quantity = size;
    if (quantity <= 0 || (t->tif == OG_TICKET_TIF_FOK && quantity < t->quantity))
        return;
    /* a bought lot uses the buying power that was paid for it, a sold lot the part that the order had reserved */
    tied = buy ? og_dec_scale(price, quantity * (o->symbol->option ? 100 : 1))
               : og_dec_share(o->need, quantity, t->quantity);
    og_paper_order_fill(o, quantity, price);
    apply_fill(o, (struct og_paper_fill){ o->symbol, buy, open, OG_DEC(quantity), price, open ? tied : 0, 0, 0 });
}

static void fill_leg(struct og_paper_order *o, int i, int64_t quantity)
{
    struct og_paper_leg_state *leg = &o->leg[i];
    int64_t size;

    price_at_touch(o->paper, leg->symbol, o->ticket.leg[i].side == OG_TICKET_SIDE_BUY, &leg->last_price, &size);
    leg->last_quantity = quantity * o->ticket.leg[i].ratio;
    leg->filled += leg->last_quantity;
    leg->value = og_dec_add(leg->value, og_dec_scale(leg->last_price, leg->last_quantity));
}

static void fill_multi(struct og_paper_order *o)
{
    const struct og_paper_ticket *t = &o->ticket;
    bool buy = og_paper_strategy_net(t) == OG_TICKET_SIDE_BUY;
    int64_t net, quantity = og_paper_order_leaves(o), tied = o->need;
    int i;

    if (!net_touch(o, &net))
        return;
    if (!buy)
        net = -net; /* the net price is received instead of paid */
    if (!can_fill(o, net, buy) || net < 0)
        return;
    for (i = 0; i < t->legs; i++)
        fill_leg(o, i, quantity);
    if (buy)
        tied = og_dec_scale(net, quantity * 100);
    og_paper_order_fill(o, quantity, net);
    /* the buying power of the whole spread is assigned to its first opening leg */
    for (i = 0; i < t->legs; i++) {
        bool open = t->leg[i].effect == OG_TICKET_EFFECT_OPEN;

        apply_fill(o, (struct og_paper_fill){ o->leg[i].symbol, t->leg[i].side == OG_TICKET_SIDE_BUY, open,
                                              OG_DEC(quantity * t->leg[i].ratio), o->leg[i].last_price, open ? tied : 0,
                                              0, 0 });
        if (open)
            tied = 0;
    }
}

static bool may_trade(struct og_paper_order *o)
{
    int64_t now = og_paper_clock_now(&o->paper->clock);

    if (!o->working || !o->acknowledged || o->status == OG_ST_DONE_FOR_DAY)
        return false;
    if (og_paper_hours_regular(o->paper, now))
        return true;
    return o->ticket.security == OG_TICKET_STOCK && og_paper_tif_is_extended(o->ticket.tif) &&
           og_paper_hours_extended(o->paper, now);
}

void og_paper_match_order(struct og_paper_order *o, bool first)
{
    if (first && o->ticket.tif == OG_TICKET_TIF_OPENING &&
        og_paper_hours_regular(o->paper, og_paper_clock_now(&o->paper->clock))) {
        og_paper_order_end(o, OG_ST_EXPIRED, NULL); /* the order is for the opening, but was placed after it */
        return;
    }
    if (may_trade(o)) {
        if (o->ticket.security == OG_TICKET_MLEG)
            fill_multi(o);
        else
            fill_single(o);
    }
    if (first && o->working && (o->ticket.tif == OG_TICKET_TIF_IOC || o->ticket.tif == OG_TICKET_TIF_FOK))
        og_paper_order_end(o, OG_ST_CANCELED, NULL);
}

/* Try to fill every working order in this root, oldest first. For an order that waits for its first try this is it:
 * when its timer fires it is not tried again, by which the same quote could fill it twice. */
static void match_root(struct og_paper_symbol *root)
{
    struct og_paper_order *o, *next;

    for (o = root->first; o; o = next) {
        next = o->work_next;
        if (!og_paper_order_first_try(o))
            og_paper_match_order(o, false);
    }
}

void og_paper_match_quote(struct og_paper *p, struct og_paper_symbol *symbol, const struct og_paper_quote *quote)
{
    og_paper_market_set(&p->market, symbol, quote);
    match_root(symbol->root);
    og_paper_hub_prices(p, symbol->root);
    og_paper_db_put(p, OG_TABLE_SYMBOLS, symbol, NULL);
}

void og_paper_match_computed(struct og_paper *p, struct og_paper_symbol *contract)
{
    if (contract->state == OG_QUOTE_NONE)
        return;
    contract->state = OG_QUOTE_NONE;
    contract->quote = (struct og_paper_quote){ .bid_size = OG_NO_SIZE, .ask_size = OG_NO_SIZE };
    match_root(contract->root);
    og_paper_hub_prices(p, contract->root);
    og_paper_db_put(p, OG_TABLE_SYMBOLS, contract, NULL);
}
