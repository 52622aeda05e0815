/*
 * By how much an order raises the requirement of its root: the requirement of the book with the order less the one
 * without it, over the possible fills of working orders.  A working order may never fill, so it never lowers what
 * another order needs.
 */
#include <limits.h>

#include "base/attributes.h"
#include "margin/cover.h"
#include "margin/inputs.h"

#define LARGE 64 /* for books with more contracts, fewer combinations of fills are tried */

/* Which quantities a requirement is computed from. */
struct count {
    bool held, unsold; /* held: count positions less what working orders will sell; unsold: do not deduct those
                              * sales */
    /* count what working orders will write (calls, puts) and buy (longs); what a spread buys to cover what it writes
     * counts with that */
    bool calls, puts, longs;
    bool spare, ordered;
    bool even;  /* working sales of shares fill in part, so that whole lots are left */
    bool least; /* compute a lower bound instead of an upper bound */
};

static int64_t sum_of(int64_t a, int64_t b, int64_t c)
{
    return a + b + c > 0 ? a + b + c : 0;
}

/* Returns how many shares held are left by working sales. The order then takes the most lots if whole lots are left. */
static int64_t left_long(const struct og_margin_shares *s, struct count n)
{
    const int64_t least = s->held_long - s->going_long, left = n.unsold ? s->held_long : least,
                  even = (n.unsold ? left : left + OG_CONTRACT - 1) / OG_CONTRACT * OG_CONTRACT;

    return n.even && even >= least && even <= s->held_long ? even : left;
}

/* Returns how much of what working orders buy is counted: all of it; or only what covers the contracts that the same
 * spreads write, with these. */
static inline int64_t bought(struct count n, bool written, int64_t coming_long, int64_t own_long)
{
    return n.longs ? coming_long : written ? own_long : 0;
}

static OG_HOT og_wide required(struct og_margin_inputs *a, const struct og_margin_terms *t, struct count n)
{
    const struct og_margin_shares *s = &a->shares;
    struct og_margin_book *b = &a->book;
    bool writes = n.calls && n.puts, shorts = false;

    for (int i = 0; i < b->count; i++) {
        struct og_margin_line *l = &b->line[i];
        const bool written = l->type == 'C' ? n.calls : n.puts;

        l->longs = sum_of(n.held * (l->held_long - !n.unsold * l->going_long) + n.spare * l->spare,
                          bought(n, written, l->coming_long, l->own_long), n.ordered * l->order_long);
        l->shorts = sum_of(n.held * l->held_short, written * l->coming_short, n.ordered * l->order_short);
        shorts |= l->shorts > 0;
    }
    if (!shorts)
        return 0;
    b->long_lots = sum_of(n.held * left_long(s, n) + n.spare * s->spare_long,
                          bought(n, n.calls, s->coming_long, s->own_long), n.ordered * s->order_long) /
                   OG_CONTRACT;
    b->short_lots = sum_of(n.held * s->held_short + n.spare * s->spare_short, writes * s->coming_short,
                           n.ordered * s->order_short) /
                    OG_CONTRACT;
    return n.least ? og_margin_options_least(b, t) : og_margin_options(b, t);
}

/* Returns by how much the order raises the requirement.  The cheapest pairing is not always found, so the requirement
 * with the order is an upper bound, and the requirement without the order a lower bound. */
static og_wide difference(struct og_margin_inputs *a, const struct og_margin_terms *t, struct count n)
{
    og_wide with, without;

    n.ordered = true;
    with = required(a, t, n);
    n.ordered = false;
    n.least = true;
    without = required(a, t, n);
    return with - without;
}

/* Returns the earliest expiry among the order's contracts. */
static int expiry_of(const struct og_margin_parts *p)
{
    int first = INT_MAX;

    for (int i = 0; i < p->count; i++)
        if (p->part[i].occ->is && p->part[i].occ->expiry < first)
            first = p->part[i].occ->expiry;
    return first;
}

/* Returns the least useful long of a type that is not marked yet and does not expire before a day; NULL if there is
 * none. */
static struct og_margin_line *worst_long(struct og_margin_book *b, char type, int expiry)
{
    struct og_margin_line *worst = NULL;

    for (int i = 0; i < b->count; i++) {
        struct og_margin_line *l = &b->line[i];

        if (l->type == type && l->expiry >= expiry && l->held_long - l->going_long > l->spare &&
            (!worst || (type == 'C' ? l->strike > worst->strike : l->strike < worst->strike)))
            worst = l;
    }
    return worst;
}

/* Mark longs and shares as spare if they may cover the order's shorts, and if no other short, held or to be written by
 * working orders, needs them. The least useful contracts are marked first, shares last. */
static int64_t spare(struct og_margin_book *b, char type, int expiry, int64_t lots)
{
    struct og_margin_line *l;
    int64_t left = lots, longs;

    for (int i = 0; i < b->count; i++)
        if (b->line[i].type == type) {
            b->line[i].spare = 0;
            left += b->line[i].expiry >= expiry ? b->line[i].held_long - b->line[i].going_long : 0;
            left -= b->line[i].held_short + b->line[i].coming_short - b->line[i].own_short;
        }
    for (; left > 0 && (l = worst_long(b, type, expiry)); left -= longs) {
        longs = l->held_long - l->going_long;
        longs = left < longs ? left : longs;
        l->spare = longs;
        if (longs == left)
            return 0;
    }
    return left <= 0 ? 0 : left < lots ? left : lots;
}

/* Returns the requirement of the order with the spare longs and shares: those that no position or working order may
 * need. */
static og_wide beside(struct og_margin_inputs *a, const struct og_margin_terms *t)
{
    struct og_margin_shares *s = &a->shares;
    int expiry = expiry_of(&a->parts);

    s->spare_long = spare(&a->book, 'C', expiry, (s->held_long - s->going_long) / OG_CONTRACT) * OG_CONTRACT;
    s->spare_short = spare(&a->book, 'P', expiry, s->held_short / OG_CONTRACT) * OG_CONTRACT;
    return required(a, t, (struct count){ .spare = true, .ordered = true });
}

#define EVEN 32U /* the bit above those of enum og_margin_coming */

/* Returns which quantities of working orders change a requirement under these fills (bit set of enum og_margin_coming).
 * Fills with the same set raise the requirement by the same amount. */
static unsigned effect_of(const struct og_margin_inputs *a, struct count n)
{
    return (a->coming &
            ((n.unsold ? OG_MARGIN_GOING : 0U) | (n.longs ? OG_MARGIN_LONGS : 0U) | (n.calls ? OG_MARGIN_CALLS : 0U) |
             (n.puts ? OG_MARGIN_PUTS : 0U) | (n.calls && n.puts ? OG_MARGIN_SHARES : 0U))) |
           (n.even && a->shares.going_long ? EVEN : 0U);
}

static const struct count fills[] = {
    { .held = true },
    { .held = true, .calls = true, .puts = true },
    { .held = true, .calls = true, .puts = true, .longs = true },
    { .held = true, .unsold = true },
    { .held = true, .unsold = true, .calls = true, .puts = true, .longs = true },
    { .held = true, .calls = true },
    { .held = true, .puts = true },
    { .held = true, .even = true },
    { .held = true, .unsold = true, .even = true },
};

/* Returns how many of the fills are tried. */
static int fills_of(const struct og_margin_inputs *a)
{
    const bool large = a->book.count > LARGE;

    if (!a->coming || (large && !a->parts.closes))
        return 1;
    return large ? 2 : !a->parts.closes ? 5 : !a->parts.stock ? 7 : 9;
}

/* Returns the highest increase in requirement over possible fills of working orders: none fills, all that write fill,
 * all fill; each with and without their sales; for a close also with only the calls or only the puts written, and for a
 * close of shares with sales of others that leave whole lots. */
static og_wide over_fills(struct og_margin_inputs *a, const struct og_margin_terms *t)
{
    const int count = fills_of(a);
    og_wide most = 0, more;
    uint64_t tried = 0; /* bit n: fills for which effect_of() returns n were tried */

    for (int i = 0; i < count; i++) {
        const uint64_t bit = UINT64_C(1) << effect_of(a, fills[i]);

        if (tried & bit)
            continue;
        more = difference(a, t, fills[i]);
        if (!tried || more > most)
            most = more;
        tried |= bit;
    }
    return most;
}

/* Returns true if every part writes a contract. */
static bool only_writes(const struct og_margin_parts *p)
{
    for (int i = 0; i < p->count; i++)
        if (!p->part[i].occ->is || p->part[i].side != OG_SELL || !p->part[i].opens)
            return false;
    return true;
}

bool og_margin_has_secured_puts(const struct og_margin_question *q)
{
    const struct og_account *account = og_facts_account(q->facts);

    return !account || og_option_level(account) < 4;
}

static struct og_margin_terms terms(const struct og_margin_inputs *a, enum og_margin_mode mode)
{
    const struct og_margin_rates *r = &a->q->settings->rates;
    int32_t times = og_string_set_contains(&r->leveraged_3x, a->parts.root)   ? 3
                    : og_string_set_contains(&r->leveraged_2x, a->parts.root) ? 2
                                                                              : 1;

    return (struct og_margin_terms){
        .mode = mode,
        .rate = times * (og_string_set_contains(&r->index_roots, a->parts.root) ? r->index_rate : r->rate),
        .floor = times * r->floor,
        .secured_puts = og_margin_has_secured_puts(a->q)
    };
}

OG_HOT og_wide og_margin_alone(struct og_margin_inputs *a, enum og_margin_mode mode)
{
    const struct og_margin_terms t = terms(a, mode);
    og_wide takes = required(a, &t, (struct count){ .ordered = true }) * a->unit;

    return takes < 0 && only_writes(&a->parts) ? 0 : takes;
}

og_wide og_margin_added(struct og_margin_inputs *a, enum og_margin_mode mode)
{
    const struct og_margin_terms t = terms(a, mode);
    og_wide most, own, least = -1;

    a->book.chargings = 2 * fills_of(a);
    if (a->parts.closes && !a->parts.opens) {
        most = over_fills(a, &t);
        own = og_margin_close_most(a, &t);
        return (own < most ? own : most) + (a->parts.stock ? og_margin_close_others(a, &t) : 0);
    }
    if (a->parts.closes)
        return over_fills(a, &t);
    own = required(a, &t, (struct count){ .ordered = true });
    if (a->coming)
        least = beside(a, &t);
    if (least >= own || (own == 0 && only_writes(&a->parts))) /* no fill of working orders can change the result */
        return own;
    most = over_fills(a, &t);
    most = a->coming && least > most ? least : most;
    most = most > own ? own : most;
    return most < 0 && only_writes(&a->parts) ? 0 : most;
}
