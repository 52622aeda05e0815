/*
 * The cash that orders need: what all written puts, on whatever underlying, can lose once an order has filled (rule
 * uncovered-options, setting puts: cash-secured); what the puts written by one order can lose; and what an order pays.
 */
#include "base/attributes.h"
#include "facts/data.h"
#include "facts/written.h"
#include "mleg/mleg.h"

/* Returns true if the i-th trade of the order is not in a put, or if an earlier trade of the order is in a put of the
 * same root. */
static bool is_not_first(const struct og_order *o, int i)
{
    const struct og_trade t = og_order_trade(o, i);

    if (!t.occ->is || type_of(t.occ) != WRITTEN_PUTS)
        return true;
    for (int k = 0; k < i; k++) {
        const struct og_trade before = og_order_trade(o, k);

        if (before.occ->is && type_of(before.occ) == WRITTEN_PUTS && og_str_eq(before.occ->root, t.occ->root))
            return true;
    }
    return false;
}

/* Add a contract to the lots; `shorts` may be below 0.  Returns what the shorts lose without any cover. */
static og_wide add_put(struct lots *l, const struct og_occ *occ, int64_t shorts, int64_t longs, int64_t sold)
{
    og_facts_add_lot(l, occ, shorts, longs, sold < longs ? sold : longs);
    return shorts > 0 ? og_put_strikes(occ->strike, shorts) : 0;
}

/* Returns the legs of a spread that may open puts (bit 1 << index each). *writes: whether one of them sells. */
static unsigned put_legs(const struct og_order *o, bool *writes)
{
    unsigned legs = 0;

    *writes = false;
    for (int i = 0; i < o->legs_kept; i++) {
        const struct og_leg *l = &o->leg[i];

        if (!l->occ.is || type_of(&l->occ) != WRITTEN_PUTS || og_opens(l->open_close) == 0)
            continue;
        legs |= 1u << i;
        *writes |= l->side == OG_SELL;
    }
    return legs;
}

/* Returns what the puts that units of a spread write can lose, root by root. */
static OG_NOINLINE og_wide spread_puts(const struct og_order *o, int64_t units)
{
    struct og_lot lot[OG_LEGS_KEPT];
    og_wide sum = 0;
    bool writes;
    unsigned left = put_legs(o, &writes);

    if (!writes || units <= 0) /* bought puts are cover, and lose nothing */
        return 0;
    for (int i = 0; left; i++) {
        int count = 0;

        for (int k = i; left >> i & 1 && k < o->legs_kept; k++) {
            const struct og_leg *l = &o->leg[k];
            const int64_t size = l->ratio * units;

            if (!(left >> k & 1) || !og_str_eq(l->occ.root, o->leg[i].occ.root))
                continue;
            left &= ~(1u << k) | 1u << i;
            lot[count++] = (struct og_lot){ l->occ.strike, l->occ.expiry, l->side == OG_SELL ? size : 0,
                                            l->side == OG_BUY && og_opens(l->open_close) > 0 ? size : 0, 0 };
        }
        left &= ~(1u << i);
        sum += count ? og_puts_lose(lot, count) : 0;
    }
    return sum;
}

og_wide og_facts_order_puts(const struct og_order *o, int64_t units)
{
    if (o->security == OG_MLEG)
        return spread_puts(o, units);
    /* the puts are of one contract: they can lose their whole strikes, since the order buys no cover */
    if (!o->occ.is || type_of(&o->occ) != WRITTEN_PUTS || o->side != OG_SELL || og_opens(o->open_close) == 0)
        return 0;
    return units > 0 ? og_put_strikes(o->occ.strike, units) : 0;
}

/* Returns true if the spread is for a credit: its limit is the amount that it receives. */
static bool is_for_credit(const struct og_effect *e)
{
    struct og_mleg m;

    if (e->mleg)
        return e->mleg->net == OG_CREDIT;
    og_mleg_of(e->order, &m);
    return m.net == OG_CREDIT;
}

/* Returns what units of a spread pay, in cents or as OG_AT_LEAST(). */
static OG_NOINLINE int64_t spread_pays(const struct og_effect *e, int64_t units)
{
    const struct og_order *o = e->order;

    return og_order_wants_limit(o) && !is_for_credit(e) ? og_cents_of(og_money_from(units), o->limit, true) : 0;
}

struct og_order_cash og_facts_cash_of(const struct og_effect *e, int64_t units)
{
    const struct og_order *o = e->order;
    struct og_order_cash cash = { og_facts_order_puts(o, units), 0 };
    int64_t cents;

    if (cash.puts || (o->security != OG_MLEG && o->side != OG_BUY))
        return cash;
    cents = o->security == OG_MLEG ? spread_pays(e, units) : og_facts_part_worth(e->value, units, o->quantity);
    cash.pays = cents < 0 ? OG_AT_LEAST(cents) : cents;
    return cash;
}

/* How the order changes a put: contracts written, less contracts bought back; contracts bought; contracts sold to
 * close. */
static struct changed put_changes(const struct og_order *o, struct og_str traded)
{
    struct changed by = { 0, 0, 0, false };

    for (int i = 0; o && i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (!og_str_eq(t.symbol, traded))
            continue;
        if (t.side == OG_SELL && t.opens == 0)
            by.sold += t.size;
        else if (t.side == OG_SELL)
            by.shorts += t.size;
        else if (t.opens > 0)
            by.longs += t.size;
        else if (t.opens == 0)
            by.shorts -= t.size;
    }
    return by;
}

static int64_t excess(int64_t sold, int64_t held)
{
    return sold > held ? sold - held : 0;
}

/* Returns what the short puts of a root can lose once the order (NULL if there is none), and all working sells of the
 * root's long puts, have filled. entry: NULL if nothing on the root is held or working. today: contracts that expired
 * before this date are left out; 0: none is. */
static og_wide puts_after(const struct og_aggregates *s, const struct og_root_entry *entry, struct og_str root,
                          const struct og_order *o, int today)
{
    struct lots lots;
    og_wide strikes = 0;

    lots.count = 0;
    for (const struct og_holding *h = entry && entry->first ? &entry->first->is : NULL; h; h = h->next_of_root) {
        const struct og_holding_entry *e = (const struct og_holding_entry *)h; /* `is` is the first member of struct
                                                                                * og_holding_entry */
        const int64_t closing = og_money_floor(h->closing_sells);
        struct changed by;

        if (type_of(&h->occ) != WRITTEN_PUTS || h->occ.expiry < today)
            continue;
        by = put_changes(o, h->traded);
        by.shorts += excess(closing + by.sold, e->longs) - excess(closing, e->longs);
        strikes += add_put(&lots, &h->occ, e->shorts + by.shorts, e->longs + by.longs,
                           closing + by.sold < e->longs ? closing + by.sold : e->longs);
    }
    for (int i = 0; o && i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);
        const struct og_holding_entry *h;

        if (!t.occ->is || type_of(t.occ) != WRITTEN_PUTS || t.occ->expiry < today || !og_str_eq(t.occ->root, root))
            continue;
        h = og_facts_map_get(&s->holdings, t.symbol);
        if (!h || !h->linked)
            strikes +=
                add_put(&lots, t.occ, t.side == OG_SELL ? t.size : 0, t.side == OG_BUY && t.opens > 0 ? t.size : 0, 0);
    }
    return lots.count > OG_LOTS ? strikes : og_puts_lose(lots.lot, lots.count);
}

og_wide og_facts_puts_lose(const struct og_facts *f, const struct og_order *o)
{
    og_wide sum = f->sums->totals.puts_lose;

    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_str root = og_order_trade(o, i).occ->root;
        const struct og_root_entry *entry;

        if (is_not_first(o, i))
            continue;
        entry = og_facts_map_get(&f->sums->roots, root);
        sum += puts_after(f->sums, entry, root, o, 0) - (entry ? entry->written[WRITTEN_PUTS].loss : 0);
    }
    return sum;
}

static bool has_expired_puts(const struct og_root_entry *root, int today)
{
    for (const struct og_holding *h = root->first ? &root->first->is : NULL; h; h = h->next_of_root)
        if (type_of(&h->occ) == WRITTEN_PUTS && h->occ.expiry < today)
            return true;
    return false;
}

/* Returns the order (NULL if there is none) if it trades puts of the root; else NULL. */
static const struct og_order *if_in_puts_of(const struct og_order *o, struct og_str root)
{
    for (int i = 0; o && i < og_order_trades(o); i++)
        if (!is_not_first(o, i) && og_str_eq(og_order_trade(o, i).occ->root, root))
            return o;
    return NULL;
}

og_wide og_facts_puts_expired(const struct og_facts *f, const struct og_order *o, int today)
{
    const struct og_root_entry *root;
    og_wide sum = 0;
    size_t at = 0;

    while ((root = og_facts_map_next(&f->sums->roots, &at)) != NULL) {
        const struct og_order *by = if_in_puts_of(o, root->is.root);

        if (has_expired_puts(root, today))
            sum += (by ? puts_after(f->sums, root, root->is.root, by, 0) : root->written[WRITTEN_PUTS].loss) -
                   puts_after(f->sums, root, root->is.root, by, today);
    }
    return sum > 0 ? sum : 0;
}

bool og_facts_sells_puts_beside(const struct og_facts *f, const struct og_order *o)
{
    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);
        const struct og_root_entry *root;

        if (!t.occ->is || type_of(t.occ) != WRITTEN_PUTS || t.side != OG_SELL)
            continue;
        root = og_facts_map_get(&f->sums->roots, t.occ->root);
        if (root && root->is.puts > root->written[WRITTEN_PUTS].shorts)
            return true;
    }
    return false;
}
