/*
 * Finds the cheapest way to charge a book of options.  For every expiry it tries a few choices of the shorts that stand
 * alone outside the spread, and uses longs that later expiries do not need; usually one choice is proved to be the
 * cheapest.  If none is, the whole book is solved as an ILP (pairing_ilp.h), or one expiry at a time if the book is too
 * large.  The search is limited: if the limit is reached, the result is the best way found, with a lower bound.
 */
#include "margin/requirement.h"

#include <limits.h>

#include "margin/pairing.h"

#define STEPS     80000 /* steps of the ILP for one requirement: about half a millisecond */
#define STEPS_FEW 2000  /* if fewer steps than this are left, no ILP is started for an expiry */

/* --- which shorts stand alone ------------------------------------------------------------------------------------- */

static void keep_if_better(struct og_pairing *p, const struct og_pairing_group *g, og_wide *best)
{
    og_wide total;

    if (!og_pairing_total(p, g, &total) || (*best >= 0 && total >= *best))
        return;
    *best = total;
    for (int i = g->from; i < g->to; i++)
        p->b->line[i].best = p->b->line[i].out;
}

static void all_out(const struct og_pairing *p, const struct og_pairing_group *g)
{
    for (int i = g->from; i < g->to; i++)
        p->b->line[i].out = p->b->line[i].shorts;
}

/* Put shorts of a type into the spread, as many as there are longs, or all. The shorts that require most if they stand
 * alone come first. */
static void fill(const struct og_pairing *p, const struct og_pairing_group *g, char type, bool all)
{
    int64_t room = 0;

    for (int k = 0; k < p->count; k++) {
        const struct og_margin_line *l = &p->b->line[p->list[k]];

        if (l->type == type)
            room += !all ? l->in : l->expiry == g->expiry ? l->shorts : 0;
    }
    for (int k = g->from; k < g->to; k++) {
        struct og_margin_line *l = &p->b->line[type == 'C' ? k : g->to - 1 - (k - g->from)];
        int64_t in = og_pairing_lesser(room, l->shorts);

        if (l->type != type)
            continue;
        l->out = l->shorts - in;
        room -= in;
    }
}

/* Try every extreme choice of the shorts that stand alone.  Returns true if the best of these choices is proved to be
 * the optimum. */
static bool corners(struct og_pairing *p, const struct og_pairing_group *g, og_wide *best)
{
    static const struct {
        bool calls, puts, all_puts;
    } corner[] = { { true, true, true },
                   { false, false, false },
                   { true, true, false },
                   { true, false, false },
                   { false, true, false } };
    og_wide least = 0;

    for (size_t i = 0; i < sizeof corner / sizeof corner[0] && *best != least; i++) {
        all_out(p, g);
        if (corner[i].calls)
            fill(p, g, 'C', false);
        if (corner[i].puts)
            fill(p, g, 'P', corner[i].all_puts);
        keep_if_better(p, g, best);
        if (i == 0 && *best > 0) /* usually the first choice can be proved to be the optimum */
            least = og_pairing_least(p, g);
    }
    return *best == least;
}

/* Returns the requirement of the listed lines. */
static og_wide settle(struct og_pairing *p, struct og_pairing_group *g)
{
    og_wide best = -1;

    g->proven = corners(p, g, &best);
    for (int i = g->from; i < g->to; i++)
        p->b->line[i].out = p->b->line[i].best;
    return best;
}

/* --- the longs that are left for other expiries ------------------------------------------------------------------- */

/* Mark as free the longs that can be taken out of the spread without increasing its loss, beginning with those furthest
 * out of the money.  Longs of later expiries that this group does not need stay free. */
static void free_longs(struct og_pairing *p, const struct og_pairing_group *g)
{
    int64_t surplus[2] = { 0, 0 };
    og_wide loss, without;

    for (int k = 0; k < p->count; k++) {
        const struct og_margin_line *l = &p->b->line[p->list[k]];

        surplus[l->type == 'P'] += l->in - og_pairing_shorts_in(l, g);
    }
    if (!og_pairing_loss(p, g, &loss))
        return;
    for (int k = 0; k < 2 * p->count; k++) {
        struct og_margin_line *l = &p->b->line[p->list[k < p->count ? p->count - 1 - k : k - p->count]];
        int64_t n = og_pairing_lesser(l->in, surplus[l->type == 'P']);

        if (n <= 0 || (l->type == 'P') != (k >= p->count))
            continue;
        l->in -= n;
        if (og_pairing_loss(p, g, &without) && without <= loss)
            surplus[l->type == 'P'] -= n;
        else
            l->in += n;
    }
    for (int k = 0; k < p->count; k++) {
        struct og_margin_line *l = &p->b->line[p->list[k]];

        l->free = (l->expiry == g->expiry ? l->longs : l->free) - l->in;
    }
}

/* --- shares ------------------------------------------------------------------------------------------------------- */

/* Set *long_lots and *short_lots to how many lots of long and of short shares the group's pairing uses. */
static void lots_used(const struct og_pairing *p, const struct og_pairing_group *g, int64_t *long_lots,
                      int64_t *short_lots)
{
    int64_t calls = 0, puts = 0;

    for (int i = g->from; i < g->to; i++)
        *(p->b->line[i].type == 'C' ? &calls : &puts) += p->b->line[i].out;
    *long_lots = og_pairing_lesser(calls, g->long_lots);
    *short_lots = og_pairing_lesser(puts, g->short_lots);
}

/* Give the lots of shares to those expiries whose requirement would be highest without them. */
static void share_lots(struct og_pairing *p)
{
    struct og_pairing_group *group = p->group;
    int count = p->groups;
    int64_t long_lots = p->b->long_lots, short_lots = p->b->short_lots;

    for (int i = 0; i < count; i++)
        group[i].long_lots = group[i].short_lots = 0;
    for (int left = long_lots || short_lots ? count : 0; left--;) {
        og_wide most = 0;
        int at = -1;

        for (int i = 0; i < count; i++) {
            og_wide saved;

            if (!group[i].shorts || group[i].long_lots || group[i].short_lots)
                continue;
            og_pairing_list_own(p, &group[i]);
            saved = settle(p, &group[i]);
            group[i].long_lots = long_lots;
            group[i].short_lots = short_lots;
            saved -= settle(p, &group[i]);
            group[i].long_lots = group[i].short_lots = 0;
            if (saved > most) {
                most = saved;
                at = i;
            }
        }
        if (at < 0)
            return;
        group[at].long_lots = long_lots;
        group[at].short_lots = short_lots;
        og_pairing_list_own(p, &group[at]);
        (void)settle(p, &group[at]);
        lots_used(p, &group[at], &group[at].long_lots, &group[at].short_lots);
        long_lots -= group[at].long_lots;
        short_lots -= group[at].short_lots;
    }
}

/* --- the whole book ----------------------------------------------------------------------------------------------- */

/* Returns the requirement of a group with its own longs or, if that is less, with the longs too that later expiries do
 * not need. */
static og_wide charge(struct og_pairing *p, struct og_pairing_group *g, bool later)
{
    og_wide total, more;
    bool proven;

    p->cut = false;
    og_pairing_list_own(p, g);
    if (!g->shorts) {
        for (int i = g->from; i < g->to; i++)
            p->b->line[i].in = 0;
        return 0;
    }
    total = settle(p, g);
    if (!later || !total)
        return total;
    og_pairing_list_free(p, g, OG_PAIRING_LATER);
    more = p->count > g->to - g->from ? settle(p, g) : total;
    if (more < total)
        return more;
    proven = g->proven;
    og_pairing_list_own(p, g);
    (void)settle(p, g);
    g->proven = proven;
    return total;
}

/* Returns true if longs of later expiries could serve the group. */
static bool has_help(const struct og_margin_book *b, const struct og_pairing_group *g)
{
    for (int i = g->to; i < b->count; i++)
        if (b->line[i].longs)
            return true;
    return false;
}

/* Returns the requirement of a group, as charge() does; uses an ILP if steps are left and the result is not proved to
 * be the minimum. */
static og_wide charge_well(struct og_pairing *p, struct og_pairing_group *g, bool later)
{
    og_wide total = charge(p, g, later), least;

    if (p->steps && total && !g->proven)
        (void)og_pairing_ilp(p, g, &least, &total);
    return total;
}

/* Returns the sum of the requirements of all groups, computed from the latest expiry to the earliest.  *proven: the sum
 * is the minimum. */
static og_wide as_it_comes(struct og_pairing *p, bool *proven)
{
    bool later = false, lots = p->b->long_lots || p->b->short_lots;
    og_wide sum = 0, total;
    int with_shorts = 0;

    for (int i = 0; i < p->groups; i++)
        with_shorts += p->group[i].shorts;
    *proven = true;
    for (int i = 0; i < p->b->count; i++)
        p->b->line[i].free = 0;
    share_lots(p);
    for (int i = p->groups; i--;) {
        struct og_pairing_group *g = &p->group[i];

        total = charge_well(p, g, later);
        sum += total;
        *proven &= !total || (!lots && g->proven && (with_shorts == 1 ? !p->cut : !has_help(p->b, g)));
        if (i > 0)
            free_longs(p, g);
        for (int k = g->from; k < g->to; k++)
            later |= p->b->line[k].free > 0;
    }
    return sum;
}

/* Returns a lower bound for one expiry: its requirement with all longs and shares that may cover its shorts, although
 * they may cover other expiries too. */
static og_wide least_of(struct og_pairing *p, struct og_pairing_group *g)
{
    og_wide least, most;

    g->long_lots = p->b->long_lots;
    g->short_lots = p->b->short_lots;
    og_pairing_list_own(p, g);
    og_pairing_list_free(p, g, OG_MARGIN_MOST);
    most = settle(p, g);
    return g->proven ? most : p->steps && og_pairing_ilp(p, g, &least, &most) ? least : og_pairing_least(p, g);
}

/* Returns a lower bound for the book: the sum over the expiries, each charged as if no other expiry used its cover. */
static og_wide apart(struct og_pairing *p)
{
    og_wide sum = 0;

    for (int i = 0; i < p->b->count; i++)
        p->b->line[i].free = p->b->line[i].longs;
    for (int i = 0; i < p->groups; i++)
        sum += p->group[i].shorts ? least_of(p, &p->group[i]) : 0;
    return sum;
}

/* Returns what the written contracts of a book with a single line require as a spread without cover: a put can lose its
 * strike, a call has no bound. */
static og_wide of_one_line(struct og_margin_book *b, const struct og_margin_terms *terms)
{
    struct og_margin_line *l = &b->line[0];

    og_pairing_price(b, terms, l);
    return (l->type == 'P' && l->strike < l->alone ? l->strike : l->alone) * l->shorts;
}

static og_wide options(struct og_margin_book *b, const struct og_margin_terms *terms, bool lower)
{
    struct og_pairing_group *group = b->group;
    struct og_pairing p;
    og_wide most, least;
    bool proven;

    if (b->count == 1 && !b->line[0].longs && !b->long_lots && !b->short_lots)
        return of_one_line(b, terms);
    p.b = b;
    p.group = group;
    p.groups = 0;
    p.steps = 0;
    p.lower = lower;
    p.cut = false;
    for (int i = 0; i < b->count; i++) {
        b->line[i].out = b->line[i].free = 0;
        if (b->line[i].shorts)
            og_pairing_price(b, terms, &b->line[i]);
    }
    for (int i = 0; i < b->count; i = group[p.groups++].to)
        og_pairing_group_at(b, i, &group[p.groups]);
    most = as_it_comes(&p, &proven);
    if (proven)
        return most;
    p.steps = b->chargings > 1 ? STEPS / b->chargings : STEPS;
    if (og_pairing_ilp(&p, NULL, &least, &most))
        return lower ? least : most;
    p.steps /= 2 * p.groups;
    p.steps = p.steps < STEPS_FEW ? 0 : p.steps;
    return lower ? apart(&p) : p.steps ? as_it_comes(&p, &proven) : most;
}

og_wide og_margin_options(struct og_margin_book *b, const struct og_margin_terms *terms)
{
    return options(b, terms, false);
}

og_wide og_margin_options_least(struct og_margin_book *b, const struct og_margin_terms *terms)
{
    return options(b, terms, true);
}

bool og_margin_loss(struct og_margin_book *b, og_wide *loss)
{
    struct og_pairing_group g = { .expiry = INT_MIN };
    struct og_pairing p = { .b = b };

    for (int i = 0; i < b->count; i++) {
        og_pairing_list(&p, i);
        /* this group belongs to no expiry, so it has no lines of its own */
        b->line[i].in = b->line[i].longs - b->line[i].shorts;
    }
    return og_pairing_loss(&p, &g, loss);
}
