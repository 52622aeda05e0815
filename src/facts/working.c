/*
 * Finds the working orders that a finding is about, to name them in its message. Used only where there is a finding, so
 * nothing is indexed for it: rows are compared one by one.
 */
#include "base/money.h"
#include "facts/data.h"

/* Returns true if two keys have the same terms. For contracts, one of the two orders may lack openClose. */
static bool is_same(const struct og_duplicate_key *a, const struct og_duplicate_key *b, bool contract)
{
    const int side_a = a->says >= -1 ? 0 : -3, side_b = b->says >= -1 ? 0 : -3;

    if (memcmp(a, b, offsetof(struct og_duplicate_key, says)) != 0 || side_a != side_b)
        return false;
    return a->says == b->says || (contract && (a->says - side_a < 0 || b->says - side_b < 0));
}

/* Returns true if the search is for orders with this key; the key is not that of a spread. */
static bool is_by_key(const struct og_working_of *of, const struct og_duplicate_key *k)
{
    const struct og_money limit = { k->coef[OG_DUPLICATE_LIMIT], k->scale[OG_DUPLICATE_LIMIT] },
                          stop = { k->coef[OG_DUPLICATE_STOP], k->scale[OG_DUPLICATE_STOP] };
    struct og_occ occ;

    if (!og_duplicate_key_is_set(k) || (of->side && (k->says >= -1) != (of->side == OG_BUY)))
        return false;
    switch (of->kind) {
    case OG_WORKING_SAME: og_occ_read(of->symbol, &occ); return is_same(&of->key, k, occ.is);
    case OG_WORKING_MARKET: return !limit.coef && !stop.coef;
    case OG_WORKING_NOW: return limit.coef || !stop.coef;
    case OG_WORKING_LIMIT: return limit.coef && og_price_cmp(limit, of->price) == 0;
    case OG_WORKING_STOP: return !limit.coef && stop.coef && og_price_cmp(stop, of->price) == 0;
    default: return false;
    }
}

static bool is_of_side(const struct og_working_of *of, enum og_side side)
{
    return !of->side || side == of->side;
}

/* Returns true if the search is for orders or legs that open, or close, as this one does. */
static bool is_by_effect(const struct og_working_of *of, enum og_open_close says)
{
    switch (of->kind) {
    case OG_WORKING_CLOSES: return og_opens(says) != 1;
    case OG_WORKING_OPENS: return og_opens(says) == 1;
    case OG_WORKING_MAY_OPEN: return og_opens(says) < 0;
    default: return false;
    }
}

static bool is_leg(const struct og_working_of *of, const struct og_leg *leg)
{
    return of->kind == OG_WORKING_LEG || of->kind == OG_WORKING_ANY || is_by_effect(of, leg->open_close);
}

bool og_working_is(const struct og_working_of *of, const struct og_order *o)
{
    struct og_duplicate_key key;

    for (int i = 0; o->security == OG_MLEG && i < o->legs_kept; i++)
        if (og_str_eq(o->leg[i].symbol, of->symbol) && is_of_side(of, o->leg[i].side) && is_leg(of, &o->leg[i]))
            return true;
    if (!og_str_eq(o->symbol, of->symbol))
        return false;
    if (o->security == OG_MLEG || of->kind == OG_WORKING_LEG)
        return o->security == OG_MLEG && of->kind == OG_WORKING_ANY;
    if (of->kind == OG_WORKING_ANY || is_by_effect(of, o->open_close))
        return is_of_side(of, o->side);
    og_facts_duplicate_of(&key, o);
    return is_by_key(of, &key);
}

/* Returns two bits of a symbol, or of a symbol with a quantity: `quantity` is 0 if it does not matter. Two, since with
 * one bit a dozen times as many orders have the bits of another symbol, and each of them is unpacked. */
static uint64_t bits_of(uint64_t symbol, int64_t quantity)
{
    const uint64_t by = symbol + (uint64_t)quantity;

    return UINT64_C(1) << (by & 63) | UINT64_C(1) << (by >> 6 & 63);
}

uint64_t og_working_bits_of(const struct og_working_of *of)
{
    return bits_of(og_facts_map_hash(of->symbol),
                   of->kind == OG_WORKING_SAME ? of->key.coef[OG_DUPLICATE_QUANTITY] : 0);
}

uint64_t og_working_bits(const struct og_order *o, struct og_lookup_keys *k)
{
    const uint64_t symbol = og_lookup_keys_symbol(k, o);
    uint64_t bits = bits_of(symbol, 0);

    if (o->security != OG_MLEG)
        return bits | bits_of(symbol, o->quantity);
    og_lookup_keys_need(k, o, OG_HASH_OF_LEGS);
    for (int i = 0; i < o->legs_kept; i++)
        bits |= bits_of(k->leg[i], 0);
    return bits;
}

/* Returns true if the row closes positions that orders of this side close. */
static bool is_close(const struct og_change *c, enum og_side side)
{
    for (int i = 0; i < c->sizes; i++)
        if (c->size[i].by.coef > 0 && ((c->size[i].of == OG_CLOSING_SELLS && side != OG_BUY) ||
                                       (c->size[i].of == OG_CLOSING_BUYS && side != OG_SELL)))
            return true;
    return false;
}

/* Returns true if the row counts as an opening order of the side, one that certainly works (maybe: one that may). */
static bool is_opening(const struct og_change *c, enum og_side side, bool maybe)
{
    const size_t buys = maybe ? offsetof(struct og_holding, opening_buys_maybe)
                              : offsetof(struct og_holding, opening_buys),
                 sells = maybe ? offsetof(struct og_holding, opening_sells_maybe)
                               : offsetof(struct og_holding, opening_sells);

    return (c->opening == buys && side != OG_SELL) || (c->opening == sells && side != OG_BUY);
}

static bool is_row(const struct og_working_of *of, const struct og_change *c)
{
    if (!og_str_eq(c->traded, of->symbol))
        return false;
    switch (of->kind) {
    case OG_WORKING_ANY: return c->working > 0;
    case OG_WORKING_CLOSES: return is_close(c, of->side);
    case OG_WORKING_OPENS: return is_opening(c, of->side, false);
    case OG_WORKING_MAY_OPEN: return is_opening(c, of->side, true);
    case OG_WORKING_LEG: return c->leg && is_of_side(of, c->leg > 0 ? OG_BUY : OG_SELL);
    default: return is_by_key(of, &c->twin);
    }
}

/* Returns true if no row of another document counts instead of this row of orders in flight. */
static bool is_only_row(const struct og_facts *f, const struct og_change *c)
{
    const struct og_part *orders = f->part[OG_AT_ORDERS];

    return !c->id.len || !orders || !og_facts_id_find(&orders->map, c->id, og_facts_map_hash(c->id));
}

/* Returns the row after `at`: those of the order list, then those of orders in flight. */
static const struct og_change *row_after(const struct og_facts *f, const struct og_change *at, bool *in_flight)
{
    const struct og_part *orders = f->part[OG_AT_ORDERS], *calls = f->part[OG_AT_CALLS];
    const struct og_change *next = at ? at->next : orders ? orders->changes : NULL;

    if (next || *in_flight)
        return next;
    *in_flight = true;
    return calls ? calls->changes : NULL;
}

bool og_facts_working_next(const struct og_facts *f, const struct og_working_of *of, struct og_working_at *at)
{
    const struct og_id_entry *e;

    while ((at->row = row_after(f, at->row, &at->in_flight)) != NULL) {
        if (!is_row(of, at->row) || (at->in_flight && !is_only_row(f, at->row)))
            continue;
        at->id = at->row->id;
        e = at->id.len ? og_facts_id_find(&f->ids, at->id, og_facts_map_hash(at->id)) : NULL;
        at->ticket = e ? e->ticket : 0;
        if (at->ticket != OG_ROWS_OVER)
            return true;
    }
    return false;
}
