/*
 * What accepted orders consume, counted and taken back exactly.
 * It refuses to count a part of an order: what does not fit changes nothing.
 */
#include "facts/facts_book.h"

#include "facts/data.h"

#include "base/banned.h"

enum { CHANGES = OG_LEGS_KEPT + 1 };

/* An order as changes of the symbols it trades, with where each is counted. */
struct plan {
    int count;
    struct og_change change[CHANGES];
    struct og_holding_entry *at[CHANGES];
    enum og_side side[CHANGES]; /* for fills; NONE: nothing fills there */
    enum og_open_close open_close[CHANGES];
    struct og_money filled[CHANGES]; /* shares or contracts */
    uint64_t hash[CHANGES]; /* of the symbols */
    struct og_hashes *hashes, own; /* own: unless the caller has them */
    struct og_twin_entry *twins;
};

static void plan_symbol(struct plan *p, struct og_str traded, uint64_t hash, enum og_side side, enum og_open_close open_close,
                        int64_t quantity, bool maybe, int working)
{
    struct og_change *c = &p->change[p->count];

    if (!traded.len)
        return;
    *c = (struct og_change){ .traded = traded, .working = working, .orders = p->count == 0 };
    p->hash[p->count] = hash;
    p->side[p->count] = side;
    p->open_close[p->count] = open_close;
    p->filled[p->count] = og_money_from(quantity);
    if (side != OG_SIDE_NONE && open_close != OG_OPEN_CLOSE_NONE)
        og_facts_working(c, side, open_close == OG_OPEN, maybe, og_money_from(quantity));
    p->count++;
}

/* A spread works on its underlying; its legs take contracts too, but oppose other orders only perhaps (CON-21). */
static void plan_of(struct plan *p, const struct og_effect *e)
{
    const struct og_order *o = e->order;
    const int64_t value = e->value;
    uint64_t symbol;

    p->count = 0;
    p->twins = NULL;
    p->hashes = e->hashes ? e->hashes : &p->own;
    p->own.have = 0;
    og_hashes_need(p->hashes, o, OG_HASH_OF_TWIN);
    symbol = og_hashes_symbol(p->hashes, o);
    if (o->security != OG_MLEG) {
        plan_symbol(p, o->symbol, symbol, o->side, o->open_close, o->quantity, false, 1);
        if (p->count && o->open_close != OG_CLOSE)
            og_facts_worth(&p->change[0], o->side == OG_BUY, value);
        return;
    }
    plan_symbol(p, o->symbol, symbol, OG_SIDE_NONE, OG_OPEN_CLOSE_NONE, 0, true, 1);
    if (p->count && og_order_opens(o))
        og_facts_worth(&p->change[0], true, value); /* the net; what a leg is worth nobody says */
    og_hashes_need(p->hashes, o, OG_HASH_OF_LEGS);
    for (int i = 0; i < o->legs_kept; i++)
        plan_symbol(p, o->leg[i].symbol, p->hashes->leg[i], o->leg[i].side, o->leg[i].open_close, o->leg[i].ratio * o->quantity, true,
                    !og_str_eq(o->leg[i].symbol, o->symbol));
}

/* Find, and make where make says so, the entries the plan changes. */
static bool plan_places(struct plan *p, struct og_sums *s, bool make)
{
    for (int i = 0; i < p->count; i++) {
        p->at[i] = make ? og_facts_holding_entry(s, p->change[i].traded, p->hash[i])
                        : og_facts_map_find(&s->holdings, p->change[i].traded, p->hash[i]);
        if (!p->at[i])
            return false;
    }
    if (!og_twin_is(&p->hashes->twin))
        return true;
    p->twins = make ? og_facts_twin_entry(s, p->at[0], &p->hashes->twin, p->hashes->twin_hash)
                    : og_facts_twin_find(s, p->change[0].traded, &p->hashes->twin, p->hashes->twin_hash);
    return p->twins != NULL;
}

/* It begins (1) or ceases (-1) to work as one of those that say the same. */
static void count_twin(struct plan *p, int sign)
{
    if (p->twins)
        og_facts_twin_count(p->twins, sign);
}

/* What was counted can be taken back. */
static void uncount(struct plan *p, struct og_sums *s, int counted)
{
    while (counted--)
        (void)og_facts_count(s, p->at[counted], &p->change[counted], -1);
}

/* All of the plan, or nothing. */
static bool count(struct plan *p, struct og_sums *s)
{
    for (int i = 0; i < p->count; i++)
        if (!og_facts_count(s, p->at[i], &p->change[i], 1)) {
            uncount(p, s, i);
            return false;
        }
    return true;
}

bool og_facts_set_bp(struct og_facts *f)
{
    const struct og_part *p = f->part[OG_AT_ACCOUNT];
    bool ok = true;

    if (!p)
        return true;
    if (f->account.has_bp)
        ok = og_money_sub(p->is.account->bp, f->reserved, &f->account.bp);
    if (f->account.has_overnight_bp)
        ok = og_money_sub(p->is.account->overnight_bp, f->reserved, &f->account.overnight_bp) && ok;
    return ok;
}

bool og_facts_reserve(struct og_facts *f, struct og_money cost)
{
    struct og_money was = f->reserved;

    if (og_money_add(was, cost, &f->reserved) && og_facts_set_bp(f))
        return true;
    f->reserved = was;
    (void)og_facts_set_bp(f); /* as it was before */
    return false;
}

enum og_status og_facts_add(struct og_facts *f, const struct og_effect *e)
{
    struct plan p;
    struct og_id_entry *id = NULL;

    plan_of(&p, e);
    if (!plan_places(&p, f->sums, true))
        return OG_ENOMEM;
    if (e->order->client_id.len &&
        !(id = og_facts_id_entry(&f->ids, &f->arena, e->order->client_id, og_hashes_id(p.hashes, e->order))))
        return OG_ENOMEM;
    if (!count(&p, f->sums))
        return OG_EINVAL;
    if (!og_facts_reserve(f, e->bp_cost)) {
        uncount(&p, f->sums, p.count);
        return OG_EINVAL;
    }
    if (id)
        id->effects++;
    f->bounds += e->bound;
    count_twin(&p, 1);
    return OG_OK;
}

static struct og_id_entry *release_id(struct og_facts *f, const struct og_order *o, struct og_hashes *k)
{
    struct og_id_entry *id = o->client_id.len ? og_facts_id_find(&f->ids, o->client_id, og_hashes_id(k, o)) : NULL;

    if (id && id->effects)
        id->effects--;
    return id;
}

void og_facts_remove(struct og_facts *f, const struct og_effect *e)
{
    struct plan p;

    plan_of(&p, e);
    if (!plan_places(&p, f->sums, false))
        return;
    uncount(&p, f->sums, p.count);
    count_twin(&p, -1);
    if (og_money_sub(f->reserved, e->bp_cost, &f->reserved))
        (void)og_facts_set_bp(f); /* what cannot be told exactly may not be used: 0 */
    f->bounds -= e->bound;
    (void)release_id(f, e->order, p.hashes);
}

void og_facts_tighten(struct og_facts *f)
{
    f->tight = true;
}

static struct og_money less_of(struct og_money a, struct og_money b)
{
    return og_money_cmp(a, b) < 0 ? a : b;
}

/* What a fill changes of what is held, given what is held now.  The sign comes back. */
static int held_change(const struct plan *p, int i, struct og_change *c)
{
    const struct og_holding *h = &p->at[i]->is;
    bool opens = p->open_close[i] == OG_OPEN;
    bool longs = (p->side[i] == OG_BUY) == opens;
    struct og_money rest, held = longs ? h->held_long : h->held_short, other = longs ? h->held_short : h->held_long;
    struct og_money moved = opens ? p->filled[i] : less_of(p->filled[i], held); /* no more than there was */

    *c = (struct og_change){ .traded = h->traded, .lots = opens };
    *(longs ? &c->held_long : &c->held_short) = moved;
    if (!opens && og_money_sub(held, moved, &rest) && rest.coef == 0 && other.coef == 0)
        c->lots = h->lots;
    return opens ? 1 : -1;
}

/* Turn the working part of each change into what is held; all or nothing. */
static bool fill(struct plan *p, struct og_sums *s)
{
    struct og_change done[CHANGES];
    int sign[CHANGES], i;

    uncount(p, s, p->count);
    for (i = 0; i < p->count; i++) {
        done[i] = (struct og_change){ .traded = p->change[i].traded };
        sign[i] = 1;
        if (p->side[i] != OG_SIDE_NONE && p->open_close[i] != OG_OPEN_CLOSE_NONE)
            sign[i] = held_change(p, i, &done[i]);
        if (sign[i] > 0) { /* what was to be opened is held at that worth */
            done[i].longs = p->change[i].longs;
            done[i].shorts = p->change[i].shorts;
            done[i].unpriced = p->change[i].unpriced;
        }
        if (!og_facts_count(s, p->at[i], &done[i], sign[i]))
            break;
    }
    if (i == p->count)
        return true;
    while (i--)
        (void)og_facts_count(s, p->at[i], &done[i], -sign[i]);
    (void)count(p, s);
    return false;
}

enum og_status og_facts_fill(struct og_facts *f, const struct og_effect *e)
{
    struct plan p;
    struct og_id_entry *id;

    plan_of(&p, e);
    if (!plan_places(&p, f->sums, false) || !fill(&p, f->sums))
        return OG_EINVAL;
    count_twin(&p, -1);
    id = release_id(f, e->order, p.hashes);
    if (id) {
        id->use = OG_ID_ACCEPTED;
        id->pending = false;
    }
    return OG_OK;
}
