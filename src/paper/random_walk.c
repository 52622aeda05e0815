/*
 * The seeded random walk: at every step the last price moves by a share of itself, evenly drawn on both sides of zero,
 * and bid and ask keep their distance to it.
 * It refuses to depend on anything but the seed and the symbol's name: what other symbols and clients do changes no
 * path.
 */
#include "paper/random_walk.h"

#include "paper/prng.h"
#include "paper/match.h"
#include "paper/paper.h"

#include "base/banned.h"

struct og_paper_random_walk {
    struct og_paper *paper;
    struct og_paper_symbol *symbol;
    struct og_paper_random_walk_item item;
    uint64_t state;
    int64_t exact, shown; /* the price, and as it was published: an exact one does not get stuck on a cent */
    struct og_paper_timer timer;
    struct og_paper_random_walk *next;
};

/* From -most to most. */
static int64_t around_zero(uint64_t *state, int64_t most)
{
    return (int64_t)og_paper_prng_below(state, (uint64_t)most * 2 + 1) - most;
}

static int64_t tick_at(int64_t price)
{
    return price >= OG_DEC_ONE ? OG_DEC_CENT : OG_DEC_TICK;
}

static int64_t bounded(const struct og_paper_random_walk *walk, int64_t price)
{
    return price < walk->item.least ? walk->item.least : price > walk->item.most ? walk->item.most : price;
}

static void move(struct og_paper_random_walk *walk)
{
    struct og_paper_quote quote = walk->symbol->quote;
    int64_t half = (quote.ask - quote.bid) / 2, tick;

    if (quote.last != walk->shown) /* set by a call or a replay: go on from there */
        walk->exact = quote.last;
    walk->exact =
        bounded(walk, og_dec_add(walk->exact, og_dec_times(walk->exact, around_zero(&walk->state, walk->item.step))));
    tick = tick_at(walk->exact);
    quote.last = bounded(walk, og_dec_round(walk->exact, tick));
    walk->shown = quote.last;
    half = half < tick ? tick : og_dec_round(half, tick);
    quote.bid = quote.last > half ? quote.last - half : quote.last;
    quote.ask = quote.last + half;
    og_paper_match_quote(walk->paper, walk->symbol, &quote);
}

static void step(void *with)
{
    struct og_paper_random_walk *walk = with;

    if (walk->symbol->state == OG_QUOTE_SET && walk->symbol->quote.last > 0)
        move(walk);
    /* From when it was due, however late it is: so the path is the same on every clock.  The heap has the timer's room.
     */
    og_paper_clock_set(&walk->paper->clock, &walk->timer, walk->timer.due + walk->item.every);
}

bool og_paper_random_walk_add(struct og_paper *p, struct og_paper_symbol *symbol,
                              const struct og_paper_random_walk_item *item)
{
    struct og_paper_random_walk *walk = og_arena_take(&p->arena, sizeof(*walk)), **end = &p->walks;

    if (!walk)
        return false;
    *walk = (struct og_paper_random_walk){ .paper = p, .symbol = symbol, .item = *item };
    walk->timer = (struct og_paper_timer){ .fire = step, .with = walk };
    while (*end)
        end = &(*end)->next;
    *end = walk;
    return true;
}

/* Moves fall on whole multiples of the interval, so that a clock that already runs when it starts gives the same path.
 */
bool og_paper_random_walks_start(struct og_paper *p)
{
    struct og_paper_random_walk *walk;
    int64_t now = og_paper_clock_now(&p->clock);

    for (walk = p->walks; walk; walk = walk->next) {
        walk->state = og_paper_prng_init(p->options.seed, walk->symbol->name);
        if (!og_paper_clock_set(&p->clock, &walk->timer, (now / walk->item.every + 1) * walk->item.every))
            return false;
    }
    return true;
}
