/*
 * Index of working orders by their terms (traded symbol, side, open or close, quantity, prices), to find orders that
 * were sent twice.  Spreads are not indexed, since most rows do not show their legs.
 */
#include "base/attributes.h"
#include "base/hash.h"
#include "base/money.h"
#include "facts/data.h"

/* Set one number of a key.  It is normalized, so that equal values have equal bytes. */
static inline void put_number(struct og_duplicate_key *to, enum og_duplicate_number which, struct og_money m)
{
    to->coef[which] = m.coef;
    to->scale[which] = (signed char)m.scale;
}

OG_HOT void og_facts_duplicate_key(struct og_duplicate_key *to, enum og_side side, int opens, struct og_money quantity,
                                   const struct og_money *limit, const struct og_money *stop)
{
    *to = (struct og_duplicate_key){ .says = (signed char)(side == OG_BUY ? opens : opens - 3) };
    if (side == OG_SIDE_NONE || quantity.coef <= 0)
        return;
    put_number(to, OG_DUPLICATE_QUANTITY, quantity);
    if (limit)
        put_number(to, OG_DUPLICATE_LIMIT, *limit);
    if (stop)
        put_number(to, OG_DUPLICATE_STOP, *stop);
}

OG_HOT void og_facts_duplicate_of(struct og_duplicate_key *to, const struct og_order *o)
{
    const bool is_one = (o->security == OG_STOCK || o->security == OG_OPTION) && o->symbol.len;

    og_facts_duplicate_key(to, is_one ? o->side : OG_SIDE_NONE, og_opens(o->open_close), og_money_from(o->quantity),
                           og_order_wants_limit(o) ? &o->limit : NULL, og_order_wants_stop(o) ? &o->stop : NULL);
}

_Static_assert(offsetof(struct og_duplicate_key, says) ==
                       offsetof(struct og_duplicate_key, scale) + OG_DUPLICATE_NUMBERS &&
                   OG_DUPLICATE_BYTES == offsetof(struct og_duplicate_key, scale) + sizeof(uint32_t),
               "scale and says are four adjacent bytes, the last of the key");

/* symbol: the hash of the symbol; it depends on a secret, so that nobody can choose terms that collide */
OG_HOT uint64_t og_facts_duplicate_hash(const struct og_duplicate_key *key, uint64_t symbol)
{
    uint64_t quantity = (uint64_t)key->coef[OG_DUPLICATE_QUANTITY], limit = (uint64_t)key->coef[OG_DUPLICATE_LIMIT];
    uint64_t stop = (uint64_t)key->coef[OG_DUPLICATE_STOP];
    uint32_t rest;

    memcpy(&rest, key->scale, sizeof rest);
    return og_hash_fold(og_hash_fold(quantity ^ symbol, limit ^ ~symbol) ^ stop, symbol ^ (uint64_t)rest << 16);
}

static struct og_duplicate_entry *twin_in(const struct og_aggregates *s, struct og_str traded,
                                          const struct og_duplicate_key *key, uint64_t hash, size_t *at)
{
    struct og_duplicate_entry *e;

    *at = og_facts_map_first(&s->twins, hash);
    while ((e = og_facts_map_walk(&s->twins, hash, at)) &&
           (memcmp(&e->key, key, OG_DUPLICATE_BYTES) != 0 || !og_str_same(e->at->is.traded, traded)))
        continue;
    return e;
}

struct og_duplicate_entry *og_facts_duplicate_find(const struct og_aggregates *s, struct og_str traded,
                                                   const struct og_duplicate_key *key, uint64_t hash)
{
    size_t at;

    return twin_in(s, traded, key, hash, &at);
}

struct og_duplicate_entry *og_facts_duplicate_entry(struct og_aggregates *s, struct og_holding_entry *h,
                                                    const struct og_duplicate_key *key, uint64_t hash)
{
    size_t at;
    struct og_duplicate_entry *e = twin_in(s, h->is.traded, key, hash, &at);

    if (e)
        return e;
    e = og_facts_map_add(&s->twins, hash, at, sizeof *e);
    if (!e)
        return NULL;
    e->key = *key;
    e->key.working = 0;
    e->at = h;
    return e->next = e;
}

static bool buys(const struct og_duplicate_entry *e)
{
    return e->key.says >= -1;
}

static struct og_money limit_of(const struct og_duplicate_entry *e)
{
    return (struct og_money){ e->key.coef[OG_DUPLICATE_LIMIT], e->key.scale[OG_DUPLICATE_LIMIT] };
}

static struct og_money stop_of(const struct og_duplicate_entry *e)
{
    return (struct og_money){ e->key.coef[OG_DUPLICATE_STOP], e->key.scale[OG_DUPLICATE_STOP] };
}

static bool stops(const struct og_duplicate_entry *e)
{
    return e->key.coef[OG_DUPLICATE_STOP] != 0;
}

/* Returns true if the orders of the entry have a limit: a stop limit is in the market at its limit once triggered. */
static bool rests(const struct og_duplicate_entry *e)
{
    return e->key.coef[OG_DUPLICATE_LIMIT] != 0;
}

static void take_best(struct og_holding *h, const struct og_duplicate_entry *e, bool first)
{
    struct og_money limit = limit_of(e), *best = buys(e) ? &h->best_buy : &h->best_sell;
    int order = og_price_cmp(limit, *best);

    if (first || (buys(e) ? order > 0 : order < 0))
        *best = limit;
}

/* Put an entry into the list of its symbol.  The list has only entries with working orders: there may be as many other
 * entries as orders were ever sent. */
static void link_in(struct og_duplicate_entry *e)
{
    if (e->next != e)
        return;
    e->next = e->at->twins;
    e->at->twins = e;
}

/* The last order at the best price has ended: find the best price of the remaining orders.  Entries without working
 * orders are removed from the list here. */
static void find_best(struct og_holding_entry *at, const struct og_duplicate_entry *gone)
{
    struct og_duplicate_entry **link = &at->twins, *e;
    bool first = true;

    while ((e = *link)) {
        if (!e->key.working) {
            *link = e->next;
            e->next = e;
            continue;
        }
        if (buys(e) == buys(gone) && rests(e)) {
            take_best(&at->is, e, first);
            first = false;
        }
        link = &e->next;
    }
}

void og_facts_duplicate_count(struct og_duplicate_entry *e, int sign)
{
    struct og_holding *h = &e->at->is;

    e->key.working += sign;
    if (sign > 0)
        link_in(e);
    if (rests(e)) {
        *(buys(e) ? &h->limit_buys : &h->limit_sells) += sign;
        if (sign > 0)
            take_best(h, e, (buys(e) ? h->limit_buys : h->limit_sells) == 1);
        else if (!e->key.working && og_price_cmp(limit_of(e), buys(e) ? h->best_buy : h->best_sell) == 0)
            find_best(e->at, e);
    } else if (stops(e)) {
        *(buys(e) ? &h->stop_buys : &h->stop_sells) += sign;
    } else {
        *(buys(e) ? &h->market_buys : &h->market_sells) += sign;
    }
}

bool og_facts_nearest(const struct og_holding *h, bool buy, bool of_stops, struct og_money from, struct og_money *at)
{
    const int beyond = buy ? 1 : -1; /* result of comparing a price that is too far away with `from` */
    bool found = false;

    /* every holding is the first member of its entry */
    for (const struct og_duplicate_entry *e = ((const struct og_holding_entry *)h)->twins; e; e = e->next) {
        const struct og_money price = of_stops ? stop_of(e) : limit_of(e);

        if (!e->key.working || buys(e) != buy || (of_stops ? rests(e) || !stops(e) : !rests(e)) ||
            og_price_cmp(price, from) == beyond || (found && og_price_cmp(price, *at) != beyond))
            continue;
        *at = price;
        found = true;
    }
    return found;
}

int og_facts_duplicate_likes(const struct og_order *o, struct og_lookup_keys *k, struct og_duplicate_like *like)
{
    const int base = o->side == OG_BUY ? 0 : -3, own = og_opens(o->open_close);
    int count = 1;

    og_lookup_keys_need(k, o, OG_HASH_OF_DUPLICATE);
    like[0] = (struct og_duplicate_like){ k->twin, k->twin_hash };
    if (o->security != OG_OPTION)
        return count;
    for (int opens = -1; opens <= 1; opens++) {
        if (opens == own || (opens >= 0 && own >= 0))
            continue;
        like[count].key = k->twin;
        like[count].key.says = (signed char)(base + opens);
        like[count].hash = og_facts_duplicate_hash(&like[count].key, og_lookup_keys_symbol(k, o));
        count++;
    }
    return count;
}

static inline int working_as(const struct og_facts *f, const struct og_order *o, const struct og_duplicate_key *key,
                             uint64_t hash)
{
    const struct og_duplicate_entry *e = og_facts_duplicate_find(f->sums, o->symbol, key, hash);

    return e ? e->key.working : 0;
}

static OG_NOINLINE int working_alike(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k)
{
    struct og_duplicate_like like[OG_DUPLICATE_LIKES];
    int working = 0, count = og_facts_duplicate_likes(o, k, like);

    for (int i = 0; i < count; i++)
        working += working_as(f, o, &like[i].key, like[i].hash);
    return working;
}

OG_HOT int og_facts_duplicates(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k)
{
    og_lookup_keys_need(k, o, OG_HASH_OF_DUPLICATE);
    if (!og_duplicate_key_is_set(&k->twin))
        return 0;
    /* an option order may be the duplicate of orders with other keys, since openClose may be absent; a stock order has
     * one key */
    return o->security == OG_OPTION ? working_alike(f, o, k) : working_as(f, o, &k->twin, k->twin_hash);
}
