/*
 * Builds the book for the margin model from an order and the facts of its root.  Rejects orders on several roots,
 * and more contracts than a book holds.  Also says when an upper bound of what the order takes suffices.
 */
#include "margin/inputs.h"

#include "base/attributes.h"
#include "base/gcd.h"
#include "base/money.h"
#include "margin/cover.h"
#include "margin/daytrade.h"
#include "order/roots.h"

#define SIZE_MOST INT64_C(1000000000000)

/* Flags of the parts of an order, collected over all of them. */
enum { OPENS = 1, CLOSES = 2, SELLS = 4, STOCK = 8 };

static inline bool is_part(const struct og_trade *t)
{
    return t->side != OG_SIDE_NONE && t->size > 0 && t->size <= SIZE_MOST;
}

/* Set a part from a trade, and return the trade's flags.  A trade that may open or close counts as opening, because
 * closing the same contracts never takes more buying power. */
static inline unsigned put_part(struct og_margin_part *x, const struct og_trade *t)
{
    x->symbol = t->symbol;
    x->occ = t->occ;
    x->side = t->side;
    x->opens = og_trade_may_open(t);
    x->size = t->size;
    return (x->opens ? OPENS : CLOSES) | (t->side == OG_SELL ? SELLS : 0) | (t->occ->is ? 0 : STOCK);
}

static OG_HOT OG_NOINLINE bool add_legs(const struct og_order *o, struct og_margin_parts *p, unsigned *what)
{
    const struct og_occ *first = NULL;

    for (int i = 0; i < o->leg_count; i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (!is_part(&t) || (t.occ->is && first && !og_str_eq(first->root, t.occ->root)))
            return false;
        first = t.occ->is ? t.occ : first;
        *what |= put_part(&p->part[i], &t);
    }
    p->count = o->leg_count;
    p->root = first ? first->root : (struct og_str){ NULL, 0 };
    return p->count > 0;
}

OG_HOT bool og_margin_parts_of(const struct og_order *o, struct og_margin_parts *p)
{
    unsigned what = 0;

    if (o->security != OG_MLEG) {
        const struct og_trade t = og_order_trade(o, 0);

        if (!is_part(&t))
            return false;
        what = put_part(&p->part[0], &t);
        p->count = 1;
        p->root = o->occ.is ? o->occ.root : (struct og_str){ NULL, 0 };
    } else if (o->leg_count > o->legs_kept || !add_legs(o, p, &what)) {
        return false;
    }
    p->opens = what & OPENS;
    p->closes = what & CLOSES;
    p->sells = what & SELLS;
    p->stock = what & STOCK;
    return true;
}

const struct og_quote *og_margin_quote(const struct og_margin_question *q, struct og_str symbol)
{
    const struct og_quote *quote = og_facts_quote(q->facts, symbol);

    return quote && og_fact_is_fresh(quote->as_of, q->now, q->quote_age) ? quote : NULL;
}

static bool counted(struct og_money size, int64_t *n)
{
    *n = og_money_floor(size);
    return *n <= SIZE_MOST;
}

static bool sizes_of(const struct og_holding *h, int64_t *held_long, int64_t *held_short, int64_t *going_long,
                     int64_t *coming_long, int64_t *coming_short)
{
    struct og_money going;

    if (!counted(h->held_long, held_long) || !counted(h->held_short, held_short) ||
        !og_money_sub(h->closing_sells, h->either_sells, &going) || !counted(going, going_long) ||
        !counted(h->opening_buy_leaves, coming_long) || !counted(h->opening_sell_leaves, coming_short))
        return false;
    if (*going_long > *held_long)
        *going_long = *held_long;
    return true;
}

/* Without a quote, the prices in positions and orders are used. A working sell with a higher limit needs no other
 * price: the more it receives, the more its contracts cost to buy back. */
void og_margin_price(const struct og_margin_question *q, const struct og_holding *h, struct og_margin_line *l)
{
    const struct og_quote *quote = og_margin_quote(q, h->traded);
    og_wide count = ((og_wide)l->held_long + l->held_short + l->coming_long + l->coming_short) * OG_CONTRACT;

    if (quote && (quote->has_ask || quote->has_last || quote->has_bid)) {
        l->priced = og_margin_millionths(quote->has_ask    ? quote->ask
                                         : quote->has_last ? quote->last
                                                           : quote->bid,
                                         &l->price);
    } else if (h->unpriced == h->at_least && count > 0 && h->value / count < SIZE_MOST) {
        l->price = (int64_t)((h->value * 10000 + count - 1) / count); /* cents to millionths */
        l->priced = true;
    }
}

/* A contract with its place among the book's sorted lines. Contracts are added in the sequence of their places, so that
 * each goes to the end. */
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

/* Returns what working orders do with a contract, or with the shares.  writes: the kind of their opening sales (calls,
 * puts or shares). */
static unsigned coming(int64_t going_long, int64_t coming_long, int64_t coming_short, enum og_margin_coming writes)
{
    return (going_long ? OG_MARGIN_GOING : 0U) | (coming_long ? OG_MARGIN_LONGS : 0U) | (coming_short ? writes : 0U);
}

static bool add_holding(struct og_margin_inputs *a, const struct og_holding *h)
{
    struct og_margin_line *l = og_margin_line_of(&a->book, h->occ.expiry, h->occ.strike * 1000, h->occ.type);

    if (!l || !sizes_of(h, &l->held_long, &l->held_short, &l->going_long, &l->coming_long, &l->coming_short))
        return false;
    l->symbol = h->traded;
    l->own_long = h->own.longs;
    l->own_short = og_own_covered(&h->own) + h->own.bounded;
    a->shares.own_long += h->own.by_shares * OG_CONTRACT;
    a->coming |=
        coming(l->going_long, l->coming_long, l->coming_short, l->type == 'C' ? OG_MARGIN_CALLS : OG_MARGIN_PUTS);
    if (l->held_short || l->coming_short)
        og_margin_price(a->q, h, l);
    return true;
}

static bool add_holdings(struct og_margin_inputs *a)
{
    struct entry entry[OG_MARGIN_MOST];
    int count = 0;

    for (const struct og_holding *h = og_facts_contracts(a->q->facts, a->parts.root); h; h = h->next_of_root) {
        if (h->occ.expiry < a->q->date) /* expired: listed still, but it neither covers nor needs cover */
            continue;
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

/* Take away the shares that written contracts of other roots on the same stock need. */
static void take_shared(const struct og_margin_inputs *a, struct og_margin_shares *s)
{
    struct og_cover calls = { 0 }, puts = { 0 };
    int64_t most = SIZE_MOST / OG_CONTRACT;

    og_cover_add_others(a->q->facts, a->parts.root, 'C', NULL, OG_COVER_AS_IS, a->q->date, &calls);
    og_cover_add_others(a->q->facts, a->parts.root, 'P', NULL, OG_COVER_AS_IS, a->q->date, &puts);
    s->held_long -= (calls.others < most ? calls.others : most) * OG_CONTRACT;
    s->held_short -= (puts.others < most ? puts.others : most) * OG_CONTRACT;
    s->held_long = s->held_long > 0 ? s->held_long : 0;
    s->held_short = s->held_short > 0 ? s->held_short : 0;
    s->going_long = s->going_long < s->held_long ? s->going_long : s->held_long;
}

static bool add_shares(struct og_margin_inputs *a, struct og_str ticker)
{
    struct og_margin_shares *s = &a->shares;
    const struct og_holding *h = ticker.len ? og_facts_holding(a->q->facts, ticker) : NULL;

    if (!h)
        return true;
    if (!sizes_of(h, &s->held_long, &s->held_short, &s->going_long, &s->coming_long, &s->coming_short))
        return false;
    take_shared(a, s);
    a->coming |= coming(s->going_long, s->coming_long, s->coming_short, OG_MARGIN_SHARES);
    return true;
}

struct og_margin_line *og_margin_line_for(struct og_margin_inputs *a, const struct og_margin_part *x)
{
    return og_margin_line_of(&a->book, x->occ->expiry, x->occ->strike * 1000, x->occ->type);
}

static bool add_order_part(struct og_margin_inputs *a, const struct og_margin_part *x)
{
    int64_t *longs = &a->shares.order_long, *shorts = &a->shares.order_short;
    struct og_margin_line *l;

    if (x->occ->is) {
        l = og_margin_line_for(a, x);
        if (!l)
            return false;
        l->symbol = x->symbol;
        longs = &l->order_long;
        shorts = &l->order_short;
    }
    if (x->opens)
        *(x->side == OG_BUY ? longs : shorts) += x->size;
    else
        *(x->side == OG_SELL ? longs : shorts) -= x->size;
    return true;
}

static bool add_order(struct og_margin_inputs *a)
{
    for (int i = 0; i < a->parts.count; i++)
        if (!add_order_part(a, &a->parts.part[i]))
            return false;
    return true;
}

static void price_under(struct og_margin_inputs *a)
{
    const struct og_quote *quote = og_margin_quote(a->q, a->under);

    if (quote && (quote->has_last || quote->has_ask || quote->has_bid))
        a->book.has_under = og_margin_millionths(quote->has_last  ? quote->last
                                                 : quote->has_ask ? quote->ask
                                                                  : quote->bid,
                                                 &a->book.under);
}

static void begin(struct og_margin_inputs *a)
{
    const struct og_root *root = og_root_find(a->parts.root);

    a->under = root ? root->underlying : a->parts.root;
    a->shares = (struct og_margin_shares){ 0 };
    a->coming = 0;
    a->book.count = 0;
    a->book.chargings = 0;
    a->book.has_under = false;
    a->unpriced = (struct og_str){ NULL, 0 };
    a->unit = 1;
}

/* Divide all sizes by their greatest common divisor: without other positions, the order needs that many times the
 * buying power of the order with the divided sizes.  Shares occur here only as 100 per contract of a known strategy, so
 * their lots stay whole. */
static void divide(struct og_margin_inputs *a)
{
    int64_t unit = 0;

    for (int i = 0; i < a->parts.count; i++)
        unit = og_gcd(a->parts.part[i].size, unit);
    a->unit = unit;
    for (int i = 0; i < a->book.count; i++) {
        a->book.line[i].order_long /= unit;
        a->book.line[i].order_short /= unit;
    }
    a->shares.order_long /= unit;
    a->shares.order_short /= unit;
}

bool og_margin_fill_alone(struct og_margin_inputs *a)
{
    begin(a);
    if (!add_order(a))
        return false;
    price_under(a);
    divide(a);
    return true;
}

bool og_margin_fill(struct og_margin_inputs *a)
{
    begin(a);
    if (!add_holdings(a) || !add_shares(a, og_root_shares(a->parts.root)) || !add_order(a))
        return false;
    price_under(a);
    return true;
}

/* Returns the account if its buying power is known; NULL if not: then no amount is compared with it. */
static const struct og_account *with_bp(const struct og_margin_question *q)
{
    const struct og_account *a = og_facts_account(q->facts);

    return a && a->has_bp ? a : NULL;
}

bool og_margin_may_bound(const struct og_margin_inputs *a)
{
    const bool compares = with_bp(a->q);

    return !a->q->exact && !og_facts_is_tight(a->q->facts) &&
           (!compares || (a->q->settings->daytrade == OG_DAYTRADE_NONE && og_margin_others(a) > OG_MARGIN_MANY));
}

OG_HOT bool og_margin_is_enough(const struct og_margin_question *q, struct og_money dollars)
{
    const struct og_account *a = with_bp(q);

    return !a || (og_money_is_within(dollars, a->bp) &&
                  (!a->has_overnight_bp || og_money_is_within(dollars, a->overnight_bp)));
}
