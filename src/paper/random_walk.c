/*
 * The seeded random walk: at every step the last price changes by a fraction of itself, drawn uniformly around zero;
 * the spread between bid and ask stays the same. A symbol's prices depend only on the seed and the symbol's name, not
 * on other symbols or clients.
 */
#include "paper/random_walk.h"

#include "paper/match.h"
#include "paper/paper.h"
#include "paper/prng.h"

struct og_paper_random_walk {
    struct og_paper *paper;
    struct og_paper_symbol *symbol;
    struct og_paper_random_walk_item item;
    uint64_t state;
    /* exact: the unrounded price, so that small steps add up; shown: the price that was last published */
    int64_t exact, shown;
    struct og_paper_timer timer;
    struct og_paper_random_walk *next;
};

/* Returns a random number in [-most, most]. */
static int64_t around_zero(uint64_t *state, int64_t most)
{
    return (int64_t)og_paper_prng_below(state, (uint64_t)most * 2 + 1) - most;
}

static int64_t bounded(const struct og_paper_random_walk *walk, int64_t price)
{
    return price < walk->item.least ? walk->item.least : price > walk->item.most ? walk->item.most : price;
}

static void move_price(struct og_paper_random_walk *walk)
{
    struct og_paper_quote quote = walk->symbol->quote;
    int64_t half = (quote.ask - quote.bid) / 2, tick;

    if (quote.last != walk->shown) /* a control call or a replay has set another quote: continue from its price */
        walk->exact = quote.last;
    walk->exact =
        bounded(walk, og_dec_add(walk->exact, og_dec_times(walk->exact, around_zero(&walk->state, walk->item.step))));
    tick = walk->exact >= OG_DEC_ONE ? OG_DEC_CENT : OG_DEC_TICK;
    quote.last = bounded(walk, og_dec_round(walk->exact, tick));
    walk->shown = quote.last;
    half = half < tick ? tick : og_dec_round(half, tick);
    quote.bid = quote.last > half ? quote.last - half : quote.last;
    quote.ask = quote.last + half;
    og_paper_match_quote(walk->paper, walk->symbol, &quote);
}

static void on_timer(void *with)
{
    struct og_paper_random_walk *walk = with;

    if (walk->symbol->state == OG_QUOTE_SET && walk->symbol->quote.last > 0)
        move_price(walk);
    /* The next step is timed from the instant at which this one was due, so that the path is the same on every clock.
     * This cannot fail: the heap has room for the timer that just fired. */
    og_paper_clock_set(&walk->paper->clock, &walk->timer, walk->timer.due + walk->item.every);
}

bool og_paper_random_walk_add(struct og_paper *p, struct og_paper_symbol *symbol,
                              const struct og_paper_random_walk_item *item)
{
    struct og_paper_random_walk *walk = og_arena_take(&p->arena, sizeof *walk), **end = &p->walks;

    if (!walk)
        return false;
    *walk = (struct og_paper_random_walk){ .paper = p, .symbol = symbol, .item = *item };
    walk->timer = (struct og_paper_timer){ .fire = on_timer, .with = walk };
    while (*end)
        end = &(*end)->next;
    *end = walk;
    return true;
}

/* Start the walks. Steps are at whole multiples of the interval, so that the prices do not depend on when the clock
 * started. */
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
