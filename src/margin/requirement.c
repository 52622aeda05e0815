/*
 * The cheapest way to charge a book of options.  Finding it is a search: the choice is which shorts leave the spread of their
 * expiry and stand alone, and the total is convex in that choice, so that descending from a few corners finds it.  It
 * refuses to look longer than a bound; what it has then is still a way to charge the book, only perhaps not the cheapest.
 */
#include "margin/requirement.h"

#include <limits.h>
#include <string.h>

#include "base/banned.h"

#define STEPS_MOST 20000 /* lines looked at in one search: some 50 us */
#define PRICE_MOST INT64_C(1000000000000000) /* a thousand million dollars a share: sums of what is so priced fit */

/* One requirement under way. */
struct pairing {
    struct og_margin_book *b;
    const struct og_margin_terms *terms;
    int64_t long_lots, short_lots; /* not used yet */
    int steps;
};

/* The lines of one expiry. */
struct group {
    int from, to;
    int64_t unit;    /* what all sizes are multiples of */
    bool searched;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int order_of(const struct og_margin_line *l, int expiry, int64_t strike, char type)
{
    if (l->expiry != expiry)
        return l->expiry < expiry ? -1 : 1;
    if (l->strike != strike)
        return l->strike < strike ? -1 : 1;
    return l->type - type;
}

struct og_margin_line *og_margin_line_of(struct og_margin_book *b, int expiry, int64_t strike, char type)
{
    int low = 0, high = b->count;

    while (low < high) {
        int mid = (low + high) / 2;

        if (order_of(&b->line[mid], expiry, strike, type) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < b->count && order_of(&b->line[low], expiry, strike, type) == 0)
        return &b->line[low];
    if (b->count == OG_MARGIN_MOST)
        return NULL;
    memmove(&b->line[low + 1], &b->line[low], (size_t)(b->count - low) * sizeof b->line[0]);
    b->line[low] = (struct og_margin_line){ .expiry = expiry, .strike = strike, .type = type };
    b->count++;
    return &b->line[low];
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
    if (call->shared || put->shared)
        risk = call->risk > put->risk ? call->risk : put->risk;
    else
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
    struct walk calls = { g->from, g->to, 1, 'C', p->long_lots, 0 };
    struct walk puts = { g->to - 1, g->from - 1, -1, 'P', p->short_lots, 0 };
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

/* The most the lines can lose together at expiry; false: without bound.  The lowest point is at 0, or at a strike. */
static bool loss_of(const struct og_margin_line *line, int from, int to, og_wide *loss)
{
    og_wide value = 0, lowest;
    int64_t slope = 0, before = 0;

    for (int i = from; i < to; i++)
        if (line[i].type == 'P') {
            int64_t n = line[i].longs - (line[i].shorts - line[i].out);

            value += (og_wide)n * line[i].strike;
            slope -= n;
        }
    lowest = value;
    for (int i = from; i < to; i++) {
        value += (og_wide)slope * (line[i].strike - before);
        before = line[i].strike;
        slope += line[i].longs - (line[i].shorts - line[i].out); /* a put ends falling, a call begins to rise */
        if (value < lowest)
            lowest = value;
    }
    *loss = lowest < 0 ? -lowest : 0;
    return slope >= 0;
}

static bool total_of(struct pairing *p, const struct group *g, og_wide *total)
{
    p->steps += g->to - g->from;
    if (!loss_of(p->b->line, g->from, g->to, total))
        return false;
    *total += alone(p, g);
    return true;
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

    for (int i = g->from; i < g->to; i++)
        if (p->b->line[i].type == type)
            room += all ? p->b->line[i].shorts : p->b->line[i].longs;
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

    if (n == was || p->steps > STEPS_MOST)
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

    while (moved && p->steps <= STEPS_MOST) {
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
    int64_t n = 1, most = STEPS_MOST / (g->to - g->from);

    for (int i = g->from; i < g->to && n <= most; i++)
        n = p->b->line[i].shorts / unit >= most ? most + 1 : n * (p->b->line[i].shorts / unit + 1);
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

/* Every corner the search starts from: who stands alone. */
static void corners(struct pairing *p, const struct group *g, og_wide *best)
{
    static const struct {
        bool calls, puts, all_puts;
    } corner[] = { { false, false, false }, { true, true, true }, { true, true, false }, { true, false, false },
                   { false, true, false } };

    for (size_t i = 0; i < sizeof corner / sizeof corner[0]; i++) {
        all_out(p, g);
        if (corner[i].calls)
            fill(p, g, 'C', false);
        if (corner[i].puts)
            fill(p, g, 'P', corner[i].all_puts);
        if (g->searched)
            descend(p, g, best);
        else
            keep_if_better(p, g, best);
    }
}

static og_wide settle(struct pairing *p, const struct group *g)
{
    og_wide best = -1;

    p->steps = 0;
    if (g->searched && are_few(p, g, 1))
        try_all(p, g, 1, &best);
    else if (g->searched && are_few(p, g, g->unit))
        try_all(p, g, g->unit, &best);
    else
        corners(p, g, &best);
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

static bool group_at(const struct og_margin_book *b, int from, struct group *g)
{
    bool shorts = false;

    *g = (struct group){ .from = from, .to = from };
    while (g->to < b->count && b->line[g->to].expiry == b->line[from].expiry) {
        const struct og_margin_line *l = &b->line[g->to++];

        g->unit = gcd(g->unit, gcd(l->longs, l->shorts));
        g->searched |= l->searched;
        shorts |= l->shorts > 0;
    }
    return shorts;
}

/* ---- longs of later expiries ---- */

/* Longs the spread of their expiry loses nothing without, those furthest from the money first. */
static void free_longs(struct og_margin_book *b, const struct group *g)
{
    og_wide loss, without;

    if (!loss_of(b->line, g->from, g->to, &loss))
        return;
    for (int k = g->from; k < g->to; k++)
        for (int side = 0; side < 2; side++) {
            struct og_margin_line *l = &b->line[side ? k : g->to - 1 - (k - g->from)];
            int64_t n = l->longs;

            if (l->type != (side ? 'P' : 'C') || !n)
                continue;
            l->longs = 0;
            if (loss_of(b->line, g->from, g->to, &without) && without <= loss)
                l->free = n;
            else
                l->longs = n;
        }
}

/* The earliest expiry with a short on its own; past all when there is none. */
static int first_naked(const struct og_margin_book *b)
{
    for (int i = 0; i < b->count; i++)
        if (b->line[i].naked)
            return b->line[i].expiry;
    return INT_MAX;
}

static og_wide width_of(const struct og_margin_line *s, const struct og_margin_line *l)
{
    int64_t width = s->type == 'C' ? l->strike - s->strike : s->strike - l->strike;

    return width > 0 ? width : 0;
}

/* The free long that covers the short for least; of those the one that expires first. */
static struct og_margin_line *later_long(struct og_margin_book *b, const struct og_margin_line *s)
{
    struct og_margin_line *best = NULL;

    for (int i = b->count - 1; i >= 0 && b->line[i].expiry > s->expiry; i--) {
        struct og_margin_line *l = &b->line[i];

        if (l->free && l->type == s->type && width_of(s, l) < s->alone &&
            (!best || width_of(s, l) <= width_of(s, best)))
            best = l;
    }
    return best;
}

static og_wide pair_later(struct og_margin_book *b)
{
    og_wide sum = 0;

    for (int i = b->count - 1; i >= 0; i--) {
        struct og_margin_line *s = &b->line[i], *l;

        while (s->naked && (l = later_long(b, s))) {
            int64_t n = least(s->naked, l->free);

            sum += n * width_of(s, l);
            s->naked -= n;
            l->free -= n;
        }
    }
    return sum;
}

/* ---- the whole ---- */

/* What stock covers of the shorts alone is taken off; what it costs for puts is in *sum. */
static void take_cover(struct pairing *p, const struct group *g, og_wide *sum)
{
    for (int k = g->from; k < g->to; k++)
        for (int side = 0; side < 2; side++) {
            struct og_margin_line *l = &p->b->line[side ? k : g->to - 1 - (k - g->from)];
            int64_t *lots = side ? &p->long_lots : &p->short_lots, covered = least(l->out, *lots);

            if (l->type != (side ? 'C' : 'P'))
                continue;
            *lots -= covered;
            l->naked = l->out - covered;
            *sum += (og_wide)covered * l->itm;
        }
}

/* Stock is worth most to the expiries that would cost most without it. */
static int next_group(struct pairing *p, const bool *done, const struct group *group, int count)
{
    struct pairing bare = *p;
    og_wide most = -1;
    int at = -1;

    for (int i = 0; i < count; i++) {
        og_wide saved = 0;

        if (done[i])
            continue;
        if (p->long_lots || p->short_lots) {
            bare.long_lots = bare.short_lots = 0;
            saved = settle(&bare, &group[i]);
            saved -= settle(p, &group[i]);
        }
        if (saved > most) {
            most = saved;
            at = i;
        }
    }
    return at;
}

static og_wide charge_alone(struct pairing *p, const struct group *group, int count)
{
    struct pairing bare = { .b = p->b, .terms = p->terms };
    og_wide sum = 0;

    for (int i = 0; i < p->b->count; i++)
        p->b->line[i].out = p->b->line[i].naked;
    for (int i = 0; i < count; i++)
        sum += alone(&bare, &group[i]);
    return sum;
}

/* With the shorts left naked: longs of later expiries where that comes to less. */
static og_wide charge_naked(struct pairing *p, const struct group *group, int count)
{
    og_wide as_is = charge_alone(p, group, count), paired;
    bool later = false;

    for (int i = 0; i < p->b->count; i++)
        later |= p->b->line[i].free > 0;
    if (!later || as_is == 0)
        return as_is;
    paired = pair_later(p->b);
    paired += charge_alone(p, group, count);
    return paired < as_is ? paired : as_is;
}

og_wide og_margin_options(struct og_margin_book *b, const struct og_margin_terms *terms)
{
    struct pairing p = { .b = b, .terms = terms, .long_lots = b->long_lots, .short_lots = b->short_lots };
    struct group group[OG_MARGIN_MOST], g;
    bool done[OG_MARGIN_MOST] = { false };
    int count = 0, first;
    og_wide sum = 0, loss;

    for (int i = 0; i < b->count; i++) {
        struct og_margin_line *l = &b->line[i];

        l->out = l->best = l->naked = l->free = 0;
        price_line(b, terms, l);
    }
    for (int i = 0; i < b->count; i = g.to)
        if (group_at(b, i, &g))
            group[count++] = g;
        else
            for (int k = g.from; k < g.to; k++)
                b->line[k].free = b->line[k].longs;
    for (int left = count, at; left--; done[at] = true) {
        at = next_group(&p, done, group, count);
        (void)settle(&p, &group[at]);
        if (loss_of(b->line, group[at].from, group[at].to, &loss))
            sum += loss;
        take_cover(&p, &group[at], &sum);
    }
    first = first_naked(b);
    for (int i = 0; i < count; i++)
        if (b->line[group[i].from].expiry > first)
            free_longs(b, &group[i]);
    return sum + charge_naked(&p, group, count);
}

bool og_margin_loss(const struct og_margin_book *b, og_wide *loss)
{
    return loss_of(b->line, 0, b->count, loss);
}

bool og_margin_millionths(struct og_money dollars, int64_t *millionths)
{
    struct og_money exact;

    if (!og_money_times(dollars, OG_MARGIN_DOLLAR, &exact) || exact.coef < 0 || og_money_floor(exact) > PRICE_MOST)
        return false;
    *millionths = og_money_floor(exact) + (exact.scale > 0);
    return true;
}

bool og_margin_dollars(og_wide millionths, struct og_money *dollars)
{
    /* x 100 shares: ten thousandths of a dollar */
    return millionths <= INT64_MAX && millionths >= INT64_MIN &&
           og_money_mul(og_money_from((int64_t)millionths), (struct og_money){ 1, 4 }, dollars);
}
