/*
 * An order's buying power.  Stock, and options bought where nothing is written, are notional and seen at once; for the rest
 * the contracts of the order's root are put into a book and charged with and without the order.
 * It refuses to guess a price, and to let a working order that may never fill pay for another.
 */
#include "margin/margin.h"

#include "margin/cost.h"
#include "margin/requirement.h"
#include "order/roots.h"

#include "base/banned.h"

#define CONTRACT 100
#define SIZE_MOST INT64_C(1000000000000)

/* One option contract or stock that an order trades. */
struct part {
    struct og_str symbol;
    const struct og_occ *occ; /* .is false: stock */
    enum og_side side;
    bool opens;
    int64_t size;
};

struct parts {
    struct part part[OG_LEGS_KEPT];
    int count;
    bool opens, closes, stock, sells;
    struct og_str root;
};

/* Shares beside the contracts, as their lines have them. */
struct shares {
    int64_t held_long, held_short, coming_long, coming_short, order_long, order_short;
};

/* An order on a root with options. */
struct asked {
    const struct og_margin_question *q;
    struct og_margin *m;
    struct parts parts;
    struct og_str under; /* whose price counts */
    struct shares shares;
    bool coming;          /* some order on the root still works */
    struct og_money cash; /* paid; below 0: received */
    struct og_margin_book book;
};

static const struct og_money zero = { 0, 0 };

static bool is_fresh(const struct og_margin_question *q, const struct og_quote *quote)
{
    return quote && og_fact_is_fresh(quote->as_of, q->now, q->quote_age);
}

static const struct og_quote *quote_of(const struct og_margin_question *q, struct og_str symbol)
{
    const struct og_quote *quote = og_facts_quote(q->facts, symbol);

    return is_fresh(q, quote) ? quote : NULL;
}

static void answer(struct og_margin *m, enum og_margin_state state, const char *why)
{
    m->state = state;
    m->why = why;
}

static void needs_quote(struct og_margin *m, struct og_str symbol)
{
    m->state = OG_MARGIN_NEEDS_QUOTE;
    m->needs = symbol;
}

/* ---- what the order trades ---- */

static bool add_part(struct parts *p, struct part x)
{
    if (x.side == OG_SIDE_NONE || x.size <= 0 || x.size > SIZE_MOST)
        return false;
    p->opens |= x.opens;
    p->closes |= !x.opens;
    p->stock |= !x.occ->is;
    p->sells |= x.side == OG_SELL;
    if (x.occ->is) {
        if (p->root.len && !og_str_eq(p->root, x.occ->root))
            return false;
        p->root = x.occ->root;
    }
    p->part[p->count++] = x;
    return true;
}

/* false: not well formed. */
static bool parts_of(const struct og_order *o, struct parts *p)
{
    *p = (struct parts){ .count = 0 };
    if (o->quantity == 0 || o->leg_count > o->legs_kept)
        return false;
    if (o->security != OG_MLEG)
        return o->open_close != OG_OPEN_CLOSE_NONE &&
               add_part(p, (struct part){ o->symbol, &o->occ, o->side, o->open_close == OG_OPEN, o->quantity });
    for (int i = 0; i < o->leg_count; i++) {
        const struct og_leg *l = &o->leg[i];

        if (l->open_close == OG_OPEN_CLOSE_NONE ||
            !add_part(p, (struct part){ l->symbol, &l->occ, l->side, l->open_close == OG_OPEN, l->ratio * o->quantity }))
            return false;
    }
    return p->count > 0;
}

/* ---- notional, and fees ---- */

static bool is_free(const struct og_margin_question *q)
{
    return !q->per_contract.coef && !q->per_share.coef && !q->per_locate.coef;
}

/* By contract, by share, and for shares to be borrowed that are not known to be easy to borrow. */
static bool add_fees(const struct og_margin_question *q, struct og_money *dollars)
{
    struct parts parts;
    struct og_money more;

    if (is_free(q) || !parts_of(q->order, &parts))
        return true;
    for (int i = 0; i < parts.count; i++) {
        const struct part *x = &parts.part[i];
        const struct og_borrow *b = x->occ->is ? NULL : og_facts_borrow(q->facts, x->symbol);

        if (!og_money_times(x->occ->is ? q->per_contract : q->per_share, x->size, &more) ||
            !og_money_add(*dollars, more, dollars))
            return false;
        if (x->occ->is || x->side != OG_SELL || !x->opens || (b && b->easy))
            continue;
        if (!og_money_times(q->per_locate, x->size, &more) || !og_money_add(*dollars, more, dollars))
            return false;
    }
    return true;
}

static void known(const struct og_margin_question *q, struct og_margin *m, struct og_money required,
                  struct og_money proceeds, const char *model)
{
    m->model = model;
    m->proceeds = proceeds;
    m->state = add_fees(q, &required) && og_money_add(required, proceeds, &m->gross) ? OG_MARGIN_KNOWN
                                                                                     : OG_MARGIN_OUT_OF_RANGE;
    m->required = required;
}

/* By what the order says it costs (cost.h); the quote is that of its own symbol. */
static void notional(const struct og_margin_question *q, struct og_margin *m, const char *model)
{
    struct og_money cost;

    switch (og_order_cost(q->order, q->mleg, is_fresh(q, q->quote) ? q->quote : NULL, &cost)) {
    case OG_COST_NONE: answer(m, OG_MARGIN_NOTHING, NULL); break;
    case OG_COST_KNOWN: known(q, m, cost, zero, model); break;
    case OG_COST_NEEDS_QUOTE: needs_quote(m, q->order->symbol); break;
    case OG_COST_NOT_MODELLED: answer(m, OG_MARGIN_NOT_MODELLED, NULL); break;
    case OG_COST_OUT_OF_RANGE: answer(m, OG_MARGIN_OUT_OF_RANGE, NULL); break;
    }
}

/* ---- the book ---- */

static bool counted(struct og_money size, int64_t *n)
{
    *n = og_money_floor(size);
    return *n <= SIZE_MOST;
}

static bool sizes_of(const struct og_holding *h, int64_t *held_long, int64_t *held_short, int64_t *coming_long,
                     int64_t *coming_short)
{
    struct og_money longs;

    if (!og_money_sub(h->held_long, h->closing_sells, &longs) || !counted(longs, held_long) ||
        !counted(h->held_short, held_short) || !counted(h->opening_buy_leaves, coming_long) ||
        !counted(h->opening_sell_leaves, coming_short))
        return false;
    if (*held_long < 0)
        *held_long = 0;
    return true;
}

/* What one contract is worth: by the quote, the offer first, for it is what a short costs to buy back; else what was paid. */
static void price_line(const struct og_margin_question *q, const struct og_holding *h, struct og_margin_line *l)
{
    const struct og_quote *quote = quote_of(q, h->traded);
    og_wide count = ((og_wide)l->held_long + l->held_short + l->coming_long + l->coming_short) * CONTRACT;

    if (quote && (quote->has_ask || quote->has_last || quote->has_bid)) {
        l->priced = og_margin_millionths(quote->has_ask    ? quote->ask
                                         : quote->has_last ? quote->last
                                                           : quote->bid, &l->price);
    } else if (!h->unpriced && count > 0 && h->value / count < SIZE_MOST) {
        l->price = (int64_t)((h->value * 10000 + count - 1) / count); /* cents to millionths */
        l->priced = true;
    }
}

/* Contracts in the order that lines have, so that each is put at the end. */
struct entry {
    int64_t key;
    const struct og_holding *h;
};

static void sort(struct entry *e, int count)
{
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int i = gap; i < count; i++) {
            struct entry x = e[i];
            int k = i;

            for (; k >= gap && e[k - gap].key > x.key; k -= gap)
                e[k] = e[k - gap];
            e[k] = x;
        }
}

static bool add_holding(struct asked *a, const struct og_holding *h)
{
    struct og_margin_line *l = og_margin_line_of(&a->book, h->occ.expiry, h->occ.strike * 1000, h->occ.type);

    if (!l || !sizes_of(h, &l->held_long, &l->held_short, &l->coming_long, &l->coming_short))
        return false;
    a->coming |= l->coming_long || l->coming_short;
    if (l->held_short || l->coming_short)
        price_line(a->q, h, l);
    return true;
}

static bool add_holdings(struct asked *a)
{
    struct entry entry[OG_MARGIN_MOST];
    int count = 0;

    for (const struct og_holding *h = og_facts_contracts(a->q->facts, a->parts.root); h; h = h->next_of_root) {
        if (count == OG_MARGIN_MOST)
            return false;
        entry[count++] = (struct entry){ ((int64_t)h->occ.expiry << 28) + h->occ.strike * 2 + (h->occ.type == 'P'), h };
    }
    sort(entry, count);
    for (int i = 0; i < count; i++)
        if (!add_holding(a, entry[i].h))
            return false;
    return true;
}

static bool add_shares(struct asked *a, struct og_str ticker)
{
    struct shares *s = &a->shares;
    const struct og_holding *h = ticker.len ? og_facts_holding(a->q->facts, ticker) : NULL;

    if (!h)
        return true;
    if (!sizes_of(h, &s->held_long, &s->held_short, &s->coming_long, &s->coming_short))
        return false;
    a->coming |= s->coming_long || s->coming_short;
    return true;
}

/* How the part changes longs and shorts; the line it is on, NULL for stock. */
static bool add_order_part(struct asked *a, const struct part *x)
{
    int64_t *longs = &a->shares.order_long, *shorts = &a->shares.order_short;
    struct og_margin_line *l;

    if (x->occ->is) {
        l = og_margin_line_of(&a->book, x->occ->expiry, x->occ->strike * 1000, x->occ->type);
        if (!l)
            return false;
        longs = &l->order_long;
        shorts = &l->order_short;
    }
    if (x->opens)
        *(x->side == OG_BUY ? longs : shorts) += x->size;
    else
        *(x->side == OG_SELL ? longs : shorts) -= x->size;
    return true;
}

static bool add_order(struct asked *a)
{
    for (int i = 0; i < a->parts.count; i++)
        if (!add_order_part(a, &a->parts.part[i]))
            return false;
    return true;
}

/* Only what the order touches is searched for the cheapest pairing: the rest stays as it is, before and after. */
static void mark_searched(struct asked *a)
{
    for (int i = 0; i < a->parts.count; i++)
        for (int k = 0; k < a->book.count; k++)
            if (!a->parts.part[i].occ->is || a->book.line[k].expiry == a->parts.part[i].occ->expiry)
                a->book.line[k].searched = true;
}

static struct og_margin_line *line_of(struct asked *a, const struct part *x)
{
    return og_margin_line_of(&a->book, x->occ->expiry, x->occ->strike * 1000, x->occ->type); /* it is there */
}

static void price_under(struct asked *a)
{
    const struct og_quote *quote = quote_of(a->q, a->under);

    if (quote && (quote->has_last || quote->has_ask || quote->has_bid))
        a->book.has_under = og_margin_millionths(quote->has_last  ? quote->last
                                               : quote->has_ask ? quote->ask
                                                                : quote->bid, &a->book.under);
}

/* ---- what is paid or received ---- */

/* The order's limit, or what its quote says; a close is not taken to fetch more than is bid. */
static bool single_price(const struct asked *a, struct og_money *price)
{
    const struct og_order *o = a->q->order;
    const struct og_quote *quote = is_fresh(a->q, a->q->quote) ? a->q->quote : NULL;
    bool has = quote && (o->side == OG_BUY ? quote->has_ask : quote->has_bid);

    if (!og_order_wants_limit(o)) {
        if (has)
            *price = o->side == OG_BUY ? quote->ask : quote->bid;
        return has;
    }
    *price = o->limit;
    if (has && !a->parts.opens && o->side == OG_SELL && og_money_cmp(quote->bid, *price) < 0)
        *price = quote->bid;
    return true;
}

/* The legs alone, at expiry; mirrored: as who takes the other side has them.  It uses up the book. */
static bool legs_lose(struct asked *a, bool mirrored)
{
    og_wide loss;

    a->book.count = 0;
    for (int i = 0; i < a->parts.count; i++) {
        const struct part *x = &a->parts.part[i];
        struct og_margin_line *l = line_of(a, x); /* there is room for legs */

        *((x->side == OG_BUY) != mirrored ? &l->longs : &l->shorts) += x->size;
    }
    return !og_margin_loss(&a->book, &loss) || loss > 0;
}

/* Legs that can only cost at expiry bring a credit, those that can only pay are paid for.  Where both may be the limit counts
 * as paid, which is the worse. */
static bool is_credit(struct asked *a)
{
    return a->parts.stock ? a->q->mleg->net == OG_CREDIT : legs_lose(a, false) && !legs_lose(a, true);
}

/* The net by the quotes of the legs, for one unit; bought at the offer, sold at the bid. */
static bool net_of_quotes(const struct asked *a, struct og_money *net)
{
    const struct og_order *o = a->q->order;
    struct og_money more;

    *net = zero;
    for (int i = 0; i < o->leg_count; i++) {
        const struct og_leg *l = &o->leg[i];
        const struct og_quote *quote = quote_of(a->q, l->symbol);
        bool buys = l->side == OG_BUY;

        if (!quote || !(buys ? quote->has_ask : quote->has_bid) ||
            !og_money_times(buys ? quote->ask : quote->bid, buys ? l->ratio : -l->ratio, &more) ||
            (!l->occ.is && !og_money_mul(more, (struct og_money){ 1, 2 }, &more)) || !og_money_add(*net, more, net))
            return false;
    }
    return true;
}

/* What is paid for the whole order; false: an answer was given. */
static bool price_order(struct asked *a)
{
    const struct og_order *o = a->q->order;
    struct og_money price;
    bool credit = false;

    if (og_order_wants_limit(o) && (!og_order_ok(o, OG_KEY_LIMIT_PRICE) || o->limit.coef <= 0)) {
        answer(a->m, OG_MARGIN_NOT_MODELLED, NULL);
    } else if (o->security != OG_MLEG && !single_price(a, &price)) {
        needs_quote(a->m, o->symbol);
    } else if (o->security == OG_MLEG && !og_order_wants_limit(o) && !net_of_quotes(a, &price)) {
        answer(a->m, OG_MARGIN_NO_PRICE, NULL);
    } else {
        if (o->security != OG_MLEG)
            credit = o->side == OG_SELL;
        else if (og_order_wants_limit(o)) {
            price = o->limit;
            credit = is_credit(a);
        }
        if (og_money_times(price, credit ? -CONTRACT : CONTRACT, &price) &&
            og_money_times(price, o->quantity, &a->cash))
            return true;
        answer(a->m, OG_MARGIN_OUT_OF_RANGE, NULL);
    }
    return false;
}

/* ---- the premium of the order's own shorts ---- */

static bool price_as(struct og_margin_line *l, struct og_money price, bool shared)
{
    l->priced = !shared;
    l->shared = shared;
    return og_margin_millionths(price, &l->price);
}

/* All legs written, each once a unit: the net is the sum of their premiums, and how it is divided makes no difference. */
static bool is_written(const struct asked *a)
{
    for (int i = 0; i < a->parts.count; i++) {
        const struct part *x = &a->parts.part[i];

        if (!x->occ->is || x->side != OG_SELL || !x->opens || x->size != a->q->order->quantity)
            return false;
    }
    return true;
}

/* What the order writes is charged at the price it is written at; false: out of range. */
static bool price_parts(struct asked *a)
{
    const struct og_order *o = a->q->order;
    bool written = o->security == OG_MLEG && og_order_wants_limit(o) && is_written(a);
    struct og_money price;

    for (int i = 0; i < a->parts.count; i++) {
        const struct part *x = &a->parts.part[i];
        const struct og_holding nothing = { .traded = x->symbol, .unpriced = 1 };
        struct og_margin_line *l = x->occ->is ? line_of(a, x) : NULL;
        bool ok = true;

        if (!l || x->side != OG_SELL || !x->opens)
            continue;
        if (o->security != OG_MLEG)
            ok = single_price(a, &price) && price_as(l, price, false);
        else if (written)
            ok = price_as(l, i == 0 ? o->limit : zero, true);
        else if (!l->priced)
            price_line(a->q, &nothing, l);
        if (!ok)
            return false;
    }
    return true;
}

/* ---- with and without ---- */

static int64_t not_below_0(int64_t n)
{
    return n > 0 ? n : 0;
}

static og_wide required(struct asked *a, const struct og_margin_terms *t, bool ordered, bool longs, bool shorts)
{
    const struct shares *s = &a->shares;
    struct og_margin_book *b = &a->book;

    for (int i = 0; i < b->count; i++) {
        struct og_margin_line *l = &b->line[i];

        l->longs = not_below_0(l->held_long + longs * l->coming_long + ordered * l->order_long);
        l->shorts = not_below_0(l->held_short + shorts * l->coming_short + ordered * l->order_short);
    }
    b->long_lots = not_below_0(s->held_long + longs * s->coming_long + ordered * s->order_long) / CONTRACT;
    b->short_lots = not_below_0(s->held_short + shorts * s->coming_short + ordered * s->order_short) / CONTRACT;
    return og_margin_options(b, t);
}

/* The most the order adds, over what working orders may have become: nothing, what they write, what they buy, all. */
static og_wide added(struct asked *a, enum og_margin_mode mode)
{
    const struct og_margin_terms t = {
        .mode = mode, .rate = a->q->rate, .floor = a->q->floor, .secured_puts = a->q->secured_puts
    };
    og_wide most = 0;

    for (int i = 0; i < (a->coming ? 4 : 1); i++) {
        og_wide more = required(a, &t, true, i & 2, i & 1) - required(a, &t, false, i & 2, i & 1);

        if (i == 0 || more > most)
            most = more;
    }
    return most;
}

/* Whose price is missing: the underlying's, else a contract's that the order sells. */
static struct og_str missing(const struct asked *a)
{
    for (int i = 0; i < a->parts.count && a->book.has_under; i++)
        if (a->parts.part[i].occ->is && a->parts.part[i].side == OG_SELL)
            return a->parts.part[i].symbol;
    return a->under;
}

/* Dollars of buying power that a close of stock gives back. */
static bool freed(const struct asked *a, struct og_money *dollars)
{
    *dollars = zero;
    return a->q->order->security != OG_STOCK || !a->book.has_under ||
           og_margin_dollars((og_wide)a->book.under * a->q->order->quantity / CONTRACT, dollars);
}

static bool sum_up(struct asked *a, og_wide more, struct og_money *total, struct og_money *proceeds)
{
    struct og_money back;

    *proceeds = zero;
    return og_margin_dollars(more, total) && freed(a, &back) && og_money_sub(*total, back, total) &&
           og_money_add(*total, a->cash, total) && (a->cash.coef >= 0 || og_money_sub(zero, a->cash, proceeds));
}

static void conclude(struct asked *a, og_wide more, bool payoff)
{
    struct og_margin *m = a->m;
    struct og_money total, proceeds;

    m->model = payoff ? "payoff" : "strategy";
    m->lonely &= more != 0; /* else nothing that may be held changes it but for the better */
    if (more < -(OG_MARGIN_UNKNOWN / 2)) /* it frees what nobody knows: not counted */
        more = 0;
    if (more > OG_MARGIN_UNKNOWN / 2) {
        if (payoff)
            answer(m, OG_MARGIN_NO_BOUND, NULL);
        else
            needs_quote(m, missing(a));
    } else if (m->closes && more <= 0) {
        m->state = OG_MARGIN_NOTHING;
    } else if (!m->closes || a->q->order->security == OG_STOCK || price_order(a)) {
        if (!sum_up(a, more, &total, &proceeds)) {
            answer(m, OG_MARGIN_OUT_OF_RANGE, NULL);
            return;
        }
        if (!a->book.has_under && more != 0 && !payoff)
            m->needs = a->under;
        known(a->q, m, total, proceeds, more ? m->model : "notional");
        if (m->closes && m->required.coef <= 0)
            m->state = OG_MARGIN_NOTHING;
    }
}

static void by_book(struct asked *a)
{
    og_wide strategy = 0, payoff = 0;
    bool binds;

    a->book.count = 0;
    a->book.has_under = false;
    if (!add_holdings(a) || !add_shares(a, og_root_shares(a->parts.root)) || !add_order(a)) {
        answer(a->m, OG_MARGIN_NOT_MODELLED, "an order on a root with very many contracts");
        return;
    }
    price_under(a);
    if (!price_parts(a)) {
        answer(a->m, OG_MARGIN_OUT_OF_RANGE, NULL);
        return;
    }
    mark_searched(a);
    if (a->q->model != OG_MARGIN_BY_PAYOFF)
        strategy = added(a, OG_MARGIN_STRATEGY);
    if (a->q->model != OG_MARGIN_BY_STRATEGY)
        payoff = added(a, OG_MARGIN_PAYOFF);
    binds = a->q->model == OG_MARGIN_BY_PAYOFF || (a->q->model == OG_MARGIN_BY_BOTH && payoff > strategy);
    conclude(a, binds ? payoff : strategy, binds);
}

/* ---- which way ---- */

static bool has_shorts(const struct og_facts *f, struct og_str root)
{
    return og_facts_shorts(f, root, 'C') || og_facts_shorts(f, root, 'P');
}

/* A put is secured by the whole strike, its premium not counted (S5), unless shares sold short cover it. */
static bool is_secured_put(const struct og_margin_question *q)
{
    const struct og_order *o = q->order;
    const struct og_holding *h;

    if (!q->secured_puts || o->security != OG_OPTION || o->occ.type != 'P' || o->side != OG_SELL ||
        o->open_close != OG_OPEN)
        return false;
    h = og_facts_holding(q->facts, og_root_shares(o->occ.root));
    return !h || og_money_floor(h->held_short) / CONTRACT < o->quantity;
}

/* Nothing is written, and there is nothing written that it could cover. */
static void notional_premium(struct asked *a)
{
    a->m->lonely = false;
    known(a->q, a->m, a->cash, zero, "notional");
}

/* Options, and closes of stock that may uncover some. */
static void by_root(const struct og_margin_question *q, struct og_margin *m, const struct parts *parts)
{
    const struct og_root *root = og_root_find(parts->root);
    bool writes = parts->opens && parts->sells, shorts = has_shorts(q->facts, parts->root);
    struct asked a;

    a.q = q;
    a.m = m;
    a.parts = *parts;
    a.under = root ? og_str_of(root->underlying) : parts->root;
    a.shares = (struct shares){ 0 };
    a.coming = false;
    a.cash = zero;
    if (is_secured_put(q))
        notional(q, m, "cash-secured");
    else if (!parts->opens && (!shorts || (!parts->sells && !parts->stock)))
        m->state = OG_MARGIN_NOTHING;
    else if (parts->opens && !price_order(&a))
        return; /* it said why */
    else if (writes || shorts)
        by_book(&a);
    else
        notional_premium(&a);
}

static bool is_stock_alone(const struct og_margin_question *q)
{
    const struct og_order *o = q->order;

    return o->security == OG_STOCK && (og_order_opens(o) || !og_facts_contracts(q->facts, o->symbol));
}

void og_margin_of(const struct og_margin_question *q, struct og_margin *m)
{
    const struct og_order *o = q->order;
    struct parts parts;
    int64_t as_of;

    *m = (struct og_margin){ .state = OG_MARGIN_NOT_MODELLED };
    if (is_stock_alone(q)) {
        notional(q, m, "notional");
        return;
    }
    if (o->security == OG_OPTION && !og_order_has(o, OG_KEY_OPEN_CLOSE))
        m->why = "an option order without openClose";
    if (!parts_of(o, &parts) || (parts.stock && o->security == OG_MLEG && q->mleg->strategy == OG_STRATEGY_NONE))
        return;
    if (o->security == OG_STOCK)
        parts.root = o->symbol; /* class shares are not looked at: the names of their roots are others */
    m->closes = !parts.opens;
    m->lonely = parts.opens && !og_facts_known(q->facts, OG_FACT_POSITIONS, &as_of);
    if (!parts.root.len || og_root_is_adjusted(parts.root) || og_root_is_flex(parts.root))
        m->why = "a contract that may not be for 100 shares";
    else
        by_root(q, m, &parts);
}
