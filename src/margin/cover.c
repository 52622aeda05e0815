/*
 * Pairing shorts with longs.  It refuses to allocate: contracts beyond OG_COVER_MOST are "cannot tell".
 */
#include "margin/cover.h"

#include "order/roots.h"

#include "base/banned.h"

struct contract {
    struct og_occ occ;
    int64_t longs, shorts; /* in the end: those that found no pair */
};

struct book {
    struct contract contract[OG_COVER_MOST];
    size_t count;
    struct og_money shares;
    struct og_str root, ticker; /* ticker: whose shares cover; len 0: none do */
    char type;
};

/* One change of what is held: an order is one, or one a leg. */
struct change {
    struct og_str traded;
    const struct og_occ *occ;
    enum og_side side;
    enum og_open_close open_close;
    int64_t size;
};

static bool counted(struct og_money size, int64_t *n)
{
    *n = og_money_floor(size);
    return *n <= INT64_C(1000000000000);
}

static bool add_holding(struct book *b, const struct og_holding *h)
{
    struct contract *c = &b->contract[b->count];
    struct og_money longs, shorts;

    if (h->occ.type != b->type)
        return true;
    if (b->count == OG_COVER_MOST || !og_money_sub(h->held_long, h->closing_sells, &longs) ||
        !og_money_add(h->held_short, h->opening_sell_leaves, &shorts))
        return false;
    *c = (struct contract){ .occ = h->occ };
    b->count++;
    return counted(longs, &c->longs) && counted(shorts, &c->shorts);
}

static struct contract *contract_of(struct book *b, const struct og_occ *occ)
{
    for (size_t i = 0; i < b->count; i++)
        if (b->contract[i].occ.expiry == occ->expiry && b->contract[i].occ.strike == occ->strike)
            return &b->contract[i];
    if (b->count == OG_COVER_MOST)
        return NULL;
    b->contract[b->count] = (struct contract){ .occ = *occ };
    return &b->contract[b->count++];
}

static bool change_shares(struct book *b, const struct change *x)
{
    if (x->side == OG_BUY && x->open_close == OG_OPEN)
        return og_money_add(b->shares, og_money_from(x->size), &b->shares);
    if (x->side == OG_SELL && x->open_close == OG_CLOSE)
        return og_money_sub(b->shares, og_money_from(x->size), &b->shares);
    return true; /* shorts of stock cover nothing */
}

static bool change_contracts(struct book *b, const struct change *x)
{
    struct contract *c = contract_of(b, x->occ);

    if (!c)
        return false;
    if (x->open_close == OG_OPEN)
        *(x->side == OG_BUY ? &c->longs : &c->shorts) += x->size;
    else if (x->open_close == OG_CLOSE)
        *(x->side == OG_SELL ? &c->longs : &c->shorts) -= x->size;
    return true;
}

static bool change(struct book *b, const struct change *x, enum og_cover_with with)
{
    if (with == OG_COVER_CLOSES && x->open_close != OG_CLOSE)
        return true;
    if (!x->occ->is)
        return b->ticker.len && og_str_eq(x->traded, b->ticker) ? change_shares(b, x) : true;
    if (x->occ->type != b->type || !og_str_eq(x->occ->root, b->root))
        return true;
    return change_contracts(b, x);
}

static bool change_by_order(struct book *b, const struct og_order *o, enum og_cover_with with)
{
    if (o->security != OG_MLEG)
        return change(b, &(struct change){ o->symbol, &o->occ, o->side, o->open_close, o->quantity }, with);
    for (int i = 0; i < o->legs_kept; i++) {
        const struct og_leg *leg = &o->leg[i];

        if (!change(b, &(struct change){ leg->symbol, &leg->occ, leg->side, leg->open_close, leg->ratio * o->quantity },
                    with))
            return false;
    }
    return true;
}

static bool fill(struct book *b, const struct og_facts *f)
{
    const struct og_holding *stock = b->ticker.len ? og_facts_holding(f, b->ticker) : NULL;

    if (stock && !og_money_sub(stock->held_long, stock->closing_sells, &b->shares))
        return false;
    for (const struct og_holding *h = og_facts_contracts(f, b->root); h; h = h->next_of_root)
        if (!add_holding(b, h))
            return false;
    return true;
}

/* A long call pays for a short of its strike or above, a long put for one of its strike or below. */
static bool pairs(const struct contract *l, const struct contract *s)
{
    if (l->longs <= 0 || l->occ.expiry < s->occ.expiry)
        return false;
    return s->occ.type == 'C' ? l->occ.strike <= s->occ.strike : l->occ.strike >= s->occ.strike;
}

/* Of the longs that pair, the one useful to the fewest others: its strike is nearest. */
static struct contract *partner(struct book *b, const struct contract *s)
{
    struct contract *best = NULL;

    for (size_t i = 0; i < b->count; i++) {
        struct contract *l = &b->contract[i];

        if (pairs(l, s) &&
            (!best || (s->occ.type == 'C' ? l->occ.strike > best->occ.strike : l->occ.strike < best->occ.strike)))
            best = l;
    }
    return best;
}

/* The short that fewest longs outlive comes first; what is left of it moves to *unpaired. */
static struct contract *latest_short(struct book *b)
{
    struct contract *latest = NULL;

    for (size_t i = 0; i < b->count; i++) {
        struct contract *s = &b->contract[i];

        if (s->shorts > 0 && (!latest || s->occ.expiry > latest->occ.expiry))
            latest = s;
    }
    return latest;
}

/* Latest expiry first, nearest strike first: no other pairing leaves fewer shorts. */
static int64_t pair(struct book *b)
{
    int64_t unpaired = 0;

    for (struct contract *s = latest_short(b); s; s = latest_short(b)) {
        for (struct contract *l = partner(b, s); l && s->shorts > 0; l = partner(b, s)) {
            int64_t n = l->longs < s->shorts ? l->longs : s->shorts;

            l->longs -= n;
            s->shorts -= n;
        }
        unpaired += s->shorts;
        s->shorts = 0;
    }
    return unpaired;
}

bool og_cover_of(const struct og_facts *f, struct og_str root, char type, const struct og_order *o,
                 enum og_cover_with with, struct og_cover *cover)
{
    struct book b;

    b.count = 0;
    b.shares = og_money_from(0);
    b.root = root;
    b.ticker = og_root_shares(root);
    b.type = type;
    *cover = (struct og_cover){ 0, 0, 0 };
    if (!fill(&b, f) || (with != OG_COVER_AS_IS && !change_by_order(&b, o, with)))
        return false;
    cover->unpaired = pair(&b);
    cover->lots = og_money_floor(b.shares) / 100;
    if (cover->lots < 0)
        cover->lots = 0;
    for (size_t i = 0; i < b.count; i++)
        if (b.contract[i].longs > 0)
            cover->longs += b.contract[i].longs;
    return true;
}
