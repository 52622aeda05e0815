/*
 * What the calls that an order writes can lose if long calls, of the order or held, cover them.  Once the written calls
 * are positions, they count at this loss.
 */
#include "facts/data.h"
#include "facts/written.h"
#include "order/roots.h"

#define CALLS_MOST (INT64_MAX / 1000) /* this many contracts, counted in shares, cannot overflow */

/* An order that writes calls of a root. each: calls that one unit writes; premium: cents to deduct for all of them. */
struct writing {
    const struct og_aggregates *sums;
    const struct og_order *order;
    struct og_str on;
    const struct og_root_entry *root; /* NULL if no contract of the root is known */
    int64_t each;
    og_wide premium;
    int64_t idle; /* how many calls of working orders are left out (struct at_work) */
    /* The order may close this long position first: only its other units write calls. NULL: it closes nothing. closes:
     * how many of the longs it closes, which then cover nothing. */
    const struct og_holding_entry *own;
    int64_t closes;
};

/* Returns which of the calls of working orders are there. */
static struct at_work work_of(const struct writing *of, enum others others)
{
    struct at_work at_work = { .sales = true, .strike = others == OTHERS_WAIT ? NO_STRIKE : ANY_STRIKE };

    if (others != OTHERS_WAIT && of->idle)
        og_facts_leave_out(&at_work, of->root, of->idle);
    return at_work;
}

/* Let the order first close, with the first of `units` units, what the others leave of the position that it may close.
 * Returns the units that are left to write calls. */
static int64_t close_first(struct writing *of, int64_t units, enum others others)
{
    struct at_work at_work;
    struct fills f = { 0, 0, 0 };
    int64_t longs;

    of->closes = 0;
    if (!of->own)
        return units;
    at_work = work_of(of, others);
    for (const struct og_holding_entry *e = first_contract(of->root); e; e = next_contract(e)) {
        if (type_of(&e->is.occ) == WRITTEN_CALLS)
            f = og_facts_at_work(&at_work, e);
        if (e == of->own)
            break;
    }
    longs = of->own->longs - f.sold - og_facts_may_close(of->own, f.leaners);
    of->closes = longs < 0 ? 0 : longs < units ? longs : units;
    return units - of->closes;
}

/* Add, in shares, the calls of the root that are held, less those that working orders sell or buy back or the order
 * closes, and the calls that these orders write, which use up cover. */
static void add_held(struct lots *l, const struct writing *of, enum others others)
{
    struct at_work at_work = work_of(of, others);
    int64_t shorts, longs;

    for (const struct og_holding_entry *e = first_contract(of->root); e; e = next_contract(e)) {
        struct fills f;

        if (type_of(&e->is.occ) != WRITTEN_CALLS)
            continue;
        f = og_facts_at_work(&at_work, e);
        shorts = f.shorts + f.leaners;
        longs = e->longs - f.sold + (others == OTHERS_WAIT ? 0 : e->beside) - (e == of->own ? of->closes : 0);
        if (shorts | longs)
            og_facts_add_lot(l, &e->is.occ, shorts * 100, longs * 100, 0);
    }
}

/* Returns how many calls of the root are held long. */
static int64_t longs_held(const struct writing *of)
{
    return of->root ? of->root->written[WRITTEN_CALLS].longs : 0;
}

/* Returns the shares of the calls that are held short, or that working orders write, and that no long call covers.  The
 * others are added to the lots.  If no call is held long, the lots get nothing, so that no contract of the root has to
 * be looked at. */
static int64_t add_covered(struct lots *l, const struct writing *of, enum others others)
{
    int64_t calls;

    if (longs_held(of)) {
        add_held(l, of, others);
        return l->count > OG_LOTS ? 0 : og_calls_take_bare(l->lot, l->count);
    }
    if (!of->root)
        return 0;
    calls = of->root->written[WRITTEN_CALLS].shorts +
            (others == OTHERS_WRITE ? of->root->written[WRITTEN_CALLS].leaners - of->idle : 0);
    return (calls < CALLS_MOST ? calls : CALLS_MOST) * 100;
}

/* Add the calls that the order's units open, in shares. Returns the shares of the calls that the units buy, less the
 * shares of those that they write. */
static int64_t add_opened(struct lots *l, const struct writing *of, int64_t units)
{
    int64_t shares = 0;

    for (int i = 0; i < og_order_trades(of->order); i++) {
        const struct og_trade t = og_order_trade(of->order, i);
        const int64_t size = t.size / of->order->quantity * units;

        if (!t.occ->is)
            shares += t.side == OG_SELL ? -size : size;
        else if (type_of(t.occ) == WRITTEN_CALLS && og_str_eq(t.occ->root, of->on))
            og_facts_add_lot(l, t.occ, t.side == OG_SELL ? size * 100 : 0,
                             t.side == OG_BUY && t.opens > 0 ? size * 100 : 0, 0);
    }
    return shares;
}

/* Returns what the root's covered calls can lose after `units` units of the order have filled. *open: how many of the
 * order's contracts then have no cover. Calls that were held without cover have no bound before and after: an order
 * that covers one of them does not break a limit by that. */
static og_wide lose_with(const struct writing *of, int64_t units, enum others others, int64_t *open)
{
    int64_t shares = og_facts_shares_held(of->sums, of->on, others), bare;
    struct lots lots;
    og_wide cents;

    lots.count = 0;
    *open = 0;
    bare = add_covered(&lots, of, others);
    if (lots.count > OG_LOTS)
        return 0;
    shares = (shares > bare ? shares - bare : 0) + add_opened(&lots, of, units);
    if (lots.count > OG_LOTS)
        return 0;
    shares = shares > 0 ? shares : 0;
    cents = og_calls_lose(lots.lot, lots.count, shares, &bare);
    *open = bare > shares ? (bare - shares + 99) / 100 : 0;
    return (cents + 99) / 100;
}

/* Returns the cents by which the loss grows if `units` units fill, less the premium for the covered calls among them.
 * Calls without cover have no bound: they add nothing, and no premium is deducted for them.  *more: number of calls
 * without cover. */
static og_wide grown(const struct writing *of, int64_t units, enum others others, int64_t *more)
{
    const og_wide was = lose_with(of, 0, others, more), loss = lose_with(of, units, others, more);
    const int64_t covered = of->each * units - *more;

    return covered > 0 ? beyond(loss, was + of->premium * covered / (of->each * of->order->quantity)) : 0;
}

/* Returns the larger growth of the loss (grown()): if all units fill, or if only as many fill that all their calls are
 * covered. */
static og_wide lose_by_writing(struct writing *of, enum others others)
{
    const int64_t units = close_first(of, of->order->quantity, others);
    int64_t more, less = 0, last = 1;
    const og_wide all = grown(of, units, others, &more);
    og_wide some;

    if (more > 0 && og_order_trades(of->order) > 1) {
        (void)grown(of, units - 1, others, &less);
        last = more - less; /* calls without cover that one unit adds: cover is used up before the last unit, so no
                             * other unit adds more */
    }
    if (more <= 0 || last <= 0 || (more + last - 1) / last >= units)
        return all;
    some = grown(of, units - (more + last - 1) / last, others, &less);
    return some > all ? some : all;
}

/* Returns how many calls have no cover if `units` units of the order and all working orders that sell calls fill. */
static int64_t exhausted(const struct writing *of, int64_t units)
{
    int64_t shares = og_facts_shares_held(of->sums, of->on, OTHERS_WRITE), bare;
    struct writing all = *of;
    struct lots lots;

    lots.count = 0;
    all.idle = 0;
    units = close_first(&all, units, OTHERS_WRITE);
    bare = add_covered(&lots, &all, OTHERS_WRITE);
    shares += lots.count <= OG_LOTS ? add_opened(&lots, &all, units) : 0;
    if (lots.count > OG_LOTS)
        return 0;
    bare += og_calls_take_bare(lots.lot, lots.count) - (shares > 0 ? shares : 0);
    return bare > 0 ? (bare + 99) / 100 : 0;
}

#define PARTS_TRIED 32 /* of an order's quantity, at most */

/* Returns the largest loss over what the other working orders do: none fills; those that sell calls fill first, and use
 * up cover; only as many of their calls fill, or so many shorts are bought back, as leave cover for the order, or for a
 * part of it. */
static og_wide lose_beside_others(struct writing *of)
{
    const struct at_work at_work = { .sales = true };
    const og_wide most = more_of(lose_by_writing(of, OTHERS_WAIT), lose_by_writing(of, OTHERS_WRITE));
    const int64_t all = og_facts_all_at_work(&at_work, of->root);
    int64_t step = 1, open;
    og_wide beside = 0;

    if (all <= 0 || exhausted(of, of->order->quantity) <= 0)
        return most;
    while (of->order->quantity / step > PARTS_TRIED)
        step *= 2;
    for (int64_t units = of->order->quantity; units > 0; units = (units - 1) / step * step) {
        const int64_t idle = exhausted(of, units);

        of->idle = idle < all ? idle : all;
        beside = more_of(beside, grown(of, close_first(of, units, OTHERS_WRITE), OTHERS_WRITE, &open));
    }
    return more_of(most, beside);
}

/* Returns what the calls of a spread can lose if only the spread's own legs cover them, less the premium of the calls
 * that are so covered: the longs held may be sold before the spread fills. */
static og_wide lose_alone(const struct writing *of)
{
    const int64_t calls = of->each * of->order->quantity;
    int64_t shares, bare;
    struct lots lots;
    og_wide cents;

    lots.count = 0;
    shares = add_opened(&lots, of, of->order->quantity);
    shares = shares > 0 ? shares : 0;
    cents = (og_calls_lose(lots.lot, lots.count, shares, &bare) + 99) / 100;
    bare = bare > shares ? (bare - shares + 99) / 100 : 0;
    return bare < calls ? beyond(cents, of->premium * (calls - bare) / calls) : 0;
}

/* Returns true if the order closes with all its units, though the other working orders sell first. */
static bool only_closes(const struct writing *of)
{
    return of->own && of->own->longs - og_money_floor(of->own->is.closing_sells) >= of->order->quantity;
}

/* Set how the order writes calls of a root. Returns false if there is nothing to count because no long call covers the
 * calls that the order writes: without cover these calls count at their price, and shares that cover them gain what
 * they lose. */
static bool find_writing(struct writing *of, const struct og_facts *f, const struct og_order *o, struct og_str on,
                         const og_wide *premium)
{
    int64_t longs = 0;

    *of = (struct writing){ .sums = f->sums, .order = o, .on = on, .root = og_facts_map_get(&f->sums->roots, on) };
    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (!t.occ->is || type_of(t.occ) != WRITTEN_CALLS || !og_str_eq(t.occ->root, on))
            continue;
        longs += t.side == OG_BUY ? t.size : 0;
        of->each += t.side == OG_SELL ? t.size / o->quantity : 0;
        of->premium += t.side == OG_SELL ? premium[i] : 0;
    }
    longs += longs_held(of);
    if (o->security == OG_OPTION && o->open_close != OG_OPEN) {
        const struct og_holding_entry *h = og_facts_map_get(&f->sums->holdings, o->symbol);

        of->own = h && h->root && h->longs ? h : NULL;
    }
    return longs > 0 && of->each > 0 && !only_closes(of);
}

/* Returns true if some leg before the i-th writes calls of the same root. */
static bool is_counted(const struct og_order *o, int i, struct og_str root)
{
    for (int k = 0; k < i; k++) {
        const struct og_trade t = og_order_trade(o, k);

        if (t.side == OG_SELL && t.opens != 0 && t.occ->is && type_of(t.occ) == WRITTEN_CALLS &&
            og_str_eq(t.occ->root, root))
            return true;
    }
    return false;
}

og_wide og_facts_writes(const struct og_facts *f, const struct og_order *o, const og_wide *premium)
{
    og_wide sum = 0;
    struct writing of;

    for (int i = 0; i < og_order_trades(o); i++)
        if (o->quantity <= 0 || og_order_trade(o, i).opens == 0)
            return 0; /* an order that may also close is counted by what it uncovers */
    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (t.side != OG_SELL || !t.occ->is || type_of(t.occ) != WRITTEN_CALLS || is_counted(o, i, t.occ->root) ||
            !find_writing(&of, f, o, t.occ->root, premium))
            continue;
        sum += more_of(lose_beside_others(&of), o->security == OG_MLEG ? lose_alone(&of) : 0);
    }
    return sum;
}

/* Set *leans if the spread is of a usual form: its calls have one root and one expiry, and all open. Returns false if
 * it has another form. */
static bool is_usual(const struct og_order *o, bool *leans)
{
    const struct og_leg *first = NULL;
    int64_t shares = 0, bare = 0;

    for (int i = 0; i < o->legs_kept; i++) {
        const struct og_leg *l = &o->leg[i];

        if (!l->occ.is)
            shares += l->side == OG_SELL ? -l->ratio : l->ratio;
        if (!l->occ.is || type_of(&l->occ) != WRITTEN_CALLS)
            continue;
        first = first ? first : l;
        if (l->open_close != OG_OPEN || l->occ.expiry != first->occ.expiry || !og_str_eq(l->occ.root, first->occ.root))
            return false;
        bare += l->side == OG_SELL ? l->ratio : l->side == OG_BUY ? -l->ratio : 0;
    }
    *leans = bare * 100 > (shares > 0 ? shares : 0);
    return true;
}

static OG_NOINLINE bool spread_leans(const struct og_order *o)
{
    struct writing of = { .order = o };
    struct lots lots;
    int64_t shares;
    bool leans;

    if (is_usual(o, &leans))
        return leans && o->quantity > 0;
    for (int i = 0; o->quantity > 0 && i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (t.side != OG_SELL || t.opens == 0 || !t.occ->is || type_of(t.occ) != WRITTEN_CALLS ||
            is_counted(o, i, t.occ->root))
            continue;
        lots.count = 0;
        of.on = t.occ->root;
        shares = add_opened(&lots, &of, o->quantity);
        if (og_calls_take_bare(lots.lot, lots.count) > (shares > 0 ? shares : 0))
            return true;
    }
    return false;
}

bool og_facts_leans(const struct og_order *o)
{
    if (o->security == OG_MLEG)
        return spread_leans(o);
    return o->security == OG_OPTION && o->side == OG_SELL && o->open_close != OG_CLOSE && o->occ.type == 'C';
}
