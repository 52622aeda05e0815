/*
 * Pairs shorts with longs.  Never allocates; with more than OG_COVER_MOST contracts the answer is "unknown".
 */
#include "margin/cover.h"

#include "order/roots.h"

struct contract {
    struct og_occ occ;
    int64_t longs, shorts; /* numbers of contracts; after settle(), of contracts that are not paired */
    int64_t bounded;       /* shorts whose loss a long of the same spread bounds */
};

struct book {
    struct contract contract[OG_COVER_MOST];
    size_t count;
    struct og_money shares;
    struct og_str root, ticker; /* ticker: the stock whose shares cover contracts of the root; empty if no shares do */
    char type;
    int today;
    bool spreads; /* count what working spreads cover by their own legs */
    int64_t own, own_lots;
};

static bool counted(struct og_money size, int64_t *n)
{
    *n = og_money_floor(size);
    return *n <= INT64_C(1000000000000);
}

/* Count, or leave out, what working spreads cover by their own legs. */
static void add_own(struct book *b, struct contract *c, const struct og_own_cover *own)
{
    b->own += og_own_covered(own) + own->bounded;
    b->own_lots += own->by_shares;
    c->longs += b->spreads ? own->longs : 0;
    c->shorts -= b->spreads ? 0 : og_own_covered(own);
    c->bounded = b->spreads ? 0 : own->bounded;
}

static bool add_holding(struct book *b, const struct og_holding *h)
{
    struct contract *c = &b->contract[b->count];
    struct og_money sold, longs, shorts, over;

    if (h->occ.type != b->type || h->occ.expiry < b->today)
        return true;
    if (b->count == OG_COVER_MOST || !og_money_sub(h->closing_sells, h->either_sells, &sold) ||
        !og_money_sub(h->held_long, sold, &longs) || !og_money_add(h->held_short, h->opening_sell_leaves, &shorts) ||
        !og_holding_over(h, OG_SELL, og_money_from(0), &over) || !og_money_add(shorts, over, &shorts))
        return false;
    *c = (struct contract){ .occ = h->occ };
    b->count++;
    if (longs.coef < 0) /* working orders sell more of the contract than is held long */
        longs = og_money_from(0);
    if (!counted(longs, &c->longs) || !counted(shorts, &c->shorts))
        return false;
    add_own(b, c, &h->own);
    return true;
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

/* Apply a trade of shares.  A trade that may open or close counts as the worse of the two: the shares that it may have
 * bought do not cover, and the shares that it may have sold are gone. */
static bool change_shares(struct book *b, const struct og_trade *t)
{
    if (t->side == OG_BUY && !og_trade_may_close(t))
        return og_money_add(b->shares, og_money_from(t->size), &b->shares);
    if (t->side == OG_SELL && og_trade_may_close(t))
        return og_money_sub(b->shares, og_money_from(t->size), &b->shares);
    return true; /* an order that trades short shares: these cover no short contract */
}

/* Apply a trade of contracts.  A sale that may open or close counts as writing a contract: if it closes instead, it
 * takes away a long contract that could cover, with the same effect. */
static bool change_contracts(struct book *b, const struct og_trade *t)
{
    struct contract *c = contract_of(b, t->occ);

    if (!c)
        return false;
    if (t->side == OG_SELL && og_trade_may_open(t))
        c->shorts += t->size;
    else if (t->side == OG_SELL)
        c->longs -= t->size;
    else if (t->opens > 0)
        c->longs += t->size;
    else if (t->opens == 0)
        c->shorts -= t->size;
    return true;
}

static bool change(struct book *b, const struct og_trade *t, enum og_cover_with with)
{
    if (with == OG_COVER_CLOSES && og_trade_may_open(t))
        return true;
    if (!t->occ->is)
        return b->ticker.len && og_str_eq(t->symbol, b->ticker) ? change_shares(b, t) : true;
    if (t->occ->type != b->type || t->occ->expiry < b->today || !og_str_eq(t->occ->root, b->root))
        return true;
    return change_contracts(b, t);
}

static bool change_by_order(struct book *b, const struct og_order *o, enum og_cover_with with)
{
    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (!change(b, &t, with))
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

/* Turn negative longs into shorts, since a sale of more than is held writes contracts.  A purchase of more than is
 * short makes no cover for other shorts, since the excess may be sold again. */
static void settle(struct book *b)
{
    for (size_t i = 0; i < b->count; i++) {
        struct contract *c = &b->contract[i];

        if (c->longs < 0)
            c->shorts -= c->longs;
        c->longs = c->longs > 0 ? c->longs : 0;
        c->shorts = c->shorts > 0 ? c->shorts : 0;
        c->bounded = c->bounded < c->shorts ? c->bounded : c->shorts;
    }
}

/* Returns true if the long covers the short: a long call of the same or a lower strike, a long put of the same or a
 * higher strike. */
static bool pairs(const struct contract *l, const struct contract *s)
{
    if (l->longs <= 0 || l->occ.expiry < s->occ.expiry)
        return false;
    return s->occ.type == 'C' ? l->occ.strike <= s->occ.strike : l->occ.strike >= s->occ.strike;
}

/* Returns the long to pair with the short. Of the longs that cover the short, it is the one whose strike is nearest,
 * since that long can cover the fewest other shorts. */
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

/* Returns the unpaired short with the latest expiry, which has the fewest longs that expire late enough to cover it;
 * NULL if none is left. */
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

/* Pair shorts with longs: the shorts of the latest expiry first, each with the covering long of the nearest strike.
 * Returns the number of shorts left unpaired; no other pairing leaves fewer. */
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

/* Returns the number of shorts that have no long of the same or a later expiry, whatever the strikes: the maximum, over
 * all dates, of the shorts that expire on the date or later less the longs that do. */
static int64_t bare_of(const struct book *b)
{
    int64_t most = 0;

    for (size_t i = 0; i < b->count; i++) {
        int64_t bare = 0;

        for (size_t k = 0; k < b->count; k++)
            if (b->contract[k].occ.expiry >= b->contract[i].occ.expiry)
                bare += b->contract[k].shorts - b->contract[k].bounded - b->contract[k].longs;
        most = bare > most ? bare : most;
    }
    return most;
}

static void set_shares(struct og_cover *cover, int64_t shares)
{
    cover->shares = shares;
    cover->lots = shares > 0 ? shares / 100 : 0;
}

bool og_cover_of(const struct og_facts *f, struct og_str root, char type, const struct og_order *o, unsigned with,
                 int today, struct og_cover *cover)
{
    const enum og_cover_with order = with & ~(unsigned)OG_COVER_SPREADS;
    struct book b;

    b.count = 0;
    b.shares = og_money_from(0);
    b.root = root;
    b.ticker = og_root_shares(root);
    b.type = type;
    b.today = today;
    b.spreads = with & OG_COVER_SPREADS;
    b.own = b.own_lots = 0;
    *cover = (struct og_cover){ .lots = 0 };
    if (!fill(&b, f) || (order != OG_COVER_AS_IS && !change_by_order(&b, o, order)))
        return false;
    settle(&b);
    cover->own = b.own;
    cover->own_shares = b.own_lots * 100;
    set_shares(cover, og_money_floor(b.shares) + (b.spreads ? cover->own_shares : 0));
    cover->bare = bare_of(&b);
    cover->unpaired = pair(&b);
    for (size_t i = 0; i < b.count; i++)
        cover->longs += b.contract[i].longs;
    return true;
}

/* --- other roots on the same shares ------------------------------------------------------------------------------- */

struct other_roots {
    struct og_str root;
    char type;
    const struct og_order *order;
    unsigned with;
    int today;
    struct og_cover *cover;
    int64_t shorts;
};

bool og_cover_is_shared(const struct og_facts *f, struct og_str root)
{
    const struct og_str ticker = og_root_shares(root);

    /* contracts of a class share may have its ticker as root: BRK.B as well as BRKB */
    return ticker.len && (og_facts_has_other_roots(f) || memchr(ticker.s, '.', ticker.len)) &&
           !og_root_is_derived(root);
}

static void add_root(const struct og_facts *f, struct og_str root, void *with)
{
    struct other_roots *x = with;
    struct og_cover cover;

    if (og_str_eq(root, x->root) || !og_facts_contracts(f, root))
        return;
    if (!og_cover_of(f, root, x->type, x->order, x->with, x->today, &cover))
        cover = (struct og_cover){ .bare = og_facts_shorts(f, root, x->type),
                                   .unpaired = og_facts_shorts(f, root, x->type) }; /* too many contracts to pair: count
                                                                                     * every short as uncovered */
    x->cover->unpaired += cover.unpaired;
    x->cover->others += cover.unpaired;
    x->cover->derived += og_root_is_derived(root) ? cover.unpaired : 0;
    x->cover->bare += cover.bare;
    x->cover->own += cover.own;
    x->cover->own_shares += cover.own_shares;
    if (x->with & OG_COVER_SPREADS)
        set_shares(x->cover, x->cover->shares + cover.own_shares);
}

void og_cover_add_others(const struct og_facts *f, struct og_str root, char type, const struct og_order *o,
                         unsigned with, int today, struct og_cover *cover)
{
    struct other_roots x = { .root = root, .type = type, .order = o, .with = with, .today = today, .cover = cover };

    if (og_cover_is_shared(f, root))
        og_facts_each_root_on(f, root, add_root, &x);
}

static void count_shorts(const struct og_facts *f, struct og_str root, void *with)
{
    struct other_roots *x = with;
    const int64_t shorts = og_str_eq(root, x->root) ? 0 : og_facts_shorts(f, root, x->type);

    x->shorts = shorts > INT64_MAX - x->shorts ? INT64_MAX : x->shorts + shorts;
}

int64_t og_cover_shorts_beside(const struct og_facts *f, struct og_str root, char type)
{
    struct other_roots x = { .root = root, .type = type, .shorts = 0 };

    if (!og_cover_is_shared(f, root))
        return 0;
    og_facts_each_root_on(f, root, count_shorts, &x);
    return x.shorts;
}

int64_t og_cover_shorts(const struct og_facts *f, struct og_str root, char type)
{
    const int64_t own = og_facts_shorts(f, root, type), beside = og_cover_shorts_beside(f, root, type);

    return beside > INT64_MAX - own ? INT64_MAX : own + beside;
}
