/*
 * Computes the requirement of lines of a book for a given pairing.  The pairing, that is which shorts stand alone, is
 * chosen in requirement.c.
 */
#include "margin/pairing.h"

/* --- a short on its own ------------------------------------------------------------------------------------------- */

static int64_t share_of(int64_t amount, int32_t bps)
{
    return (int64_t)(((og_wide)amount * bps + 9999) / 10000);
}

void og_pairing_price(const struct og_margin_book *b, const struct og_margin_terms *t, struct og_margin_line *l)
{
    bool call = l->type == 'C';
    int64_t out = !b->has_under ? 0 : call ? l->strike - b->under : b->under - l->strike;
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

/* Returns what a short call and a short put require together if both stand alone: the larger of the two requirements,
 * plus the premium of the other. */
static og_wide both_alone(const struct og_margin_line *call, const struct og_margin_line *put)
{
    int64_t risk;

    if (!call->risk || !put->risk) /* the rule is for two shorts that both require more than their price */
        return call->alone + put->alone;
    if (call->shared && put->shared)
        return (og_wide)call->price + (call->risk > put->risk ? call->risk : put->risk);
    risk = call->alone > put->alone ? call->risk : put->risk;
    return (og_wide)call->price + put->price + risk;
}

/* --- the shorts of one expiry that are not in its spread ---------------------------------------------------------- */

/* Iterates over the short calls, or the short puts, from the most expensive one on; stock covers the first ones. */
struct walk {
    int at, end, step;
    char type;
    int64_t cover, left; /* cover: number of shorts that stock still covers; left: shorts of the line before `at` that
                          * were not visited yet */
};

static const struct og_margin_line *next_alone(struct og_pairing *p, struct walk *w, og_wide *sum)
{
    const struct og_margin_line *l;

    while (w->left == 0 && w->at != w->end) {
        int64_t covered;

        l = &p->b->line[w->at];
        w->at += w->step;
        if (l->type != w->type)
            continue;
        covered = og_pairing_lesser(l->out, w->cover);
        w->cover -= covered;
        w->left = l->out - covered;
        *sum += (og_wide)covered * l->itm;
    }
    return w->left ? &p->b->line[w->at - w->step] : NULL;
}

static og_wide alone(struct og_pairing *p, const struct og_pairing_group *g)
{
    struct walk calls = { g->from, g->to, 1, 'C', g->long_lots, 0 };
    struct walk puts = { g->to - 1, g->from - 1, -1, 'P', g->short_lots, 0 };
    og_wide sum = 0;

    for (;;) {
        const struct og_margin_line *c = next_alone(p, &calls, &sum), *q = next_alone(p, &puts, &sum);
        int64_t n;

        if (!c && !q)
            return sum;
        n = !q ? calls.left : !c ? puts.left : og_pairing_lesser(calls.left, puts.left);
        sum += n * (!q ? c->alone : !c ? q->alone : both_alone(c, q));
        calls.left -= c ? n : 0;
        puts.left -= q ? n : 0;
    }
}

/* --- the spread of an expiry -------------------------------------------------------------------------------------- */

/* Set *loss to the maximum loss of the lines at expiry.  Returns false if it is unbounded.  The payoff is piecewise
 * linear, so its minimum is at 0 or at a strike. */
bool og_pairing_loss(struct og_pairing *p, const struct og_pairing_group *g, og_wide *loss)
{
    og_wide value = 0, lowest;
    int64_t slope = 0, before = 0;

    for (int k = 0; k < p->count; k++) {
        const struct og_margin_line *l = &p->b->line[p->list[k]];

        if (l->type == 'P') {
            value += (og_wide)(l->in - og_pairing_shorts_in(l, g)) * l->strike;
            slope -= l->in - og_pairing_shorts_in(l, g);
        }
    }
    lowest = value;
    p->lowest = 0;
    for (int k = 0; k < p->count; k++) {
        const struct og_margin_line *l = &p->b->line[p->list[k]];

        value += (og_wide)slope * (l->strike - before);
        before = l->strike;
        /* at the line's strike, the payoff of a put stops falling with the underlying's price, and the payoff of a call
         * begins to rise */
        slope += l->in - og_pairing_shorts_in(l, g);
        if (value < lowest) {
            lowest = value;
            p->lowest = l->strike;
        }
    }
    *loss = lowest < 0 ? -lowest : 0;
    return slope >= 0;
}

bool og_pairing_total(struct og_pairing *p, const struct og_pairing_group *g, og_wide *total)
{
    if (!og_pairing_loss(p, g, total))
        return false;
    *total += alone(p, g);
    return true;
}

static bool are_fair(const struct og_margin_book *b, const struct og_pairing_group *g)
{
    for (int i = g->from; g->calls && g->puts && i < g->to; i++)
        for (int k = g->from; k < g->to && b->line[i].shorts && b->line[i].type == 'C'; k++)
            if (b->line[k].shorts && b->line[k].type == 'P' && !og_pairing_are_fair(&b->line[i], &b->line[k]))
                return false;
    return true;
}

void og_pairing_group_at(const struct og_margin_book *b, int from, struct og_pairing_group *g)
{
    *g = (struct og_pairing_group){ .from = from, .to = from, .expiry = b->line[from].expiry };
    while (g->to < b->count && b->line[g->to].expiry == b->line[from].expiry) {
        const struct og_margin_line *l = &b->line[g->to++];

        g->calls |= l->shorts > 0 && l->type == 'C';
        g->puts |= l->shorts > 0 && l->type == 'P';
        g->shorts = g->calls || g->puts;
    }
    g->fair = are_fair(b, g);
}

/* List the group's own lines, with all their longs. */
void og_pairing_list_own(struct og_pairing *p, const struct og_pairing_group *g)
{
    p->count = 0;
    for (int i = g->from; i < g->to; i++) {
        p->b->line[i].in = p->b->line[i].longs;
        p->list[p->count++] = i;
    }
}

/* Insert a line into the list, sorted by strike. */
void og_pairing_list(struct og_pairing *p, int at)
{
    int k = p->count++;

    for (; k > 0 && p->b->line[p->list[k - 1]].strike > p->b->line[at].strike; k--)
        p->list[k] = p->list[k - 1];
    p->list[k] = at;
    p->b->line[at].in = p->b->line[at].free;
}

/* Returns true if long a always pays at least as much as long b: a call of a lower strike, a put of a higher one. */
static bool is_better(const struct og_margin_line *a, const struct og_margin_line *b)
{
    return a->type == 'C' ? a->strike < b->strike : a->strike > b->strike;
}

/* List the best free longs of a type, at most `most` of them; with equal strikes, the earliest expiry first. */
static void list_free(struct og_pairing *p, const struct og_pairing_group *g, char type, int most)
{
    int best[OG_MARGIN_MOST], count = 0;

    for (int i = g->to; i < p->b->count; i++) {
        const struct og_margin_line *l = &p->b->line[i];
        int k = count < most ? count : most - 1;

        if (!l->free || l->type != type)
            continue;
        p->cut |= count == most;
        if (count == most && !is_better(l, &p->b->line[best[k]]))
            continue;
        for (; k > 0 && is_better(l, &p->b->line[best[k - 1]]); k--)
            best[k] = best[k - 1];
        best[k] = i;
        count += count < most;
    }
    for (int k = 0; k < count && p->count < OG_MARGIN_MOST; k++)
        og_pairing_list(p, best[k]);
}

void og_pairing_list_free(struct og_pairing *p, const struct og_pairing_group *g, int most)
{
    list_free(p, g, 'C', most);
    list_free(p, g, 'P', most);
}

/* --- lower bounds ------------------------------------------------------------------------------------------------- */

/* Returns a lower bound of what one short of the line requires if it stands alone.  A short call and a short put
 * together are charged only the larger of their risks, so each may require less than alone. */
static og_wide alone_least(const struct og_margin_line *l, const struct og_pairing_group *g)
{
    int64_t price = l->shared ? l->price / 2 : l->price;

    if (l->type == 'C' ? g->long_lots > 0 : g->short_lots > 0)
        return l->itm < l->alone ? l->itm : l->alone;
    return l->risk && g->calls && g->puts ? (og_wide)price + (g->fair ? l->risk / 2 : 0) : l->alone;
}

static og_wide worth_at(const struct og_margin_line *l, int64_t under)
{
    int64_t in = l->type == 'C' ? under - l->strike : l->strike - under;

    return in > 0 ? in : 0;
}

/* Computes a lower bound of the requirement, for one price of the underlying: each short either loses its value at
 * that price, or stands alone. */
og_wide og_pairing_least(const struct og_pairing *p, const struct og_pairing_group *g)
{
    og_wide sum = 0;

    for (int k = 0; k < p->count; k++) {
        const struct og_margin_line *l = &p->b->line[p->list[k]];
        og_wide worth = worth_at(l, p->lowest), least;

        sum -= worth * l->in;
        if (!l->shorts || l->expiry != g->expiry)
            continue;
        least = alone_least(l, g);
        sum += (worth < least ? worth : least) * l->shorts;
    }
    return sum > 0 ? sum : 0;
}
