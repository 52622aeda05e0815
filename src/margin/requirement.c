/*
 * The cheapest way to charge a book of options.  Finding it is a search: the choice is which shorts leave the spread of their
 * expiry and stand alone, and the total is convex in that choice, so that descending from a few corners finds it.  It
 * refuses to look longer than a bound; what it has then is still a way to charge the book, only perhaps not the cheapest.
 */
#include "margin/requirement.h"

#include <limits.h>

#include "base/banned.h"

#define STEPS_MOST   8000 /* lines looked at when all ways are tried: some 50 us */
#define DESCENT_MOST 1500 /* and when not all are */
#define UNITS_MOST   12   /* of one contract, for all ways to be tried */
#define SEARCH_MOST  32   /* lines of an expiry that is searched */

#define LATER_MOST 8 /* longs of later expiries, of each type, that an expiry may use */

/* The lines of one expiry. */
struct group {
    int from, to;
    int expiry;
    int64_t unit; /* what all sizes are multiples of */
    bool searched, shorts, calls, puts; /* calls, puts: that are short */
    int64_t long_lots, short_lots; /* that it may use */
};

/* One requirement under way: the lines charged together, of one group and perhaps longs of later ones, by strike. */
struct pairing {
    struct og_margin_book *b;
    int list[OG_MARGIN_MOST], count;
    int steps;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- a short on its own ---- */

static int64_t share_of(int64_t amount, int32_t bps)
{
    return (int64_t)(((og_wide)amount * bps + 9999) / 10000);
}

static void price_line(const struct og_margin_book *b, const struct og_margin_terms *t, struct og_margin_line *l)
{
    bool call = l->type == 'C';
    int64_t out = call ? l->strike - b->under : b->under - l->strike;
    int64_t most, floor;

    l->itm = call ? 0 : !b->has_under ? l->strike : out < 0 ? -out : 0;
    l->risk = 0;
    l->alone = call ? OG_MARGIN_UNKNOWN : l->strike;
    if (t->mode == OG_MARGIN_PAYOFF || (!call && t->secured_puts) || !b->has_under || (!l->priced && !l->shared))
        return;
    most = share_of(b->under, t->rate) - (out > 0 ? out : 0);
    floor = share_of(call ? b->under : l->strike, t->floor);
    l->risk = most > floor ? most : floor;
    l->alone = (og_wide)l->price + l->risk;
}

/* A call and a put on their own, both short: the greater of the two, and the other's premium. */
static og_wide both_alone(const struct og_margin_line *call, const struct og_margin_line *put)
{
    int64_t risk;

    if (!call->risk || !put->risk) /* one of them is charged otherwise */
        return call->alone + put->alone;
    if (call->shared && put->shared)
        return (og_wide)call->price + (call->risk > put->risk ? call->risk : put->risk);
    risk = call->alone > put->alone ? call->risk : put->risk;
    return (og_wide)call->price + put->price + risk;
}

/* ---- the shorts of an expiry that left its spread ---- */

/* Going over the short calls, dearest first, or the puts; stock covers the first of them. */
struct walk {
    int at, end, step;
    char type;
    int64_t cover, left; /* left: of the line before at */
};

static const struct og_margin_line *next_alone(struct pairing *p, struct walk *w, og_wide *sum)
{
    const struct og_margin_line *l;

    while (w->left == 0 && w->at != w->end) {
        int64_t covered;

        l = &p->b->line[w->at];
        w->at += w->step;
        if (l->type != w->type)
            continue;
        covered = least(l->out, w->cover);
        w->cover -= covered;
        w->left = l->out - covered;
        *sum += (og_wide)covered * l->itm;
    }
    return w->left ? &p->b->line[w->at - w->step] : NULL;
}

static og_wide alone(struct pairing *p, const struct group *g)
{
    struct walk calls = { g->from, g->to, 1, 'C', g->long_lots, 0 };
    struct walk puts = { g->to - 1, g->from - 1, -1, 'P', g->short_lots, 0 };
    og_wide sum = 0;

    for (;;) {
        const struct og_margin_line *c = next_alone(p, &calls, &sum), *q = next_alone(p, &puts, &sum);
        int64_t n;

        if (!c && !q)
            return sum;
        n = !q ? calls.left : !c ? puts.left : least(calls.left, puts.left);
        sum += n * (!q ? c->alone : !c ? q->alone : both_alone(c, q));
        calls.left -= c ? n : 0;
        puts.left -= q ? n : 0;
    }
}

/* ---- the spread of an expiry ---- */

static int64_t shorts_in(const struct og_margin_line *l, const struct group *g)
{
    return l->expiry == g->expiry ? l->shorts - l->out : 0;
}

/* The most the lines can lose together at expiry; false: without bound.  The lowest point is at 0, or at a strike. */
static bool loss_of(const struct pairing *p, const struct group *g, og_wide *loss)
{
    og_wide value = 0, lowest;
    int64_t slope = 0, before = 0;

    for (int k = 0; k < p->count; k++) {
        const struct og_margin_line *l = &p->b->line[p->list[k]];

        if (l->type == 'P') {
            value += (og_wide)(l->in - shorts_in(l, g)) * l->strike;
            slope -= l->in - shorts_in(l, g);
        }
    }
    lowest = value;
    for (int k = 0; k < p->count; k++) {
        const struct og_margin_line *l = &p->b->line[p->list[k]];

        value += (og_wide)slope * (l->strike - before);
        before = l->strike;
        slope += l->in - shorts_in(l, g); /* a put ends falling, a call begins to rise */
        if (value < lowest)
            lowest = value;
    }
    *loss = lowest < 0 ? -lowest : 0;
    return slope >= 0;
}

static bool total_of(struct pairing *p, const struct group *g, og_wide *total)
{
    p->steps += p->count;
    if (!loss_of(p, g, total))
        return false;
    *total += alone(p, g);
    return true;
}

/* The group's own lines, with all their longs. */
static void list_own(struct pairing *p, const struct group *g)
{
    p->count = 0;
    for (int i = g->from; i < g->to; i++) {
        p->b->line[i].in = p->b->line[i].longs;
        p->list[p->count++] = i;
    }
}

/* Put a line among the listed ones, by strike. */
static void list_later(struct pairing *p, int at)
{
    int k = p->count++;

    for (; k > 0 && p->b->line[p->list[k - 1]].strike > p->b->line[at].strike; k--)
        p->list[k] = p->list[k - 1];
    p->list[k] = at;
    p->b->line[at].in = p->b->line[at].free;
}

/* A long call of a lower strike pays at least as much, a long put of a higher one. */
static bool is_better(const struct og_margin_line *a, const struct og_margin_line *b)
{
    return a->type == 'C' ? a->strike < b->strike : a->strike > b->strike;
}

/* And the best of the longs of that type that later expiries do not need; at equal strikes those that expire first. */
static void list_free(struct pairing *p, const struct group *g, char type)
{
    int best[LATER_MOST], count = 0;

    for (int i = g->to; i < p->b->count; i++) {
        const struct og_margin_line *l = &p->b->line[i];
        int k = count < LATER_MOST ? count : LATER_MOST - 1;

        if (!l->free || l->type != type || (count == LATER_MOST && !is_better(l, &p->b->line[best[k]])))
            continue;
        for (; k > 0 && is_better(l, &p->b->line[best[k - 1]]); k--)
            best[k] = best[k - 1];
        best[k] = i;
        count += count < LATER_MOST;
    }
    for (int k = 0; k < count && p->count < OG_MARGIN_MOST; k++)
        list_later(p, best[k]);
}

/* ---- the search ---- */

static void keep_if_better(struct pairing *p, const struct group *g, og_wide *best)
{
    og_wide total;

    if (!total_of(p, g, &total) || (*best >= 0 && total >= *best))
        return;
    *best = total;
    for (int i = g->from; i < g->to; i++)
        p->b->line[i].best = p->b->line[i].out;
}

static void all_out(const struct pairing *p, const struct group *g)
{
    for (int i = g->from; i < g->to; i++)
        p->b->line[i].out = p->b->line[i].shorts;
}

/* Put shorts of a type into the spread, dearest alone first, as many as there are longs (or all). */
static void fill(const struct pairing *p, const struct group *g, char type, bool all)
{
    int64_t room = 0;

    for (int k = 0; k < p->count; k++) {
        const struct og_margin_line *l = &p->b->line[p->list[k]];

        if (l->type == type)
            room += !all ? l->in : l->expiry == g->expiry ? l->shorts : 0;
    }
    for (int k = g->from; k < g->to; k++) {
        struct og_margin_line *l = &p->b->line[type == 'C' ? k : g->to - 1 - (k - g->from)];
        int64_t in = least(room, l->shorts);

        if (l->type != type)
            continue;
        l->out = l->shorts - in;
        room -= in;
    }
}

/* One line's shorts alone, changed to n, and another's by as many the other way: stays when the total is less. */
static bool try_out(struct pairing *p, const struct group *g, struct og_margin_line *l, int64_t n,
                    struct og_margin_line *other, og_wide *best)
{
    int64_t was = l->out;
    og_wide total;

    if (n == was || p->steps > DESCENT_MOST)
        return false;
    l->out = n;
    if (other)
        other->out += was - n;
    if (total_of(p, g, &total) && total < *best) {
        *best = total;
        return true;
    }
    l->out = was;
    if (other)
        other->out -= was - n;
    return false;
}

static bool try_line(struct pairing *p, const struct group *g, struct og_margin_line *l, og_wide *best)
{
    return try_out(p, g, l, 0, NULL, best) || try_out(p, g, l, l->shorts, NULL, best) ||
           try_out(p, g, l, l->out / 2, NULL, best) || try_out(p, g, l, (l->out + l->shorts) / 2, NULL, best) ||
           (l->out > 0 && try_out(p, g, l, l->out - g->unit, NULL, best)) ||
           (l->out < l->shorts && try_out(p, g, l, l->out + g->unit, NULL, best));
}

static bool try_pairs(struct pairing *p, const struct group *g, struct og_margin_line *l, og_wide *best)
{
    for (int k = g->from; k < g->to && l->out; k++) {
        struct og_margin_line *other = &p->b->line[k];
        int64_t most = least(l->out, other->shorts - other->out);

        if (other != l && most > 0 &&
            (try_out(p, g, l, l->out - most, other, best) || try_out(p, g, l, l->out - g->unit, other, best)))
            return true;
    }
    return false;
}

static void descend(struct pairing *p, const struct group *g, og_wide *best)
{
    og_wide here;
    bool moved = total_of(p, g, &here);

    while (moved && p->steps <= DESCENT_MOST) {
        moved = false;
        for (int i = g->from; i < g->to && !moved; i++)
            moved = p->b->line[i].shorts && (try_line(p, g, &p->b->line[i], &here) ||
                                             try_pairs(p, g, &p->b->line[i], &here));
    }
    keep_if_better(p, g, best);
}

/* There are few enough ways to let whole units stand alone that each can be tried. */
static bool are_few(const struct pairing *p, const struct group *g, int64_t unit)
{
    int64_t n = 1, most = STEPS_MOST / p->count;

    for (int i = g->from; i < g->to && n <= most; i++)
        n = p->b->line[i].shorts / unit > UNITS_MOST ? most + 1 : n * (p->b->line[i].shorts / unit + 1);
    return n <= most;
}

/* All of them, as an odometer counts. */
static void try_all(struct pairing *p, const struct group *g, int64_t unit, og_wide *best)
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

/* What one of the line's shorts takes at least on its own: two of them may share the greater of their risks. */
static og_wide alone_least(const struct og_margin_line *l, const struct group *g)
{
    if (l->type == 'C' ? g->long_lots > 0 : g->short_lots > 0)
        return l->itm;
    return l->risk && g->calls && g->puts ? ((og_wide)(l->shared ? l->price / 2 : l->price) + l->risk / 2) : l->alone;
}

static og_wide worth_at(const struct og_margin_line *l, int64_t under)
{
    int64_t in = l->type == 'C' ? under - l->strike : l->strike - under;

    return in > 0 ? in : 0;
}

/* No way to charge the group comes to less: wherever the underlying ends, each short loses what it is worth there, or stands
 * alone. */
static og_wide lower_bound(const struct pairing *p, const struct group *g)
{
    og_wide most = 0;

    for (int at = -1; at < p->count; at++) {
        int64_t under = at < 0 ? 0 : p->b->line[p->list[at]].strike;
        og_wide sum = 0;

        for (int k = 0; k < p->count; k++) {
            const struct og_margin_line *l = &p->b->line[p->list[k]];
            og_wide worth = worth_at(l, under), least = alone_least(l, g);

            sum -= worth * l->in;
            if (l->shorts && l->expiry == g->expiry)
                sum += (worth < least ? worth : least) * l->shorts;
        }
        most = sum > most ? sum : most;
    }
    return most;
}

static bool is_searched(const struct pairing *p, const struct group *g)
{
    return g->searched && p->count <= SEARCH_MOST;
}

/* Every corner the search starts from: who stands alone.  true: nothing is cheaper than what was found. */
static bool corners(struct pairing *p, const struct group *g, bool search, og_wide *best)
{
    static const struct {
        bool calls, puts, all_puts;
    } corner[] = { { true, true, true }, { false, false, false }, { true, true, false }, { true, false, false },
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
            least = lower_bound(p, g);
    }
    return *best == least;
}

/* Of the lines listed. */
static og_wide settle(struct pairing *p, const struct group *g)
{
    og_wide best = -1;

    p->steps = 0;
    if (!corners(p, g, false, &best) && is_searched(p, g)) {
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

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static void group_at(const struct og_margin_book *b, int from, struct group *g)
{
    *g = (struct group){ .from = from, .to = from, .expiry = b->line[from].expiry };
    while (g->to < b->count && b->line[g->to].expiry == b->line[from].expiry) {
        const struct og_margin_line *l = &b->line[g->to++];

        g->unit = gcd(g->unit, gcd(l->longs, l->shorts));
        g->searched |= l->searched;
        g->calls |= l->shorts > 0 && l->type == 'C';
        g->puts |= l->shorts > 0 && l->type == 'P';
        g->shorts = g->calls || g->puts;
    }
}

/* ---- what is left for others ---- */

/* Longs that the spread loses nothing without, those furthest from the money first, are free; so are those of later expiries
 * that are not needed here. */
static void free_longs(struct pairing *p, const struct group *g)
{
    int64_t surplus[2] = { 0, 0 };
    og_wide loss, without;

    for (int k = 0; k < p->count; k++) {
        const struct og_margin_line *l = &p->b->line[p->list[k]];

        surplus[l->type == 'P'] += l->in - shorts_in(l, g);
    }
    if (!loss_of(p, g, &loss))
        return;
    for (int k = 0; k < 2 * p->count; k++) {
        struct og_margin_line *l = &p->b->line[p->list[k < p->count ? p->count - 1 - k : k - p->count]];
        int64_t n = least(l->in, surplus[l->type == 'P']);

        if (n <= 0 || (l->type == 'P') != (k >= p->count))
            continue;
        l->in -= n;
        if (loss_of(p, g, &without) && without <= loss)
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
static void lots_used(const struct pairing *p, const struct group *g, int64_t *long_lots, int64_t *short_lots)
{
    int64_t calls = 0, puts = 0;

    for (int i = g->from; i < g->to; i++)
        *(p->b->line[i].type == 'C' ? &calls : &puts) += p->b->line[i].out;
    *long_lots = least(calls, g->long_lots);
    *short_lots = least(puts, g->short_lots);
}

/* Shares go to the expiries that would take most without them. */
static void share_lots(struct pairing *p, struct group *group, int count)
{
    int64_t long_lots = p->b->long_lots, short_lots = p->b->short_lots;

    for (int left = long_lots || short_lots ? count : 0; left--;) {
        og_wide most = 0;
        int at = -1;

        for (int i = 0; i < count; i++) {
            og_wide saved;

            if (!group[i].shorts || group[i].long_lots || group[i].short_lots)
                continue;
            list_own(p, &group[i]);
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
        list_own(p, &group[at]);
        (void)settle(p, &group[at]);
        lots_used(p, &group[at], &group[at].long_lots, &group[at].short_lots);
        long_lots -= group[at].long_lots;
        short_lots -= group[at].short_lots;
    }
}

/* ---- the whole ---- */

/* With its own longs, and where that is not enough with those that later expiries have left. */
static og_wide charge(struct pairing *p, const struct group *g, bool later)
{
    og_wide total, more;

    list_own(p, g);
    if (!g->shorts) {
        for (int i = g->from; i < g->to; i++)
            p->b->line[i].in = 0;
        return 0;
    }
    total = settle(p, g);
    if (later && total > 0) {
        list_free(p, g, 'C');
        list_free(p, g, 'P');
        more = p->count > g->to - g->from ? settle(p, g) : total;
        if (more < total) {
            total = more;
        } else {
            list_own(p, g);
            (void)settle(p, g);
        }
    }
    return total;
}

og_wide og_margin_options(struct og_margin_book *b, const struct og_margin_terms *terms)
{
    struct group group[OG_MARGIN_MOST];
    struct pairing p;
    bool later = false;
    int count = 0;
    og_wide sum = 0;

    p.b = b;
    for (int i = 0; i < b->count; i++) {
        b->line[i].out = b->line[i].free = 0;
        price_line(b, terms, &b->line[i]);
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
static og_wide least_of(struct pairing *p, struct group *g)
{
    if (!g->shorts)
        return 0;
    g->searched = true; /* else what was found may be more than the least */
    g->long_lots = p->b->long_lots;
    g->short_lots = p->b->short_lots;
    list_own(p, g);
    list_free(p, g, 'C');
    list_free(p, g, 'P');
    return settle(p, g);
}

og_wide og_margin_options_least(struct og_margin_book *b, const struct og_margin_terms *terms)
{
    struct group g;
    struct pairing p = { .b = b };
    og_wide sum = 0;

    for (int i = 0; i < b->count; i++) {
        b->line[i].out = 0;
        b->line[i].free = b->line[i].longs;
        price_line(b, terms, &b->line[i]);
    }
    for (int i = 0; i < b->count; i = g.to) {
        group_at(b, i, &g);
        sum += least_of(&p, &g);
    }
    return sum;
}

bool og_margin_loss(struct og_margin_book *b, og_wide *loss)
{
    struct group g = { .expiry = INT_MIN };
    struct pairing p = { .b = b };

    for (int i = 0; i < b->count; i++) {
        list_later(&p, i);
        b->line[i].in = b->line[i].longs - b->line[i].shorts; /* none is of the group's expiry, which there is not */
    }
    return loss_of(&p, &g, loss);
}
