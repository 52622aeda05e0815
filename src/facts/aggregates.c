/*
 * Sums by traded symbol: the quantities and values held, and those that working orders will change.  Sums are exact: a
 * change is not counted at all if og_money cannot represent a sum exactly.
 */
#include <stdlib.h>

#include "base/attributes.h"
#include "base/money.h"
#include "facts/data.h"

struct og_aggregates *og_facts_aggregates_new(void)
{
    struct og_aggregates *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    og_arena_init(&s->arena, 0);
    og_facts_map_init(&s->holdings, &s->arena);
    og_facts_map_init(&s->roots, &s->arena);
    og_facts_map_init(&s->twins, &s->arena);
    return s;
}

void og_facts_aggregates_free(struct og_aggregates *s)
{
    if (!s)
        return;
    og_facts_map_clear(&s->holdings);
    og_facts_map_clear(&s->roots);
    og_facts_map_clear(&s->twins);
    og_arena_clear(&s->arena);
    free(s);
}

static struct og_root_entry *root_entry(struct og_aggregates *s, struct og_str root)
{
    const uint64_t hash = og_facts_map_hash(root);
    struct og_root_entry *e = og_facts_map_find(&s->roots, root, hash);

    if (e)
        return e;
    e = og_facts_map_add(&s->roots, hash, og_facts_map_first(&s->roots, hash), sizeof *e);
    if (!e)
        return NULL;
    e->is.root = root; /* points into the symbol of the root's first contract, which is never freed */
    if (og_root_is_derived(root)) {
        e->next_derived = s->derived;
        s->derived = e;
    }
    return e;
}

static OG_COLD struct og_holding_entry *new_holding(struct og_aggregates *s, struct og_str traded, uint64_t hash)
{
    struct og_str copy = og_arena_copy(&s->arena, traded);
    struct og_root_entry *root = NULL;
    struct og_holding_entry *h;
    struct og_occ occ;

    og_occ_read(copy, &occ);
    if (!copy.s || (occ.is && !(root = root_entry(s, occ.root))))
        return NULL;
    h = og_facts_map_add(&s->holdings, hash, og_facts_map_first(&s->holdings, hash), sizeof *h);
    if (!h)
        return NULL;
    h->is.traded = copy;
    h->is.occ = occ;
    h->root = root;
    s->spelled = s->spelled || (!occ.is && og_symbol_bytes(copy) & OG_BYTE_SPELLING);
    if (root && occ.strike > root->is.strike_most)
        root->is.strike_most = occ.strike;
    return h;
}

struct og_holding_entry *og_facts_holding_entry(struct og_aggregates *s, struct og_str traded, uint64_t hash)
{
    struct og_holding_entry *h = og_facts_map_find(&s->holdings, traded, hash);

    return h ? h : new_holding(s, traded, hash);
}

/* Put a contract into the chain of its root's contracts, or take it out.  The chain has only contracts with a position
 * or a working order, so that the others cost no time. */
static OG_NOINLINE void link_or_unlink(struct og_holding_entry *h, bool wanted)
{
    struct og_holding_entry *next;

    h->linked = wanted;
    h->root->is.contracts += wanted ? 1 : -1;
    if (wanted) {
        next = h->root->first;
        h->before = NULL;
        h->is.next_of_root = next ? &next->is : NULL;
        h->root->first = h;
    } else {
        next = (struct og_holding_entry *)h->is.next_of_root; /* the cast is valid because the member `is` comes first
                                                               * in struct og_holding_entry */
        if (h->before)
            h->before->is.next_of_root = h->is.next_of_root;
        else
            h->root->first = next;
        h->is.next_of_root = NULL;
    }
    if (next)
        next->before = wanted ? h : h->before;
}

static inline void relink(struct og_holding_entry *h)
{
    const bool wanted = h->is.lots || h->is.working;

    if (h->root && wanted != h->linked)
        link_or_unlink(h, wanted);
}

/* Add the contract to the sums over its root and over all puts. */
static void count_shorts(struct og_aggregates *s, const struct og_holding_entry *h, og_facts_wide more)
{
    if (h->is.occ.type == 'P') {
        h->root->is.puts += more;
        s->puts += more * h->is.occ.strike;
    } else {
        h->root->is.calls += more;
    }
}

/* Add `by` to a sum.  Returns false if og_money cannot represent the result exactly; the sum is then 0. */
static bool add(struct og_money *sum, struct og_money by, int sign)
{
    int64_t whole;

    if (!(sum->scale | by.scale) && !__builtin_add_overflow(sum->coef, sign * by.coef, &whole)) {
        sum->coef = whole;
        return true;
    }
    return sign > 0 ? og_money_add(*sum, by, sum) : og_money_sub(*sum, by, sum);
}

/* Count the uncommon cases of a row, which are kept off the hot path: values that are unknown, and rows of
 * positions. */
static OG_NOINLINE void count_doubts(struct og_totals *t, struct og_holding_entry *h, const struct og_change *c,
                                     int sign)
{
    const int64_t worth = sign * (c->longs + c->shorts);
    const int unpriced = sign * c->unpriced, unsized = sign * c->unsized;

    t->unpriced += unpriced;
    t->unsized += unsized;
    t->legless += sign * c->legless;
    h->is.legless += sign * c->legless;
    h->is.unpriced += unpriced;
    h->is.at_least += c->unpriced && worth ? sign : 0;
    if (c->lots) {
        if ((worth | unpriced) && c->sizes)
            (void)add(&h->carried_size, c->size[0].by, sign); /* a sum that does not fit becomes 0, and so differs from
                                                               * the size that is held: the average price then does not
                                                               * count */
        h->is.carried += worth;
        h->is.carried_unpriced += unpriced;
    }
    h->is.unsized += unsized;
    if (h->root)
        h->root->unpriced += unpriced;
}

/* Add the row to the sums over the account and over its root. */
static inline void count_totals(struct og_totals *t, struct og_holding_entry *h, const struct og_change *c, int sign)
{
    const int64_t longs = sign * c->longs, shorts = sign * c->shorts;

    t->longs += longs;
    t->shorts += shorts;
    t->orders += sign * c->orders;
    if (c->puts | c->buys) {
        t->puts_lose += sign * c->puts;
        t->buying += sign * c->buys;
    }
    h->is.orders += sign * c->orders;
    h->is.value += longs + shorts;
    h->is.sold += shorts;
    if (h->root) {
        h->root->orders += sign * c->orders;
        h->root->value += longs + shorts;
        h->root->sold += shorts;
    }
    if (c->unpriced | c->unsized | c->legless | c->lots)
        count_doubts(t, h, c, sign);
}

/* The sums of a holding whose addition may overflow. contracts: the size is also added to the sum over all contracts;
 * shorts: the size is also added to the sum over all short contracts. */
static const struct {
    size_t at;
    bool contracts, shorts;
} sizes[OG_SIZES] = {
    [OG_HELD_LONG] = { offsetof(struct og_holding, held_long), true, false },
    [OG_HELD_SHORT] = { offsetof(struct og_holding, held_short), true, true },
    [OG_CLOSING_SELLS] = { offsetof(struct og_holding, closing_sells), false, false },
    [OG_CLOSING_BUYS] = { offsetof(struct og_holding, closing_buys), false, false },
    [OG_OPENING_SELL_LEAVES] = { offsetof(struct og_holding, opening_sell_leaves), true, true },
    [OG_OPENING_BUY_LEAVES] = { offsetof(struct og_holding, opening_buy_leaves), true, false },
    [OG_EITHER_SELLS] = { offsetof(struct og_holding, either_sells), false, false },
    [OG_EITHER_BUYS] = { offsetof(struct og_holding, either_buys), false, false },
};

static bool add_size(struct og_aggregates *s, struct og_holding_entry *h, const struct og_sized *size, int sign)
{
    struct og_money *sum = (struct og_money *)((char *)&h->is + sizes[size->of].at), was = *sum;
    og_facts_wide more;

    if (!add(sum, size->by, sign)) {
        *sum = was;
        return false;
    }
    if (!h->root || !sizes[size->of].contracts)
        return true;
    more = (og_facts_wide)og_money_floor(*sum) - og_money_floor(was);
    s->totals.contracts += more;
    if (sizes[size->of].shorts)
        count_shorts(s, h, more);
    return true;
}

/* Add all sizes of a change to the sums, or none of them. */
static bool add_sizes(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c, int sign)
{
    for (int i = 0; i < c->sizes; i++)
        if (!add_size(s, h, &c->size[i], sign)) {
            while (i--) /* undo the additions so far, which cannot overflow */
                (void)add_size(s, h, &c->size[i], -sign);
            return false;
        }
    return true;
}

bool og_holding_over(const struct og_holding *h, enum og_side side, struct og_money more, struct og_money *over)
{
    const bool sells = side == OG_SELL;
    struct og_money sure = sells ? h->closing_sells : h->closing_buys;

    *over = og_money_from(0);
    if ((sure.coef | more.coef) == 0)
        return true;
    /* orders that may open or close already count as opening, so leave them out here */
    if (!add(&sure, more, 1) || !add(&sure, sells ? h->either_sells : h->either_buys, -1) ||
        !add(&sure, sells ? h->held_long : h->held_short, -1))
        return false;
    if (sure.coef > 0)
        *over = sure;
    return true;
}

/* Returns the number of contracts by which the holding's closes exceed what is held; 0 for stock, and if that number is
 * out of range. */
static og_facts_wide contracts_over(const struct og_holding_entry *h)
{
    struct og_money sells, buys;

    if (!h->root || !(h->is.closing_sells.coef | h->is.closing_buys.coef) ||
        !og_holding_over(&h->is, OG_SELL, og_money_from(0), &sells) ||
        !og_holding_over(&h->is, OG_BUY, og_money_from(0), &buys))
        return 0;
    return (og_facts_wide)og_money_floor(sells) + og_money_floor(buys);
}

/* Returns the value of `size` units, in cents rounded up; each: value of a unit in hundredths of a cent.  divide: the
 * reverse: `each` is the value of all units in cents, and the result that of one unit in hundredths of a cent. */
static og_wide times_size(og_wide each, struct og_money size, bool divide)
{
    static const int64_t power[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000 };
    const og_wide scale = size.scale > 9 ? INT64_C(1000000000000000000) : power[size.scale > 0 ? size.scale : 0];

    if (divide)
        return (each * 100 * scale + size.coef - 1) / size.coef;
    return (each * size.coef + 100 * scale - 1) / (100 * scale);
}

/* Returns the worst value in cents of the `over` units by which closes exceed the position. The closes that fill last
 * open a position, but nobody knows which ones fill last. So each unit counts at the price of the dearest close, but
 * all together at most at the value of all closes. */
static og_wide worst_of(const struct og_closing *w, struct og_money over)
{
    const og_wide dearest = times_size(w->most, over, false);

    return dearest < w->cents ? dearest : w->cents;
}

/* Set *over to the quantity by which the closes of a side exceed the position, but at most to the quantity of all
 * orders of that side that certainly close. `more` is the size of one more order, which closes. With `maybe` its
 * openClose is unknown, and it may close the position before the other closes fill. Returns false if *over is out of
 * range. */
static bool sure_over(const struct og_holding *h, bool sells, struct og_money more, bool maybe, struct og_money *over)
{
    struct og_money all = sells ? h->closing_sells : h->closing_buys, sure;

    *over = og_money_from(0);
    sure = all;
    if (!add(&sure, sells ? h->either_sells : h->either_buys, -1) || !add(&all, more, 1) ||
        (!maybe && !add(&sure, more, 1)))
        return false;
    *over = all;
    if (!add(over, sells ? h->held_long : h->held_short, -1))
        return false;
    if (og_price_cmp(*over, sure) > 0)
        *over = sure;
    if (over->coef < 0)
        *over = og_money_from(0);
    return true;
}

/* Returns true if some close that may open has a value of which only a lower bound is known. */
static bool is_unpriced(const struct og_closing *w)
{
    return w->unpriced || w->unpriced_filled;
}

/* Returns the value in cents of the positions that closes of a side would open because they exceed the position held.
 * Increments *unpriced if only a lower bound is known. */
static og_wide beyond_of(const struct og_holding *h, bool sells, int *unpriced)
{
    const struct og_closing *w = sells ? &h->sells_worth : &h->buys_worth;
    struct og_money over;

    if ((sells ? h->closing_sells : h->closing_buys).coef == 0)
        return 0;
    if (!sure_over(h, sells, og_money_from(0), false, &over)) {
        ++*unpriced;
        return w->cents;
    }
    if (over.coef == 0)
        return 0;
    *unpriced += is_unpriced(w);
    return worst_of(w, over);
}

bool og_holding_beyond_more(const struct og_holding *h, enum og_side side, struct og_money size, int64_t worth,
                            og_wide *cents)
{
    static const struct og_holding nothing;
    const bool sells = side == OG_SELL;
    struct og_closing w;
    struct og_money over;
    int unpriced = 0;
    og_wide each;

    h = h ? h : &nothing;
    w = sells ? h->sells_worth : h->buys_worth;
    *cents = worth;
    if (size.coef <= 0 || !sure_over(h, sells, size, false, &over))
        return false;
    each = times_size(worth, size, true);
    w.cents += worth;
    w.most = each > INT64_MAX ? INT64_MAX : each > w.most ? (int64_t)each : w.most;
    *cents = over.coef ? worst_of(&w, over) - beyond_of(h, sells, &unpriced) : 0;
    return over.coef == 0 || !is_unpriced(&w);
}

bool og_holding_uses_up(const struct og_holding *h, enum og_side side, struct og_money size, og_wide *cents)
{
    const bool sells = side == OG_SELL;
    const struct og_closing *w = sells ? &h->sells_worth : &h->buys_worth;
    struct og_money over;
    int unpriced = 0;

    *cents = 0;
    if (!sure_over(h, sells, size, true, &over))
        return w->cents == 0 && w->unpriced == 0;
    if (over.coef)
        *cents = worst_of(w, over) - beyond_of(h, sells, &unpriced);
    return over.coef == 0 || !is_unpriced(w);
}

void og_facts_put_beyond(struct og_aggregates *s, struct og_holding_entry *h)
{
    const struct og_beyond was = h->is.beyond;
    struct og_beyond now = { .unpriced = 0 };

    if (!(h->is.closing_sells.coef | h->is.closing_buys.coef | was.unpriced) && !was.longs && !was.shorts)
        return;
    now.shorts = beyond_of(&h->is, true, &now.unpriced_shorts);
    now.longs = beyond_of(&h->is, false, &now.unpriced);
    now.unpriced += now.unpriced_shorts;
    if (now.shorts == was.shorts && now.longs == was.longs && now.unpriced == was.unpriced &&
        now.unpriced_shorts == was.unpriced_shorts)
        return; /* the usual case: closes do not exceed the position */
    h->is.beyond = now;
    for (int i = 0; i < 2; i++) {
        struct og_beyond *sum = i == 0 ? &s->totals.beyond : h->root ? &h->root->beyond : NULL;

        if (!sum)
            break;
        sum->longs += now.longs - was.longs;
        sum->shorts += now.shorts - was.shorts;
        sum->unpriced += now.unpriced - was.unpriced;
        sum->unpriced_shorts += now.unpriced_shorts - was.unpriced_shorts;
    }
}

/* Count the value that the unfilled quantity of a close would have if the order opened. */
static void count_closes(struct og_holding *h, const struct og_change *c, int sign)
{
    const int64_t cents = c->closes < 0 ? OG_AT_LEAST(c->closes) : c->closes;

    for (int i = 0; i < c->sizes; i++) {
        const bool sells = c->size[i].of == OG_CLOSING_SELLS;
        struct og_closing *w = sells ? &h->sells_worth : &h->buys_worth;
        og_wide each;

        if ((!sells && c->size[i].of != OG_CLOSING_BUYS) || c->opening || c->size[i].by.coef <= 0)
            continue;
        w->cents += sign * (og_wide)cents;
        w->unpriced += c->closes < 0 ? sign : 0;
        each = times_size(cents, c->size[i].by, true);
        if (sign > 0 && each > w->most)
            w->most = each > INT64_MAX ? INT64_MAX : (int64_t)each;
        if (!w->cents && !w->unpriced) {
            w->most = 0;
            w->unpriced_filled = false;
        }
    }
}

/* Count the cents that a close of written puts will pay. */
static void count_buy_back(struct og_holding_entry *h, const struct og_change *c, int sign)
{
    if (!h->root || h->is.occ.type != 'P' || c->opening || !c->closes || !c->buys)
        return;
    h->buys_back += sign * c->buys;
    h->root->buys_back += sign * c->buys;
}

/* Orders that close more long puts than are held write the excess: update what these written puts can lose. */
static void count_puts_over(struct og_aggregates *s, struct og_holding_entry *h)
{
    const og_wide was = h->puts_lose;
    struct og_money over = { 0, 0 };

    if (!h->root || h->is.occ.type != 'P' || (!h->is.closing_sells.coef && !was))
        return;
    (void)og_holding_over(&h->is, OG_SELL, og_money_from(0), &over);
    h->puts_lose = og_put_strikes(h->is.occ.strike, og_money_floor(over));
    s->totals.puts_lose += h->puts_lose - was;
}

/* Update the sums that depend on positions and on closing orders. Not inlined, since the majority of orders only open,
 * and need none of this. */
static OG_NOINLINE void count_beyond(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c,
                                     int sign)
{
    const og_facts_wide was = h->contracts_over;

    h->contracts_over = contracts_over(h);
    s->totals.over += h->contracts_over - was;
    count_closes(&h->is, c, sign);
    count_buy_back(h, c, sign);
    count_puts_over(s, h);
    og_facts_put_beyond(s, h);
    if (h->root)
        og_facts_count_written(s, h, c, sign);
}

/* The sums cannot overflow, since each is a part of a size that was added before. */
static OG_NOINLINE void count_own(struct og_own_cover *sum, const struct og_own_cover *own, int sign)
{
    sum->by_shares += sign * own->by_shares;
    sum->by_longs += sign * own->by_longs;
    sum->bounded += sign * own->bounded;
    sum->longs += sign * own->longs;
}

static bool only_opens(const struct og_change *c)
{
    for (int i = 0; i < c->sizes; i++)
        if (c->size[i].of != OG_OPENING_SELL_LEAVES && c->size[i].of != OG_OPENING_BUY_LEAVES)
            return false;
    return true;
}

/* Count what the change of a working order of one symbol never has. */
static OG_NOINLINE void count_seldom(struct og_holding *h, const struct og_change *c, int sign)
{
    h->lots += sign * c->lots;
    h->over += sign * c->over;
    h->leg_buys += c->leg > 0 ? sign : 0;
    h->leg_sells += c->leg < 0 ? sign : 0;
}

bool og_facts_count(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c, int sign)
{
    if (!add_sizes(s, h, c, sign))
        return false;
    if (og_own_is_set(&c->own))
        count_own(&h->is.own, &c->own, sign);
    if (!only_opens(c))
        count_beyond(s, h, c, sign);
    if (!h->root && (s->totals.calls_written || s->totals.calls_leaning))
        og_facts_count_shares(s, h);
    if (c->opening)
        *(int *)((char *)&h->is + c->opening) += sign;
    h->is.working += sign * c->working;
    if (c->lots | c->over | c->leg)
        count_seldom(&h->is, c, sign);
    count_totals(&s->totals, h, c, sign);
    if (c->trades)
        og_facts_count_open_row(s, h, c, sign);
    relink(h);
    if (c->leans && h->root)
        og_facts_count_leaning(s, h, c, sign); /* after relink(), since this looks at all contracts of the root */
    return true;
}

void og_facts_size(struct og_change *c, enum og_size of, struct og_money by)
{
    if (by.coef)
        c->size[c->sizes++] = (struct og_sized){ of, by };
}

void og_facts_working(struct og_change *c, enum og_side side, int opens, bool maybe, struct og_money leaves)
{
    static const size_t counts[2][2] = {
        { offsetof(struct og_holding, opening_sells), offsetof(struct og_holding, opening_sells_maybe) },
        { offsetof(struct og_holding, opening_buys), offsetof(struct og_holding, opening_buys_maybe) },
    };

    if (opens != 0)
        c->opening = counts[side == OG_BUY][maybe || opens < 0];
    if (opens <= 0) /* the order closes, or may do so */
        og_facts_size(c, side == OG_BUY ? OG_CLOSING_BUYS : OG_CLOSING_SELLS, leaves);
    if (opens != 0)
        og_facts_size(c, side == OG_SELL ? OG_OPENING_SELL_LEAVES : OG_OPENING_BUY_LEAVES, leaves);
    if (opens < 0)
        og_facts_size(c, side == OG_SELL ? OG_EITHER_SELLS : OG_EITHER_BUYS, leaves);
}

static og_wide magnitude(og_wide n)
{
    return n < 0 ? -n : n;
}

static OG_COLD int64_t cents_wide(struct og_money shares, struct og_money price, int scale)
{
    og_wide cents = magnitude((og_wide)shares.coef * price.coef), part = 0;

    for (; scale > 0; scale--) {
        part |= cents % 10 != 0;
        cents /= 10;
    }
    for (; scale < 0 && cents <= OG_CENTS_MOST; scale++)
        cents *= 10;
    cents += part;
    return cents <= OG_CENTS_MOST ? (int64_t)cents : -1;
}

int64_t og_cents_of(struct og_money shares, struct og_money price, bool contract)
{
    static const int64_t power[] = { 1, 10, 100, 1000, 10000 };
    /* a dollar has 100 cents; a contract has 100 shares */
    const int scale = shares.scale + price.scale - (contract ? 4 : 2);
    int64_t cents;

    if (scale > 4 || __builtin_mul_overflow(shares.coef, price.coef, &cents) || cents < 0)
        return cents_wide(shares, price, scale);
    if (scale > 0)
        return cents / power[scale] + (cents % power[scale] != 0);
    if (!__builtin_mul_overflow(cents, power[-scale], &cents) && cents <= OG_CENTS_MOST)
        return cents;
    return cents_wide(shares, price, scale);
}

bool og_facts_is_long(const struct og_change *c)
{
    return c->lots     ? c->size[0].of == OG_HELD_LONG
           : c->closes ? c->size[0].of == OG_CLOSING_BUYS
                       : c->opening == offsetof(struct og_holding, opening_buys) ||
                             c->opening == offsetof(struct og_holding, opening_buys_maybe);
}

void og_facts_worth(struct og_change *c, bool longs, int64_t cents)
{
    c->unpriced = cents < 0;
    /* a negative value is a lower bound: store it as OG_AT_LEAST() */
    *(longs ? &c->longs : &c->shorts) = cents < 0 ? OG_AT_LEAST(cents) : cents;
}

/* A function of its own, since it needs many registers, and an order is seldom counted in parts. */
static OG_NOINLINE int64_t part_of(int64_t whole, int64_t units, int64_t all)
{
    return (int64_t)(((og_wide)whole * units + all - 1) / all);
}

int64_t og_facts_part_worth(int64_t value, int64_t units, int64_t all)
{
    if (units >= all)
        return value;
    return value < 0 ? OG_AT_LEAST(part_of(OG_AT_LEAST(value), units, all)) : part_of(value, units, all);
}
