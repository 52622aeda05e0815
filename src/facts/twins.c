/*
 * Working orders by what they say, so that one sent twice is seen: traded symbol, side, open or close, quantity, prices.
 * It refuses spreads, whose legs most rows do not show, and symbols longer than any there is.
 */
#include "facts/data.h"

#include "base/banned.h"

enum { NUMBERS = 3, SYMBOL_MOST = 64 };

struct og_str og_facts_twin_key(struct og_twin_text *to, const struct og_twin *t)
{
    const struct og_money *const numbers[NUMBERS] = { &t->quantity, &t->limit, &t->stop };
    char *at = to->s;

    if (!t->traded.len || t->traded.len > SYMBOL_MOST || t->side == OG_SIDE_NONE || t->quantity.coef <= 0)
        return (struct og_str){ NULL, 0 };
    *at++ = (char)('0' + t->side);
    *at++ = t->opens < 0 ? '?' : t->opens ? 'o' : 'c';
    for (int i = 0; i < NUMBERS; i++) { /* in normal form: equal values are equal bytes */
        memcpy(at, &numbers[i]->coef, sizeof numbers[i]->coef);
        at += sizeof numbers[i]->coef;
        *at++ = (char)numbers[i]->scale;
    }
    memcpy(at, t->traded.s, t->traded.len);
    return (struct og_str){ to->s, (size_t)(at - to->s) + t->traded.len };
}

struct og_str og_facts_twin_of(struct og_twin_text *to, const struct og_order *o)
{
    struct og_twin t = { .traded = o->symbol,
                         .side = o->side,
                         .opens = o->open_close == OG_OPEN ? 1 : o->open_close == OG_CLOSE ? 0 : -1,
                         .quantity = og_money_from(o->quantity) };

    if (o->security != OG_STOCK && o->security != OG_OPTION)
        return (struct og_str){ NULL, 0 };
    if (og_order_wants_limit(o))
        t.limit = o->limit;
    if (og_order_wants_stop(o))
        t.stop = o->stop;
    return og_facts_twin_key(to, &t);
}

struct og_twin_entry *og_facts_twin_entry(struct og_sums *s, struct og_str key, uint64_t hash)
{
    struct og_twin_entry *e = og_facts_map_find(&s->twins, key, hash);

    if (e)
        return e;
    e = og_arena_take(&s->arena, sizeof *e + key.len + 1); /* the text right after it: there may be many */
    if (!e)
        return NULL;
    memcpy(e + 1, key.s, key.len);
    e->key = (struct og_str){ (const char *)(e + 1), key.len };
    return og_facts_map_put(&s->twins, e, hash) ? e : NULL;
}

/* A number out of a key. */
static struct og_money number_in(const struct og_twin_entry *e, int which)
{
    const char *at = e->key.s + 2 + (size_t)which * (sizeof(int64_t) + 1);
    struct og_money m = { 0, at[sizeof(int64_t)] };

    memcpy(&m.coef, at, sizeof m.coef);
    return m;
}
enum { AT_LIMIT = 1, AT_STOP = 2 };

static bool buys(const struct og_twin_entry *e)
{
    return e->key.s[0] == '0' + OG_BUY;
}

/* A limit in the market: what has a stop is not there yet. */
static bool rests(const struct og_twin_entry *e)
{
    return number_in(e, AT_STOP).coef == 0 && number_in(e, AT_LIMIT).coef != 0;
}

static void take_best(struct og_holding *h, const struct og_twin_entry *e, bool first)
{
    struct og_money limit = number_in(e, AT_LIMIT), *best = buys(e) ? &h->best_buy : &h->best_sell;
    int order = og_money_cmp(limit, *best);

    if (first || (buys(e) ? order > 0 : order < 0))
        *best = limit;
}

/* The best of those left, once the last of the best went. */
static void find_best(struct og_holding_entry *at, const struct og_twin_entry *gone)
{
    bool first = true;

    for (const struct og_twin_entry *e = at->twins; e; e = e->next)
        if (e->working && buys(e) == buys(gone) && rests(e)) {
            take_best(&at->is, e, first);
            first = false;
        }
}

void og_facts_twin_count(struct og_twin_entry *e, struct og_holding_entry *at, int sign)
{
    struct og_holding *h = &at->is;

    e->working += sign;
    if (!e->linked) {
        e->linked = true;
        e->next = at->twins;
        at->twins = e;
    }
    if (rests(e)) {
        *(buys(e) ? &h->limit_buys : &h->limit_sells) += sign;
        if (sign > 0)
            take_best(h, e, (buys(e) ? h->limit_buys : h->limit_sells) == 1);
        else if (!e->working)
            find_best(at, e);
    } else if (number_in(e, AT_STOP).coef == 0) {
        *(buys(e) ? &h->market_buys : &h->market_sells) += sign;
    }
}

int og_facts_twins(const struct og_facts *f, const struct og_order *o, struct og_hashes *k)
{
    const struct og_twin_entry *e;

    og_hashes_need(k, o, OG_HASH_OF_TWIN);
    e = k->twin.len ? og_facts_map_find(&f->sums->twins, k->twin, k->twin_hash) : NULL;
    return e ? e->working : 0;
}
