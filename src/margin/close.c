/*
 * Orders that only close.  Most such orders leave written contracts as well covered as before.  For the others this
 * file computes an upper bound of the requirement: it holds for every pairing of contracts, while requirement.c finds
 * the cheapest pairing.
 */
#include "margin/cover.h"
#include "margin/inputs.h"
#include "margin/pairing.h"

static const struct og_money zero = { 0, 0 };

/* Returns true if the close sells contracts that may cover written contracts of the same type, or shares that may cover
 * any written contract. */
static bool may_uncover(const struct og_margin_inputs *a)
{
    for (int i = 0; i < a->parts.count; i++) {
        const struct og_margin_part *x = &a->parts.part[i];

        if (!x->occ->is || (x->side == OG_SELL && og_margin_shorts_of(a, x->occ->type)))
            return true;
    }
    return false;
}

/* Returns how many whole shares or contracts of the part's symbol are held on the side that the part closes. */
static og_wide held_in(const struct og_holding *h, const struct og_margin_part *x)
{
    return og_money_floor(x->side == OG_SELL ? h->held_long : h->held_short);
}

static const struct og_holding *holding_of(const struct og_margin_inputs *a, const struct og_margin_part *x)
{
    const struct og_margin_question *q = a->q;

    return q->holding && x->symbol.s == q->order->symbol.s ? q->holding : og_facts_holding(q->facts, x->symbol);
}

static og_wide held_of(const struct og_margin_inputs *a, const struct og_margin_part *x)
{
    const struct og_holding *h = holding_of(a, x);

    return h ? held_in(h, x) : 0;
}

/* Returns how many of them remain after the order and every working close of that symbol. */
static og_wide left_of(const struct og_margin_inputs *a, const struct og_margin_part *x)
{
    const struct og_holding *h = holding_of(a, x);

    return h ? held_in(h, x) - og_money_floor(x->side == OG_SELL ? h->closing_sells : h->closing_buys) - x->size : 0;
}

/* Returns true if the remaining shares cover every written contract for which they may be needed: one lot covers at
 * most one contract. */
static bool still_covers(const struct og_margin_inputs *a)
{
    const struct og_margin_part *x = &a->parts.part[0];
    const og_wide left = x->occ->is ? -1 : left_of(a, x);
    const char type = x->side == OG_SELL ? 'C' : 'P';

    return left >= 0 && left / OG_CONTRACT >=
                            og_margin_shorts_of(a, type) + og_cover_shorts_beside(a->q->facts, a->parts.root, type);
}

/* Returns true if enough contracts remain of the one that the order sells: at least as many as are written of its
 * type. */
static bool is_plenty(const struct og_margin_inputs *a, const struct og_margin_part *x)
{
    return left_of(a, x) >= og_margin_shorts_of(a, x->occ->type);
}

/* Returns true if an upper bound suffices, and sets *most to it. The bound holds only if so much of each sold contract
 * remains that no further short stands alone. The requirement then rises by at most what the sold contracts could have
 * paid: the root's highest strike for each. */
static bool sheds(const struct og_margin_inputs *a, struct og_money *most)
{
    struct og_money each;

    *most = zero;
    if (!a->on_root || !og_margin_may_bound(a))
        return false;
    for (int i = 0; i < a->parts.count; i++) {
        const struct og_margin_part *x = &a->parts.part[i];

        if (!x->occ->is || (x->side == OG_SELL && !is_plenty(a, x)))
            return false;
        if (x->side == OG_SELL && (!og_money_times((struct og_money){ a->on_root->strike_most, 1 }, x->size, &each) ||
                                   !og_money_add(*most, each, most)))
            return false;
    }
    return og_margin_is_enough(a->q, *most);
}

bool og_margin_has_shorts_on_shares(const struct og_margin_inputs *a, struct og_str root)
{
    const struct og_facts *f = a->q->facts;

    return og_margin_shorts_of(a, 'C') || og_margin_shorts_of(a, 'P') ||
           (og_cover_is_shared(f, root) && (og_cover_shorts(f, root, 'C') || og_cover_shorts(f, root, 'P')));
}

bool og_margin_stays_covered(struct og_margin_inputs *a)
{
    struct og_money most;

    if (!may_uncover(a) || still_covers(a))
        return true;
    a->m->bounded = sheds(a, &most);
    if (a->m->bounded)
        a->m->taken = most;
    return a->m->bounded;
}

/* Returns an upper bound of the increase in requirement if one fewer of the contracts x serves as cover: what a short
 * of the same type requires once it stands alone, plus the difference of the two strikes, by which the remaining
 * contracts can lose more. */
static og_wide lost_by(const struct og_margin_part *x, const struct og_margin_line *written)
{
    int64_t strike = x->occ->strike * 1000,
            between = x->occ->type == 'C' ? written->strike - strike : strike - written->strike;
    og_wide alone = written->type == x->occ->type ? written->alone : 0;

    return alone + (between > 0 ? between : 0);
}

/* Returns an upper bound of the increase in requirement if a hundred fewer shares are left as cover. */
static og_wide uncovered_by(const struct og_margin_part *x, const struct og_margin_line *written)
{
    return (written->type == 'C') == (x->side == OG_SELL) ? written->alone : 0;
}

static og_wide part_most(struct og_margin_inputs *a, const struct og_margin_terms *t, const struct og_margin_part *x)
{
    og_wide most = 0, one, size = x->occ->is ? x->size : x->size / OG_CONTRACT + 1;

    if (x->occ->is && x->side == OG_BUY)
        return 0;
    for (int i = 0; i < a->book.count; i++) {
        struct og_margin_line *l = &a->book.line[i];

        if (!l->held_short && !l->coming_short)
            continue;
        og_pairing_price(&a->book, t, l);
        one = x->occ->is ? lost_by(x, l) : uncovered_by(x, l);
        most = one > most ? one : most;
    }
    one = x->occ->is && a->on_root && is_plenty(a, x) ? (og_wide)a->on_root->strike_most * 1000 : most;
    return (one < most ? one : most) * size;
}

/* --- calls and puts of other roots that need the shares ----------------------------------------------------------- */

struct dearest {
    struct og_margin_inputs *a;
    const struct og_margin_terms *t;
    char type;
    og_wide most;
};

static bool may_be_short(const struct og_holding *h)
{
    return h->held_short.coef || h->opening_sell_leaves.coef || h->closing_sells.coef;
}

static void find_dearest(const struct og_facts *f, struct og_str root, void *with)
{
    struct dearest *d = with;

    if (og_str_eq(root, d->a->parts.root))
        return;
    for (const struct og_holding *h = og_facts_contracts(f, root); h; h = h->next_of_root) {
        struct og_margin_line l = { .type = h->occ.type, .strike = h->occ.strike * 1000 };

        if (h->occ.type != d->type || h->occ.expiry < d->a->q->date || !may_be_short(h))
            continue;
        l.held_long = og_money_floor(h->held_long);
        l.held_short = og_money_floor(h->held_short);
        l.coming_long = og_money_floor(h->opening_buy_leaves);
        l.coming_short = og_money_floor(h->opening_sell_leaves);
        og_margin_price(d->a->q, h, &l);
        og_pairing_price(&d->a->book, d->t, &l);
        if (!l.priced)
            d->a->unpriced = h->traded;
        d->most = l.alone > d->most ? l.alone : d->most;
    }
}

static og_wide above_lots(int64_t contracts, og_wide shares)
{
    const og_wide lots = shares > 0 ? shares / OG_CONTRACT : 0;

    return contracts > lots ? contracts - lots : 0;
}

/* Returns how many of the contracts the close leaves without shares, at the worst: working closes of the same shares
 * may fill whole, in part or not at all.  The worst is that before this close they leave just the shares that the
 * contracts need; if fewer are held, whole lots of them; if they cannot take so many, what is left once all have
 * filled. */
static og_wide left_bare(const struct og_margin_inputs *a, const struct og_margin_part *x, int64_t contracts)
{
    const og_wide least = left_of(a, x), held = held_of(a, x) / OG_CONTRACT,
                  even = (held < contracts ? held : contracts) * OG_CONTRACT - x->size,
                  left = even > least ? even : least;

    return above_lots(contracts, left) - above_lots(contracts, left + x->size);
}

og_wide og_margin_close_others(struct og_margin_inputs *a, const struct og_margin_terms *t)
{
    struct dearest d = { .a = a, .t = t };
    struct og_cover cover;
    og_wide sum = 0, more;

    for (int i = 0; i < a->parts.count; i++) {
        const struct og_margin_part *x = &a->parts.part[i];

        if (x->occ->is || x->opens)
            continue;
        d.type = x->side == OG_SELL ? 'C' : 'P';
        d.most = 0;
        cover = (struct og_cover){ 0 };
        og_cover_add_others(a->q->facts, a->parts.root, d.type, NULL, OG_COVER_AS_IS, a->q->date, &cover);
        more = left_bare(a, x, cover.others);
        if (more > 0)
            og_facts_each_root_on(a->q->facts, a->parts.root, find_dearest, &d);
        if (d.most >= OG_MARGIN_UNKNOWN)
            return d.most;
        sum += more * d.most;
    }
    return sum;
}

og_wide og_margin_close_most(struct og_margin_inputs *a, const struct og_margin_terms *t)
{
    og_wide sum = 0;

    for (int i = 0; i < a->parts.count; i++)
        sum += part_most(a, t, &a->parts.part[i]);
    return sum;
}
