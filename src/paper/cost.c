/*
 * Buying power and option levels as the paper brokerage computes them. Portfolio margin is not modeled: each order
 * requires buying power by itself, except that shares may cover a call and cash may secure a put.
 */
#include "paper/cost.h"

#include "paper/account.h"
#include "paper/paper.h"
#include "paper/strategy.h"

#define CONTRACT 100

static int64_t price_of(struct og_paper *p, const struct og_paper_ticket *t, const struct og_paper_symbol *symbol)
{
    struct og_paper_quote q;
    int64_t price = 0;

    if (t->type == OG_TICKET_TYPE_LIMIT || t->type == OG_TICKET_TYPE_STOP_LIMIT)
        return t->limit;
    if (symbol && og_paper_market_quote(&p->market, symbol, &q))
        price = t->side == OG_TICKET_SIDE_SELL ? q.bid : q.ask;
    /* a buy stop does not fill below its stop price */
    return t->type == OG_TICKET_TYPE_STOP && t->stop > price ? t->stop : price;
}

static int64_t stock_price(struct og_paper *p, const struct og_paper_symbol *root, int64_t otherwise)
{
    struct og_paper_quote q;

    return root && og_paper_market_quote(&p->market, root, &q) ? q.last : otherwise;
}

/* Returns the requirement of a naked contract: the premium, plus a fraction of the underlying's value, less the amount
 * by which the contract is out of the money. The requirement is at least the premium plus a smaller fraction (of the
 * underlying for a call, of the strike for a put). */
static int64_t naked_requirement(struct og_paper *p, const struct og_paper_symbol *s, int64_t premium)
{
    const struct og_paper_contract *c = &s->contract;
    int64_t under = stock_price(p, s->root, c->strike);
    int64_t out = c->call ? c->strike - under : under - c->strike;
    int64_t most = og_dec_times(under, p->margin.naked) - (out > 0 ? out : 0);
    int64_t least = og_dec_times(c->call ? under : c->strike, p->margin.least);

    return og_dec_scale(og_dec_add(premium, most > least ? most : least), CONTRACT);
}

/* Returns true if the lot consists of long contracts that cover the sold contract: with the same root and type, no
 * earlier expiry and no worse strike. */
static bool covers(const struct og_paper_lot *lot, const struct og_paper_contract *sold,
                   const struct og_paper_symbol *root)
{
    const struct og_paper_contract *c = &lot->symbol->contract;

    return lot->symbol->option && lot->is_long && lot->symbol->root == root && c->call == sold->call &&
           c->date >= sold->date && (c->call ? c->strike <= sold->strike : c->strike >= sold->strike);
}

/* Returns the number of long contracts that could cover the sold contract. */
static int64_t covering_contracts(const struct og_paper_account *account, const struct og_paper_contract *sold,
                                  const struct og_paper_symbol *root)
{
    const struct og_paper_lot *lot;
    int64_t contracts = 0;

    for (lot = account->lots; lot; lot = lot->next)
        if (covers(lot, sold, root))
            contracts += lot->shares / OG_DEC_ONE;
    return contracts;
}

/* Returns the number of short calls that no long call covers; each long call covers one short call. */
static int64_t uncovered_calls(const struct og_paper_account *account, const struct og_paper_symbol *root)
{
    const struct og_paper_lot *lot;
    int64_t bare = 0, used = 0, cover, size;

    for (lot = account->lots; lot; lot = lot->next) {
        if (!lot->symbol->option || lot->symbol->root != root || !lot->symbol->contract.call || lot->is_long)
            continue;
        size = lot->shares / OG_DEC_ONE;
        cover = covering_contracts(account, &lot->symbol->contract, root) - used;
        cover = cover < 0 ? 0 : cover > size ? size : cover;
        used += cover;
        bare += size - cover;
    }
    return bare;
}

/* Returns the number of shares that working orders sell, or that they need as cover for calls that they sell. */
static int64_t committed_shares(const struct og_paper_account *account, const struct og_paper_symbol *root)
{
    const struct og_paper_order *o;
    int64_t shares = 0;

    for (o = account->working; o; o = o->next_working) {
        const struct og_paper_ticket *t = &o->ticket;

        if (t->security == OG_TICKET_MLEG || !o->symbol || o->symbol->root != root || t->side != OG_TICKET_SIDE_SELL)
            continue;
        if (!o->symbol->option && t->effect == OG_TICKET_EFFECT_CLOSE)
            shares += og_paper_order_leaves(o);
        else if (o->symbol->option && o->symbol->contract.call && t->effect == OG_TICKET_EFFECT_OPEN)
            shares += og_paper_order_leaves(o) * CONTRACT;
    }
    return shares;
}

/* Returns the number of contracts that shares which are not committed could cover. */
static int64_t coverable_contracts(const struct og_paper_order *o, const struct og_paper_symbol *root)
{
    int64_t shares = og_paper_account_held(o->account, root, true) / OG_DEC_ONE -
                     CONTRACT * uncovered_calls(o->account, root) - committed_shares(o->account, root);

    return shares > 0 ? shares / CONTRACT : 0;
}

static int64_t cash_to_secure(const struct og_paper_symbol *s, int64_t quantity)
{
    return og_dec_scale(s->contract.strike, CONTRACT * quantity);
}

static int64_t single_cost(struct og_paper *p, const struct og_paper_order *o)
{
    const struct og_paper_ticket *t = &o->ticket;
    const struct og_paper_symbol *s = o->symbol;
    int64_t price = price_of(p, t, s);

    if (t->effect == OG_TICKET_EFFECT_CLOSE)
        return 0;
    if (t->security == OG_TICKET_STOCK)
        return og_dec_scale(price, t->quantity);
    if (t->side == OG_TICKET_SIDE_BUY || !s)
        return og_dec_scale(price, t->quantity * CONTRACT);
    if (s->contract.call && coverable_contracts(o, s->root) >= t->quantity)
        return 0;
    if (o->account->figure[OG_FIG_LEVEL] >= 4 * OG_DEC_ONE)
        return og_dec_scale(naked_requirement(p, s, price), t->quantity);
    return s->contract.call ? og_dec_scale(s->contract.strike, t->quantity * CONTRACT) : cash_to_secure(s, t->quantity);
}

/* Returns the value of one unit's legs at expiry, per share, if the underlying's price is `under`. */
static int64_t payoff(const struct og_paper_order *o, int64_t under)
{
    int64_t sum = 0, worth;
    int i;

    for (i = 0; i < o->ticket.legs; i++) {
        const struct og_paper_contract *c = &o->leg[i].symbol->contract;

        worth = c->call ? under - c->strike : c->strike - under;
        if (worth > 0)
            sum += (o->ticket.leg[i].side == OG_TICKET_SIDE_BUY ? worth : -worth) * o->ticket.leg[i].ratio;
    }
    return sum;
}

/* Set *loss to the maximum loss at expiry of a spread that has only options; it occurs at price zero or at a strike.
 * Returns false if the loss is unbounded, because more calls are sold than bought. */
static bool worst_loss(const struct og_paper_order *o, int64_t *loss)
{
    int64_t calls = 0, at = -payoff(o, 0);
    int i;

    *loss = at > 0 ? at : 0;
    for (i = 0; i < o->ticket.legs; i++) {
        const struct og_paper_contract *c = &o->leg[i].symbol->contract;

        at = -payoff(o, c->strike);
        if (at > *loss)
            *loss = at;
        if (c->call)
            calls += o->ticket.leg[i].side == OG_TICKET_SIDE_BUY ? o->ticket.leg[i].ratio : -o->ticket.leg[i].ratio;
    }
    return calls >= 0;
}

static bool legs_known(const struct og_paper_order *o, bool *stock, bool *opens)
{
    int i;

    *stock = *opens = false;
    for (i = 0; i < o->ticket.legs; i++) {
        if (!o->leg[i].symbol)
            return false;
        *stock = *stock || !o->leg[i].symbol->option;
        *opens = *opens || o->ticket.leg[i].effect == OG_TICKET_EFFECT_OPEN;
    }
    return true;
}

/* Returns the larger of the naked requirements of the two legs of a short straddle or strangle. */
static int64_t larger_naked_leg(struct og_paper *p, const struct og_paper_order *o)
{
    int64_t most = 0, one;
    int i;

    for (i = 0; i < o->ticket.legs; i++) {
        one = o->ticket.leg[i].side == OG_TICKET_SIDE_SELL ? naked_requirement(p, o->leg[i].symbol, 0) : 0;
        if (one > most)
            most = one;
    }
    return most;
}

static int64_t market_net(struct og_paper *p, const struct og_paper_order *o)
{
    struct og_paper_quote q;
    int64_t net = 0, price;
    int i;

    for (i = 0; i < o->ticket.legs; i++) {
        if (!og_paper_market_quote(&p->market, o->leg[i].symbol, &q))
            return 0;
        price = og_dec_scale(o->ticket.leg[i].side == OG_TICKET_SIDE_BUY ? q.ask : -q.bid, o->ticket.leg[i].ratio);
        net = og_dec_add(net, o->leg[i].symbol->option ? price : price / CONTRACT);
    }
    return net < 0 ? -net : net;
}

static int64_t multi_cost(struct og_paper *p, const struct og_paper_order *o)
{
    const struct og_paper_ticket *t = &o->ticket;
    bool stock, opens, limited = t->type == OG_TICKET_TYPE_LIMIT || t->type == OG_TICKET_TYPE_STOP_LIMIT;
    int64_t net, loss;

    if (!legs_known(o, &stock, &opens) || !opens)
        return 0;
    net = limited ? t->limit : market_net(p, o);
    if (og_paper_strategy_net(t) == OG_TICKET_SIDE_BUY)
        return og_dec_scale(net, t->quantity * CONTRACT);
    if (stock)
        return 0;
    if (!worst_loss(o, &loss) ||
        (t->leg[0].side == OG_TICKET_SIDE_SELL && t->leg[1].side == OG_TICKET_SIDE_SELL && t->legs == 2))
        return og_dec_scale(larger_naked_leg(p, o), t->quantity);
    loss = og_dec_add(loss, -net);
    return og_dec_scale(loss > 0 ? loss : 0, t->quantity * CONTRACT);
}

int64_t og_paper_cost(struct og_paper *p, const struct og_paper_order *o)
{
    return o->ticket.security == OG_TICKET_MLEG ? multi_cost(p, o) : single_cost(p, o);
}

static int single_level(const struct og_paper_order *o)
{
    const struct og_paper_ticket *t = &o->ticket;
    const struct og_paper_contract *c = &o->symbol->contract;
    int64_t covered = coverable_contracts(o, o->symbol->root);

    if (t->side == OG_TICKET_SIDE_BUY)
        return !c->call && covered >= t->quantity ? 1 : 2;
    if (c->call ? covered >= t->quantity : o->account->figure[OG_FIG_CASH] >= cash_to_secure(o->symbol, t->quantity))
        return 1;
    return (c->call ? covered : 0) + covering_contracts(o->account, c, o->symbol->root) >= t->quantity ? 3 : 4;
}

static int multi_level(const struct og_paper_order *o)
{
    const struct og_paper_ticket *t = &o->ticket;
    bool stock, opens;

    if (!legs_known(o, &stock, &opens) || !opens)
        return 0;
    if (stock)
        return 1;
    return t->legs == 2 && t->leg[0].side == OG_TICKET_SIDE_SELL && t->leg[1].side == OG_TICKET_SIDE_SELL ? 4 : 3;
}

int og_paper_cost_level(const struct og_paper_order *o)
{
    if (o->ticket.security == OG_TICKET_MLEG)
        return multi_level(o);
    if (o->ticket.security != OG_TICKET_OPTION || o->ticket.effect == OG_TICKET_EFFECT_CLOSE || !o->symbol)
        return 0;
    return single_level(o);
}
