/*
 * The cheapest way to charge a book of options.  Finding it is a search: the choice is which shorts leave the spread of
 * their expiry and stand alone, and the total is convex in that choice, so that descending from a few corners finds it.
 * It refuses to look longer than a bound; what it has then is still a way to charge the book, only perhaps not the
 * cheapest.
 */
#include "margin/requirement.h"

#include <limits.h>

#include "margin/pairing.h"

#include "base/banned.h"

#define STEPS_MOST   8000 /* lines looked at when all ways are tried: some 50 us */
#define DESCENT_MOST 1500 /* and when not all are */
#define UNITS_MOST   12   /* of one contract, for all ways to be tried */
#define SEARCH_MOST  32   /* lines of an expiry that is searched */

/* ---- the search ---- */

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

/* Put shorts of a type into the spread, dearest alone first, as many as there are longs (or all). */
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

/* One line's shorts alone, changed to n, and another's by as many the other way: stays when the total is less. */
static bool try_out(struct og_pairing *p, const struct og_pairing_group *g, struct og_margin_line *l, int64_t n,
                    struct og_margin_line *other, og_wide *best)
{
    int64_t was = l->out;
    og_wide total;

    if (n == was || p->steps > DESCENT_MOST)
        return false;
    l->out = n;
    if (other)
        other->out += was - n;
    if (og_pairing_total(p, g, &total) && total < *best) {
        *best = total;
        return true;
    }
    l->out = was;
    if (other)
        other->out -= was - n;
    return false;
}

static bool try_line(struct og_pairing *p, const struct og_pairing_group *g, struct og_margin_line *l, og_wide *best)
{
    return try_out(p, g, l, 0, NULL, best) || try_out(p, g, l, l->shorts, NULL, best) ||
           try_out(p, g, l, l->out / 2, NULL, best) || try_out(p, g, l, (l->out + l->shorts) / 2, NULL, best) ||
           (l->out > 0 && try_out(p, g, l, l->out - g->unit, NULL, best)) ||
           (l->out < l->shorts && try_out(p, g, l, l->out + g->unit, NULL, best));
}

static bool try_pairs(struct og_pairing *p, const struct og_pairing_group *g, struct og_margin_line *l, og_wide *best)
{
    for (int k = g->from; k < g->to && l->out; k++) {
        struct og_margin_line *other = &p->b->line[k];
        int64_t most = og_pairing_lesser(l->out, other->shorts - other->out);

        if (other != l && most > 0 &&
            (try_out(p, g, l, l->out - most, other, best) || try_out(p, g, l, l->out - g->unit, other, best)))
            return true;
    }
    return false;
}

static void descend(struct og_pairing *p, const struct og_pairing_group *g, og_wide *best)
{
    og_wide here;
    bool moved = og_pairing_total(p, g, &here);

    while (moved && p->steps <= DESCENT_MOST) {
        moved = false;
        for (int i = g->from; i < g->to && !moved; i++)
            moved = p->b->line[i].shorts &&
                    (try_line(p, g, &p->b->line[i], &here) || try_pairs(p, g, &p->b->line[i], &here));
    }
    keep_if_better(p, g, best);
}

/* There are few enough ways to let whole units stand alone that each can be tried. */
static bool are_few(const struct og_pairing *p, const struct og_pairing_group *g, int64_t unit)
{
    int64_t n = 1, most = STEPS_MOST / p->count;

    for (int i = g->from; i < g->to && n <= most; i++)
        n = p->b->line[i].shorts / unit > UNITS_MOST ? most + 1 : n * (p->b->line[i].shorts / unit + 1);
    return n <= most;
}

/* All of them, as an odometer counts. */
static void try_all(struct og_pairing *p, const struct og_pairing_group *g, int64_t unit, og_wide *best)
{
    int i;

    for (i = g->from; i < g->to; i++)
        p->b->line[i].out = 0;
    while (i != g->from - 1) {
        keep_if_better(p, g, best);
        for (i = g->to - 1; i >= g->from && p->b->line[i].out == p->b->line[i].shorts; i--)
            p->b->line[i].out = 0;
        if (i >= g->from)
            p->b->line[i].out += unit;
    }
}

static bool is_searched(const struct og_pairing *p, const struct og_pairing_group *g)
{
    return g->searched && p->count <= SEARCH_MOST;
}

/* Every corner the search starts from: who stands alone.  true: nothing is cheaper than what was found. */
static bool corners(struct og_pairing *p, const struct og_pairing_group *g, bool search, og_wide *best)
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
        if (search)
            descend(p, g, best);
        else
            keep_if_better(p, g, best);
        if (i == 0 && *best > 0 && is_searched(p, g)) /* mostly it is the cheapest, and is known to be */
            least = og_pairing_least(p, g);
    }
    return *best == least;
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static int64_t unit_of(const struct og_margin_book *b, const struct og_pairing_group *g)
{
    int64_t unit = 0;

    for (int i = g->from; i < g->to; i++)
        unit = gcd(unit, gcd(b->line[i].longs, b->line[i].shorts));
    return unit;
}

/* Of the lines listed. */
static og_wide settle(struct og_pairing *p, struct og_pairing_group *g)
{
    og_wide best = -1;

    p->steps = 0;
    if (!corners(p, g, false, &best) && is_searched(p, g)) {
        g->unit = g->unit ? g->unit : unit_of(p->b, g);
        if (!p->b->whole_units && are_few(p, g, 1))
            try_all(p, g, 1, &best);
        else if (are_few(p, g, g->unit))
            try_all(p, g, g->unit, &best);
        else
            (void)corners(p, g, true, &best);
    }
    for (int i = g->from; i < g->to; i++)
        p->b->line[i].out = p->b->line[i].best;
    return best;
}

static void group_at(const struct og_margin_book *b, int from, struct og_pairing_group *g)
{
    *g = (struct og_pairing_group){ .from = from, .to = from, .expiry = b->line[from].expiry };
    while (g->to < b->count && b->line[g->to].expiry == b->line[from].expiry) {
        const struct og_margin_line *l = &b->line[g->to++];

        g->searched |= l->searched;
        g->calls |= l->shorts > 0 && l->type == 'C';
        g->puts |= l->shorts > 0 && l->type == 'P';
        g->shorts = g->calls || g->puts;
    }
}

/* ---- what is left for others ---- */

/* Longs that the spread loses nothing without, those furthest from the money first, are free; so are those of later
 * expiries that are not needed here. */
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

/* ---- shares ---- */

/* How many lots of each kind the group's pairing used. */
static void lots_used(const struct og_pairing *p, const struct og_pairing_group *g, int64_t *long_lots,
                      int64_t *short_lots)
{
    int64_t calls = 0, puts = 0;

    for (int i = g->from; i < g->to; i++)
        *(p->b->line[i].type == 'C' ? &calls : &puts) += p->b->line[i].out;
    *long_lots = og_pairing_lesser(calls, g->long_lots);
    *short_lots = og_pairing_lesser(puts, g->short_lots);
}

/* Shares go to the expiries that would take most without them. */
static void share_lots(struct og_pairing *p, struct og_pairing_group *group, int count)
{
    int64_t long_lots = p->b->long_lots, short_lots = p->b->short_lots;

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

/* ---- the whole ---- */

/* With its own longs, and where that is not enough with those that later expiries have left. */
static og_wide charge(struct og_pairing *p, struct og_pairing_group *g, bool later)
{
    og_wide total, more;

    og_pairing_list_own(p, g);
    if (!g->shorts) {
        for (int i = g->from; i < g->to; i++)
            p->b->line[i].in = 0;
        return 0;
    }
    total = settle(p, g);
    if (later && total > 0) {
        og_pairing_list_free(p, g, 'C');
        og_pairing_list_free(p, g, 'P');
        more = p->count > g->to - g->from ? settle(p, g) : total;
        if (more < total) {
            total = more;
        } else {
            og_pairing_list_own(p, g);
            (void)settle(p, g);
        }
    }
    return total;
}

og_wide og_margin_options(struct og_margin_book *b, const struct og_margin_terms *terms)
{
    struct og_pairing_group group[OG_MARGIN_MOST];
    struct og_pairing p;
    bool later = false;
    int count = 0;
    og_wide sum = 0;

    p.b = b;
    for (int i = 0; i < b->count; i++) {
        b->line[i].out = b->line[i].free = 0;
        if (b->line[i].shorts)
            og_pairing_price(b, terms, &b->line[i]);
    }
    for (int i = 0; i < b->count; i = group[count++].to)
        group_at(b, i, &group[count]);
    share_lots(&p, group, count);
    while (count--) { /* the latest first */
        sum += charge(&p, &group[count], later);
        if (count > 0)
            free_longs(&p, &group[count]);
        for (int i = group[count].from; i < group[count].to; i++)
            later |= b->line[i].free > 0;
    }
    return sum;
}

/* Of one expiry, with all that may cover it, whatever else that covers. */
static og_wide least_of(struct og_pairing *p, struct og_pairing_group *g)
{
    if (!g->shorts)
        return 0;
    g->searched = true; /* else what was found may be more than the least */
    g->long_lots = p->b->long_lots;
    g->short_lots = p->b->short_lots;
    og_pairing_list_own(p, g);
    og_pairing_list_free(p, g, 'C');
    og_pairing_list_free(p, g, 'P');
    return settle(p, g);
}

og_wide og_margin_options_least(struct og_margin_book *b, const struct og_margin_terms *terms)
{
    struct og_pairing_group g;
    struct og_pairing p = { .b = b };
    og_wide sum = 0;

    for (int i = 0; i < b->count; i++) {
        b->line[i].out = 0;
        b->line[i].free = b->line[i].longs;
        if (b->line[i].shorts)
            og_pairing_price(b, terms, &b->line[i]);
    }
    for (int i = 0; i < b->count; i = g.to) {
        group_at(b, i, &g);
        sum += least_of(&p, &g);
    }
    return sum;
}

bool og_margin_loss(struct og_margin_book *b, og_wide *loss)
{
    struct og_pairing_group g = { .expiry = INT_MIN };
    struct og_pairing p = { .b = b };

    for (int i = 0; i < b->count; i++) {
        og_pairing_list(&p, i);
        b->line[i].in = b->line[i].longs - b->line[i].shorts; /* none is of the group's expiry, which there is not */
    }
    return og_pairing_loss(&p, &g, loss);
}
