/*
 * Sums by traded symbol: what is held, and what working orders will do to it.
 * It refuses inexact sums: a change that does not fit is not counted at all.
 */
#include "facts/data.h"

#include <stdlib.h>

#include "base/banned.h"

struct og_sums *og_facts_sums_new(void)
{
    struct og_sums *s = calloc(1, sizeof *s);

    if (s)
        og_arena_init(&s->arena, 0);
    return s;
}

void og_facts_sums_free(struct og_sums *s)
{
    if (!s)
        return;
    og_facts_map_clear(&s->holdings);
    og_facts_map_clear(&s->roots);
    og_facts_map_clear(&s->twins);
    og_arena_clear(&s->arena);
    free(s);
}

static struct og_root_entry *root_entry(struct og_sums *s, struct og_str root)
{
    const uint64_t hash = og_facts_map_hash(root);
    struct og_root_entry *e = og_facts_map_find(&s->roots, root, hash);

    if (e)
        return e;
    e = og_arena_take(&s->arena, sizeof *e);
    if (!e)
        return NULL;
    e->is.root = root; /* into the symbol of the first contract, which stays */
    return og_facts_map_put(&s->roots, e, hash) ? e : NULL;
}

struct og_holding_entry *og_facts_holding_entry(struct og_sums *s, struct og_str traded, uint64_t hash)
{
    struct og_holding_entry *h = og_facts_map_find(&s->holdings, traded, hash);

    if (h)
        return h;
    h = og_arena_take(&s->arena, sizeof *h);
    if (!h)
        return NULL;
    h->is.traded = og_arena_copy(&s->arena, traded);
    if (!h->is.traded.s)
        return NULL;
    og_occ_read(h->is.traded, &h->is.occ);
    if (h->is.occ.is && !(h->root = root_entry(s, h->is.occ.root)))
        return NULL;
    if (h->root && h->is.occ.strike > h->root->is.strike_most)
        h->root->is.strike_most = h->is.occ.strike;
    return og_facts_map_put(&s->holdings, h, hash) ? h : NULL;
}

/* A chain holds the contracts that have something, so that one whose last effect went is as if never seen. */
static void relink(struct og_holding_entry *h)
{
    bool wanted = h->is.lots || h->is.working;
    struct og_holding_entry *next;

    if (!h->root || wanted == h->linked)
        return;
    h->linked = wanted;
    h->root->is.contracts += wanted ? 1 : -1;
    if (wanted) {
        next = h->root->first;
        h->before = NULL;
        h->is.next_of_root = next ? &next->is : NULL;
        h->root->first = h;
    } else {
        next = (struct og_holding_entry *)h->is.next_of_root; /* is is its first member */
        if (h->before)
            h->before->is.next_of_root = h->is.next_of_root;
        else
            h->root->first = next;
        h->is.next_of_root = NULL;
    }
    if (next)
        next->before = wanted ? h : h->before;
}

/* The sums of a holding that may be beyond counting. */
struct sizes {
    struct og_money held_long, held_short, closing_sells, closing_buys, opening_sell_leaves, opening_buy_leaves;
};

static struct sizes sizes_of(const struct og_holding *h)
{
    return (struct sizes){ h->held_long,    h->held_short,          h->closing_sells,
                           h->closing_buys, h->opening_sell_leaves, h->opening_buy_leaves };
}

static void take_sizes(struct og_holding *h, const struct sizes *n)
{
    h->held_long = n->held_long;
    h->held_short = n->held_short;
    h->closing_sells = n->closing_sells;
    h->closing_buys = n->closing_buys;
    h->opening_sell_leaves = n->opening_sell_leaves;
    h->opening_buy_leaves = n->opening_buy_leaves;
}

static og_facts_wide shorts_of(const struct sizes *n)
{
    return (og_facts_wide)og_money_floor(n->held_short) + og_money_floor(n->opening_sell_leaves);
}

/* The contract's part in the sums over its root and over all puts. */
static void count_shorts(struct og_sums *s, const struct og_holding_entry *h, og_facts_wide more)
{
    if (h->is.occ.type == 'P') {
        h->root->is.puts += more;
        s->puts += more * h->is.occ.strike;
    } else {
        h->root->is.calls += more;
    }
}

/* Contracts held and to come. */
static og_wide contracts_of(const struct sizes *n)
{
    return shorts_of(n) + og_money_floor(n->held_long) + og_money_floor(n->opening_buy_leaves);
}

/* The row's part in the sums over the account and over its root. */
static void count_totals(struct og_totals *t, struct og_holding_entry *h, const struct og_change *c, int sign)
{
    og_wide worth = (og_wide)c->longs + c->shorts;

    t->longs += sign * (og_wide)c->longs;
    t->shorts += sign * (og_wide)c->shorts;
    t->unpriced += sign * c->unpriced;
    t->unsized += sign * c->unsized;
    t->orders += sign * c->orders;
    h->is.value += sign * worth;
    h->is.unpriced += sign * c->unpriced;
    h->is.unsized += sign * c->unsized;
    if (h->root) {
        h->root->value += sign * worth;
        h->root->unpriced += sign * c->unpriced;
    }
}

static bool size(struct og_money *sum, struct og_money change, int sign)
{
    if (change.coef == 0) /* most are not of this order's kind */
        return true;
    return sign > 0 ? og_money_add(*sum, change, sum) : og_money_sub(*sum, change, sum);
}

static bool add_sizes(struct sizes *n, const struct og_change *c, int sign)
{
    return size(&n->held_long, c->held_long, sign) && size(&n->held_short, c->held_short, sign) &&
           size(&n->closing_sells, c->closing_sells, sign) && size(&n->closing_buys, c->closing_buys, sign) &&
           size(&n->opening_sell_leaves, c->opening_sell_leaves, sign) &&
           size(&n->opening_buy_leaves, c->opening_buy_leaves, sign);
}

bool og_facts_count(struct og_sums *s, struct og_holding_entry *h, const struct og_change *c, int sign)
{
    const struct sizes old = sizes_of(&h->is);
    struct sizes new = old;

    if (!add_sizes(&new, c, sign))
        return false;
    if (h->root) {
        count_shorts(s, h, shorts_of(&new) - shorts_of(&old));
        s->totals.contracts += contracts_of(&new) - contracts_of(&old);
    }
    take_sizes(&h->is, &new);
    h->is.lots += sign * c->lots;
    h->is.opening_buys += sign * c->opening_buys;
    h->is.opening_sells += sign * c->opening_sells;
    h->is.opening_buys_maybe += sign * c->opening_buys_maybe;
    h->is.opening_sells_maybe += sign * c->opening_sells_maybe;
    h->is.working += sign * c->working;
    count_totals(&s->totals, h, c, sign);
    relink(h);
    return true;
}

void og_facts_working(struct og_change *c, enum og_side side, int opens, bool maybe, struct og_money leaves)
{
    int *count = side == OG_BUY       ? maybe || opens < 0 ? &c->opening_buys_maybe : &c->opening_buys
                 : maybe || opens < 0 ? &c->opening_sells_maybe
                                      : &c->opening_sells;

    if (opens != 0)
        *count = 1;
    if (opens <= 0) /* not known: it may use up what is held */
        *(side == OG_BUY ? &c->closing_buys : &c->closing_sells) = leaves;
    if (opens != 0)
        *(side == OG_SELL ? &c->opening_sell_leaves : &c->opening_buy_leaves) = leaves;
}

static og_wide magnitude(og_wide n)
{
    return n < 0 ? -n : n;
}

int64_t og_cents_of(struct og_money shares, struct og_money price, bool contract)
{
    og_wide cents = magnitude((og_wide)shares.coef * price.coef), part = 0;
    int scale = shares.scale + price.scale - (contract ? 4 : 2); /* 100 cents; a contract is of 100 shares */

    for (; scale > 0; scale--) {
        part |= cents % 10 != 0;
        cents /= 10;
    }
    for (; scale < 0 && cents <= OG_CENTS_MOST; scale++)
        cents *= 10;
    cents += part;
    return cents <= OG_CENTS_MOST ? (int64_t)cents : -1;
}

void og_facts_worth(struct og_change *c, bool longs, int64_t cents)
{
    c->unpriced = cents < 0;
    *(longs ? &c->longs : &c->shorts) = cents < 0 ? 0 : cents;
}

struct og_id_entry *og_facts_id_entry(struct og_facts_map *m, struct og_arena *a, struct og_str id, uint64_t hash)
{
    struct og_id_entry *e = og_facts_map_find(m, id, hash);

    if (e)
        return e;
    e = og_arena_take(a, sizeof *e + id.len + 1); /* the text right after it: there may be millions */
    if (!e)
        return NULL;
    memcpy(e + 1, id.s, id.len);
    e->id = (struct og_str){ (const char *)(e + 1), id.len };
    return og_facts_map_put(m, e, hash) ? e : NULL;
}
