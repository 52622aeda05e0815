/*
 * Working orders by what they say, so that one sent twice is seen: traded symbol, side, open or close, quantity, prices.
 * It refuses spreads, whose legs most rows do not show, and symbols longer than any there is.
 */
#include "facts/data.h"

#include "base/banned.h"

enum { NUMBERS = 3, SYMBOL_MOST = 64 };

struct og_str og_facts_twin_key(struct og_twin_text *to, const struct og_twin *t)
{
    const struct og_money numbers[NUMBERS] = { t->quantity, t->limit, t->stop };
    char *at = to->s;

    if (!t->traded.len || t->traded.len > SYMBOL_MOST || t->side == OG_SIDE_NONE || t->quantity.coef <= 0)
        return (struct og_str){ NULL, 0 };
    *at++ = (char)('0' + t->side);
    *at++ = t->opens < 0 ? '?' : t->opens ? 'o' : 'c';
    for (int i = 0; i < NUMBERS; i++) { /* in normal form: equal values are equal bytes */
        memcpy(at, &numbers[i].coef, sizeof numbers[i].coef);
        at += sizeof numbers[i].coef;
        *at++ = (char)numbers[i].scale;
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

struct og_twin_entry *og_facts_twin_entry(struct og_sums *s, struct og_str key)
{
    struct og_twin_entry *e = og_facts_map_get(&s->twins, key);

    if (e)
        return e;
    e = og_arena_take(&s->arena, sizeof *e);
    if (!e)
        return NULL;
    e->key = og_arena_copy(&s->arena, key);
    return e->key.s && og_facts_map_put(&s->twins, e) ? e : NULL;
}

int og_facts_twins(const struct og_facts *f, const struct og_order *o)
{
    struct og_twin_text text;
    struct og_str key = og_facts_twin_of(&text, o);
    const struct og_twin_entry *e = f && key.len ? og_facts_map_get(&f->sums->twins, key) : NULL;

    return e ? e->working : 0;
}
