/*
 * The effects of accepted orders on facts, added and removed exactly.  An effect is applied as a whole or not at
 * all.
 */
#include "base/attributes.h"
#include "base/money.h"
#include "facts/data.h"
#include "facts/facts_book.h"

enum { STEPS = OG_LEGS_KEPT + 1 };

/* A change that the order makes to one traded symbol, and the entry of that symbol. */
struct step {
    struct og_change change;
    struct og_holding_entry *at;
    int trade; /* index of the order's trade in this symbol; -1: the order does not fill in this symbol itself */
};
struct plan {
    struct og_aggregates *sums;
    bool make; /* make missing entries instead of failing */
    bool over; /* the order has ended */
    int count;
    struct og_duplicate_entry *twins;
    struct og_lookup_keys *hashes, own; /* hashes: points to the caller's, or to `own` */
    struct step step[STEPS];
};

/* Begin the change of a symbol for an order that begins to work.  Only the members that og_facts_count() reads are set,
 * because clearing the whole struct is slow. */
static inline void begin_change(struct og_change *c, struct og_str traded, bool orders, bool over)
{
    c->traded = traded;
    c->sizes = 0;
    c->opening = 0;
    c->own = (struct og_own_cover){ 0 };
    c->trades = c->leans = false;
    c->lots = c->leg = c->unsized = c->unpriced = c->legless = 0;
    c->working = 1;
    c->orders = orders;
    c->over = over;
    c->longs = c->shorts = c->closes = c->puts = c->buys = 0;
}

/* Add a step for a symbol.  Returns false if the symbol has no entry and none may be made, or if memory runs out. */
static bool plan_symbol(struct plan *p, struct og_str traded, uint64_t hash, struct og_holding_entry *at)
{
    struct step *s = &p->step[p->count];

    if (!at)
        at = p->make ? og_facts_holding_entry(p->sums, traded, hash)
                     : og_facts_map_find(&p->sums->holdings, traded, hash);
    begin_change(&s->change, traded, p->count == 0 && !p->over, p->over);
    s->trade = -1;
    s->at = at;
    p->count++;
    return at != NULL;
}

/* Complete the step for the symbol of the order itself; the steps of a spread's legs are completed by plan_legs(). */
static void plan_work(struct step *s, const struct og_trade *t, int trade, struct og_money works, bool maybe)
{
    s->trade = trade;
    if (t->side != OG_SIDE_NONE)
        og_facts_working(&s->change, t->side, t->opens, maybe, works);
}

/* Returns how many units of the order are still working. */
static int64_t working_of(const struct og_effect *e)
{
    return e->order->quantity - e->done;
}

/* Returns how many shares or contracts `units` units of the order have in one of its trades. */
static struct og_money size_of(const struct og_order *o, const struct og_trade *t, int64_t units)
{
    return og_money_from(units == o->quantity ? t->size : t->size / o->quantity * units);
}

/* Set the value of `units` units of the order, by side.  A spread has a value on both sides, which is counted on the
 * spread's symbol, not on the symbols of its legs. */
static void units_worth(struct og_change *c, const struct og_effect *e, int64_t units, int64_t cents)
{
    const struct og_order *o = e->order;

    if (o->security != OG_MLEG) {
        og_facts_worth(c, o->side != OG_SELL, cents);
        return;
    }
    og_facts_worth(c, true, cents);
    c->shorts = og_facts_part_worth(e->sold, units, o->quantity);
    if (c->shorts > c->longs)
        c->shorts = c->longs;
    c->longs -= c->shorts;
}

void og_facts_repay(struct og_facts *f, int64_t was, int64_t now)
{
    f->sums->totals.buying += (og_wide)now - was;
}

/* Set how much cash `units` units of the order need: what the puts that they write can lose; if they write no puts,
 * what the units cost. */
static void units_cash(struct og_change *c, const struct og_effect *e, int64_t units)
{
    const struct og_order_cash cash = e->cash ? *e->cash : og_facts_cash_of(e, units);

    c->puts = cash.puts > OG_CENTS_MOST ? OG_CENTS_MOST : (int64_t)cash.puts;
    c->buys = cash.pays;
}

/* Set the value of the order's change; a closing order is valued as if it opened. */
static void plan_worth(struct og_change *c, const struct og_effect *e)
{
    const struct og_order *o = e->order;
    const int64_t units = working_of(e), cents = og_facts_part_worth(e->value, units, o->quantity);

    if (o->security != OG_MLEG && !og_order_may_open(o))
        c->closes = cents;
    else
        units_worth(c, e, units, cents);
    units_cash(c, e, units);
}

/* Note the calls that a step writes and that long calls of the account may cover. cents: the value of the units. */
static void plan_leaning(struct og_change *c, const struct og_effect *e, int64_t units, int64_t cents)
{
    const struct og_order *o = e->order;
    const int64_t premium = og_order_wants_limit(o) && o->limit.coef > 0 && o->security == OG_OPTION
                                ? og_cents_of(og_money_from(units), o->limit, true)
                                : 0;

    c->leans = true;
    c->brings = premium > 0 ? premium : 0;
    c->leaning = (cents < 0 ? OG_AT_LEAST(cents) : cents) + c->brings;
}

/* Set how far the legs of a spread cover what one unit of it writes. */
static void own_cover(const struct og_order *o, struct og_own_leg legs[OG_LEGS_KEPT])
{
    const bool all = o->leg_count == o->legs_kept && o->quantity > 0;

    for (int i = 0; i < o->legs_kept; i++) {
        const struct og_leg *l = &o->leg[i];

        legs[i].symbol = l->symbol;
        legs[i].occ = &l->occ;
        legs[i].buys = l->side == OG_BUY;
        legs[i].size = all && l->open_close == OG_OPEN && l->side ? l->ratio : 0;
    }
    og_own_cover_of(legs, o->legs_kept);
}

static struct og_own_cover times(const struct og_own_cover *own, int64_t units)
{
    return (struct og_own_cover){ own->by_shares * units, own->by_longs * units, own->bounded * units,
                                  own->longs * units };
}

/* Add the steps of a spread's legs.  A spread counts as a working order on its underlying.  Its legs have sizes too,
 * but it is not certain that the broker sees them as opposite to other orders (CON-21). */
static bool plan_legs(struct plan *p, const struct og_effect *e)
{
    const struct og_order *o = e->order;
    const int64_t units = working_of(e);
    int64_t leaning = og_facts_leans(o) ? og_facts_part_worth(e->sold, units, o->quantity) : -1;
    struct og_own_leg own[OG_LEGS_KEPT];

    own_cover(o, own);
    og_lookup_keys_need(p->hashes, o, OG_HASH_OF_LEGS);
    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade leg = og_order_trade(o, i);

        if (!leg.symbol.len)
            continue;
        if (!plan_symbol(p, leg.symbol, p->hashes->leg[i], NULL))
            return false;
        plan_work(&p->step[p->count - 1], &leg, i, size_of(o, &leg, units), true);
        p->step[p->count - 1].change.own = times(&own[i].own, units);
        if (!p->over)
            p->step[p->count - 1].change.leg = leg.side == OG_BUY ? 1 : leg.side == OG_SELL ? -1 : 0;
        if (leg.opens == 0)
            p->step[p->count - 1].change.closes =
                e->closes ? og_facts_part_worth(e->closes[i], units, o->quantity) : OG_AT_LEAST(0);
        if (leaning >= 0 && leg.occ->is && leg.occ->type == 'C') {
            plan_leaning(&p->step[p->count - 1].change, e, units, leaning);
            leaning = 0; /* the spread's value counts once */
        }
        p->step[p->count - 1].change.working = !og_str_eq(leg.symbol, o->symbol);
        p->step[p->count - 1].change.over = p->over && !og_str_eq(leg.symbol, o->symbol);
    }
    return true;
}

/* Find the entry of working orders with the same terms as the order, or make it if p->make.  Returns false if there is
 * no entry, or if memory runs out. */
static bool plan_twins(struct plan *p, const struct og_order *o)
{
    const struct og_lookup_keys *k = p->hashes;

    og_lookup_keys_need(p->hashes, o, OG_HASH_OF_DUPLICATE);
    if (!og_duplicate_key_is_set(&k->twin))
        return true;
    p->twins = p->make ? og_facts_duplicate_entry(p->sums, p->step[0].at, &k->twin, k->twin_hash)
                       : og_facts_duplicate_find(p->sums, o->symbol, &k->twin, k->twin_hash);
    return p->twins != NULL;
}

/* Plan which changes the order makes, in which entries.  Returns false if an entry is missing or memory runs out. */
static bool plan_of(struct plan *p, struct og_aggregates *sums, const struct og_effect *e, bool make)
{
    const struct og_order *o = e->order;

    p->sums = sums;
    p->make = make;
    p->over = e->over;
    p->count = 0;
    p->twins = NULL;
    p->hashes = e->hashes ? e->hashes : &p->own;
    p->own.have = 0;
    if (e->done && !working_of(e))
        return true; /* the order no longer works: it makes no change */
    if (o->symbol.len) {
        /* the cast is valid because the member `is` comes first in struct og_holding_entry */
        if (!plan_symbol(p, o->symbol, og_lookup_keys_symbol(p->hashes, o), (struct og_holding_entry *)e->holding))
            return false;
        if (o->security != OG_MLEG) {
            const struct og_trade own = og_order_trade(o, 0);

            plan_work(&p->step[0], &own, 0, size_of(o, &own, working_of(e)), false);
        }
        plan_worth(&p->step[0].change, e);
        if (o->security == OG_OPTION && og_facts_leans(o))
            plan_leaning(&p->step[0].change, e, working_of(e), p->step[0].change.shorts);
    }
    return o->security == OG_MLEG ? plan_legs(p, e) : e->over || plan_twins(p, o);
}

/* Add one working order to those with the order's terms (sign 1), or remove one (sign -1). */
static void count_twin(struct plan *p, int sign)
{
    if (p->twins)
        og_facts_duplicate_count(p->twins, sign);
}

/* Undo the first `counted` steps of the plan. */
static void uncount(struct plan *p, int counted)
{
    while (counted--)
        (void)og_facts_count(p->sums, p->step[counted].at, &p->step[counted].change, -1);
}

/* Count all steps of the plan, or none of them. */
static bool count(struct plan *p)
{
    for (int i = 0; i < p->count; i++)
        if (!og_facts_count(p->sums, p->step[i].at, &p->step[i].change, 1)) {
            uncount(p, i);
            return false;
        }
    return true;
}

/* Set account.bp to the amount in the document less what accepted orders reserve.  Returns false, with bp 0, if
 * og_money cannot represent the result exactly. */
static bool set_bp(struct og_facts *f, struct og_money reserved)
{
    const struct og_part *p = f->part[OG_AT_ACCOUNT];
    bool ok = true;

    f->reserved = reserved;
    if (!p)
        return true;
    if (f->account.has_bp)
        ok = og_money_sub(p->is.account->bp, reserved, &f->account.bp);
    if (f->account.has_overnight_bp && f->account.has_bp &&
        og_price_cmp(p->is.account->overnight_bp, p->is.account->bp) == 0)
        /* the document has the same amount for both, as for an account without day trading: keep them equal */
        f->account.overnight_bp = f->account.bp;
    else if (f->account.has_overnight_bp)
        ok = og_money_sub(p->is.account->overnight_bp, reserved, &f->account.overnight_bp) && ok;
    f->inexact = !ok;
    return ok;
}

/* The sum is kept in registers: reading it back right after writing it in two halves would stall. */
bool og_facts_reserve(struct og_facts *f, struct og_money cost)
{
    const struct og_money was = f->reserved;
    struct og_money sum = was;

    if (og_money_gather(&sum, cost) && set_bp(f, sum))
        return true;
    (void)set_bp(f, was); /* restore the previous value */
    return false;
}

/* Returns true if a row with this id exists already: the row is then another order's. */
static bool is_listed(const struct og_facts *f, struct og_str id, uint64_t hash)
{
    const struct og_part *orders = f->part[OG_AT_ORDERS], *gate = f->part[OG_AT_CALLS];

    return (orders && orders->map.count && og_facts_id_find(&orders->map, id, hash)) ||
           (gate && gate->map.count && og_facts_id_find(&gate->map, id, hash));
}

/* Returns the entry of the order's own symbol, which its plan has if it makes a change; NULL if there is none. */
static inline struct og_holding_entry *own_entry(const struct og_facts *f, const struct og_order *o,
                                                 const struct plan *plan)
{
    if (!o->symbol.len)
        return NULL;
    return plan->count ? plan->step[0].at : og_facts_map_get(&f->sums->holdings, o->symbol);
}

void og_facts_retrade(struct og_facts *f, const struct og_order *o, const struct og_traded *was,
                      const struct og_traded *now)
{
    struct og_holding_entry *h = o->symbol.len ? og_facts_map_get(&f->sums->holdings, o->symbol) : NULL;

    og_facts_count_open(f->sums, h, was, -1);
    og_facts_count_open(f->sums, h, now, 1);
}

enum og_status og_facts_add(struct og_facts *f, const struct og_effect *e)
{
    struct plan p;
    struct og_id_entry *id = NULL;

    if (!plan_of(&p, f->sums, e, true))
        return OG_ENOMEM;
    if (!p.count && e->order->symbol.len &&
        !og_facts_holding_entry(f->sums, e->order->symbol, og_lookup_keys_symbol(p.hashes, e->order)))
        return OG_ENOMEM;
    if (e->order->client_id.len &&
        !(id = og_facts_id_entry(&f->ids, e->order->client_id, og_lookup_keys_id(p.hashes, e->order))))
        return OG_ENOMEM;
    if (!count(&p))
        return OG_EINVAL;
    if ((e->bp_cost.coef || f->inexact) && !og_facts_reserve(f, e->bp_cost)) {
        uncount(&p, p.count);
        return OG_EINVAL;
    }
    if (id) {
        id->effects++;
        if (e->ticket && !id->ticket && !is_listed(f, e->order->client_id, og_lookup_keys_id(p.hashes, e->order)))
            id->ticket = e->ticket;
    }
    f->bounds += e->bound;
    og_facts_repay(f, 0, e->paid);
    og_facts_count_open(f->sums, own_entry(f, e->order, &p), &e->trades, 1);
    count_twin(&p, 1);
    return OG_OK;
}

static struct og_id_entry *release_id(struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k)
{
    struct og_id_entry *id = o->client_id.len ? og_facts_id_find(&f->ids, o->client_id, og_lookup_keys_id(k, o)) : NULL;

    if (id && id->effects)
        id->effects--;
    return id;
}

void og_facts_remove(struct og_facts *f, const struct og_effect *e)
{
    struct plan p;

    if (!plan_of(&p, f->sums, e, false))
        return;
    uncount(&p, p.count);
    count_twin(&p, -1);
    if (og_money_sub(f->reserved, e->bp_cost, &f->reserved))
        (void)set_bp(f, f->reserved); /* og_money cannot represent the amount: bp is now 0, so that nothing more is
                                       * accepted */
    f->bounds -= e->bound;
    og_facts_repay(f, e->paid, 0);
    og_facts_count_open(f->sums, own_entry(f, e->order, &p), &e->trades, -1);
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

/* Returns the order's trade in the step's symbol; its side is NONE if the order does not fill in this symbol itself. */
static struct og_trade trade_of(const struct og_order *o, const struct step *s)
{
    return s->trade < 0 ? (struct og_trade){ .side = OG_SIDE_NONE } : og_order_trade(o, s->trade);
}

/* Set *c to the change that a fill of the trade t makes to the present position; returns its sign. If openClose is
 * unknown, the fill may have opened or closed. Until positions are read again the worse of the two is assumed: the
 * whole fill counts as opened, and what it may have closed cannot be closed any more. */
static int held_change(const struct step *s, const struct og_trade *t, struct og_money filled, struct og_change *c)
{
    const struct og_holding *h = &s->at->is;
    const bool opens = og_trade_may_open(t), longs = (t->side == OG_BUY) == opens;
    struct og_money rest, held = longs ? h->held_long : h->held_short, other = longs ? h->held_short : h->held_long;
    struct og_money moved = opens ? filled : less_of(filled, held); /* a close reduces by no more than was held */

    *c = (struct og_change){ .traded = h->traded, .lots = opens };
    if (t->opens < 0 && !og_money_add(other, longs ? h->opening_sell_leaves : h->opening_buy_leaves, &other))
        other = filled;
    if (t->opens < 0 && other.coef > 0) { /* the fill may have closed positions on the other side: only the excess is
                                           * certainly a new position */
        const struct og_money either = less_of(filled, other);

        if (!og_money_sub(filled, either, &moved))
            moved = (struct og_money){ 0, 0 };
        og_facts_size(c, longs ? OG_OPENING_BUY_LEAVES : OG_OPENING_SELL_LEAVES, either);
        og_facts_size(c, longs ? OG_CLOSING_BUYS : OG_CLOSING_SELLS, either);
        og_facts_size(c, longs ? OG_EITHER_BUYS : OG_EITHER_SELLS, either);
        if (!longs && h->occ.is && h->occ.type == 'P')
            c->puts = (int64_t)og_put_strikes(h->occ.strike, og_money_floor(either));
    }
    og_facts_size(c, longs ? OG_HELD_LONG : OG_HELD_SHORT, moved);
    if (!opens && og_money_sub(held, moved, &rest) && rest.coef == 0 && other.coef == 0 &&
        !(h->either_sells.coef | h->either_buys.coef)) /* else fills of other orders may have opened a position */
        c->lots = h->lots;
    return opens ? 1 : -1;
}

/* Note the filled calls that may have been written, since held_change() counts them as still to open: long calls of the
 * account may cover them. units: that filled. */
static void fill_leaning(struct og_change *c, const struct og_effect *e, const struct og_trade *t, int64_t units)
{
    const int64_t value = c->shorts;

    if (t->side != OG_SELL || t->opens >= 0 || !t->occ->is || t->occ->type != 'C')
        return;
    c->leans = true;
    for (int i = 0; i < c->sizes; i++)
        if (c->size[i].of == OG_OPENING_SELL_LEAVES && e->order->security == OG_OPTION)
            plan_leaning(c, e, og_money_floor(c->size[i].by),
                         og_facts_part_worth(value, og_money_floor(c->size[i].by), units));
}

/* A close filled, and its value is known only as a lower bound: if other closes are left, record that. */
static void close_unpriced(struct step *s, enum og_side side)
{
    struct og_holding *h = &s->at->is;
    struct og_closing *w = side == OG_SELL ? &h->sells_worth : &h->buys_worth;

    if (s->change.closes < 0 && (w->cents || w->unpriced))
        w->unpriced_filled = true;
}

/* Move the filled units of each step from working to held; all steps, or none. */
static bool hold(struct plan *p, const struct og_effect *e, int64_t units, int64_t cents)
{
    const struct og_order *o = e->order;
    struct og_change done[STEPS];
    int sign[STEPS], i;

    for (i = 0; i < p->count; i++) {
        struct step *s = &p->step[i];
        const struct og_trade t = trade_of(o, s);

        done[i] = (struct og_change){ .traded = s->change.traded };
        sign[i] = 1;
        if (t.side != OG_SIDE_NONE)
            sign[i] = held_change(s, &t, size_of(o, &t, units), &done[i]);
        if (i == 0 && sign[i] > 0) /* the step of the order's own symbol, unless the order closes: the filled units are
                                    * held now, and their value still counts */
            units_worth(&done[i], e, units, cents);
        if (sign[i] > 0)
            fill_leaning(&done[i], e, &t, units);
        else
            close_unpriced(s, t.side);
        if (!og_facts_count(p->sums, s->at, &done[i], sign[i]))
            break;
    }
    if (i == p->count)
        return true;
    while (i--)
        (void)og_facts_count(p->sums, p->step[i].at, &done[i], -sign[i]);
    return false;
}

enum og_status og_facts_fill(struct og_facts *f, const struct og_effect *e, int64_t units, int64_t cents)
{
    struct og_effect after = *e;
    struct plan p, rest;
    bool held;

    after.done += units;
    if (!plan_of(&p, f->sums, e, false) || !plan_of(&rest, f->sums, &after, false))
        return OG_EINVAL;
    f->sums->written_later = true;
    uncount(&p, p.count);
    held = hold(&p, e, units, cents);
    (void)count(held ? &rest : &p); /* cannot overflow: it is at most what was counted before */
    f->sums->written_later = false;
    for (int i = 0; i < p.count; i++)
        og_facts_written_filled(f->sums, p.step[i].at, e->order, units, cents);
    if (held && !rest.count)
        count_twin(&p, -1);
    return held ? OG_OK : OG_EINVAL;
}

int64_t og_facts_closable(struct og_facts *f, const struct og_effect *e, int64_t units)
{
    struct plan p;

    if (units <= 0 || !plan_of(&p, f->sums, e, false))
        return 0;
    for (int i = 0; i < p.count; i++) {
        const struct step *s = &p.step[i];
        const struct og_trade t = trade_of(e->order, s);
        const struct og_money held = t.side == OG_BUY ? s->at->is.held_short : s->at->is.held_long;
        const int64_t each = t.size / e->order->quantity;

        if (t.side != OG_SIDE_NONE && t.opens == 0 && each > 0 && og_money_floor(held) / each < units)
            units = og_money_floor(held) / each;
    }
    return units;
}

void og_facts_end_rest(struct og_facts *f, struct og_effect *e, int64_t units)
{
    struct plan p, rest;
    struct og_effect after = *e;

    after.done += units;
    if (!plan_of(&p, f->sums, e, false) || !plan_of(&rest, f->sums, &after, false))
        return;
    uncount(&p, p.count);
    (void)count(&rest);
    if (!rest.count)
        count_twin(&p, -1);
    e->done = after.done;
}

bool og_facts_recost(struct og_facts *f, struct og_money was, struct og_money now)
{
    const struct og_money before = f->reserved;
    struct og_money sum = before;

    if (og_money_sub(before, was, &sum) && og_money_gather(&sum, now) && set_bp(f, sum))
        return true;
    (void)set_bp(f, before);
    return false;
}

void og_facts_dearest(const struct og_facts *f, const struct og_order *o, struct og_dearest_mark *mark)
{
    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_holding *h = og_facts_holding(f, og_order_trade(o, i).symbol);

        mark->sells[i] = h ? h->sells_worth.most : 0;
        mark->buys[i] = h ? h->buys_worth.most : 0;
    }
}

void og_facts_dearest_back(struct og_facts *f, const struct og_order *o, const struct og_dearest_mark *mark)
{
    for (int i = 0; i < og_order_trades(o); i++) {
        struct og_holding_entry *h = og_facts_map_get(&f->sums->holdings, og_order_trade(o, i).symbol);

        if (!h)
            continue;
        h->is.sells_worth.most = mark->sells[i];
        h->is.buys_worth.most = mark->buys[i];
        og_facts_put_beyond(f->sums, h);
    }
}
