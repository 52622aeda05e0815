/*
 * Finds the cheapest pairing of a few option lines by brute force, as a check of src/margin, without using any of its
 * code.
 *
 * It tries every way in which longs of a later expiry may cover an earlier one and, for every expiry, each number of
 * shorts that stand alone; in the number for the largest line the requirement is convex, so that number is found by
 * bisection. The number of ways has a limit. The price of the underlying is 100; a naked option requires its price and
 * 20 % less the amount out of the money, at least 10 %.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct cheapest_line {
    int expiry; /* 0: the earlier expiry, 1: the later one */
    char type;
    int64_t strike, price; /* cents */
    int64_t longs, shorts;
};

enum { CHEAPEST_LINES = 28 };
#define CHEAPEST_NEVER (INT64_MAX / 4)

struct cheapest {
    const struct cheapest_line *line; /* sorted by strike */
    int count;
    int64_t in[CHEAPEST_LINES], out[CHEAPEST_LINES]; /* in: longs in the spread; out: shorts that stand alone */
};

static int64_t cheapest_risk(const struct cheapest_line *l)
{
    int64_t away = l->type == 'C' ? l->strike - 10000 : 10000 - l->strike, most = 2000 - (away > 0 ? away : 0);
    int64_t least = (l->type == 'C' ? 10000 : l->strike) / 10;

    return most > least ? most : least;
}

static int64_t cheapest_value(const struct cheapest *c, int expiry, int64_t under)
{
    int64_t sum = 0;

    for (int i = 0; i < c->count; i++) {
        const struct cheapest_line *l = &c->line[i];
        int64_t worth = l->type == 'C' ? under - l->strike : l->strike - under;

        if (worth > 0)
            sum += worth * (c->in[i] - (l->expiry == expiry ? l->shorts - c->out[i] : 0));
    }
    return sum;
}

/* Returns the maximum loss of the spread; CHEAPEST_NEVER: it is unbounded. */
static int64_t cheapest_loss(const struct cheapest *c, int expiry)
{
    int64_t lowest = cheapest_value(c, expiry, 0), here = 0;

    for (int i = 0; i < c->count; i++) {
        here = cheapest_value(c, expiry, c->line[i].strike);
        lowest = here < lowest ? here : lowest;
    }
    here = cheapest_value(c, expiry, 1000000);
    if (cheapest_value(c, expiry, 1000001) < here)
        return CHEAPEST_NEVER;
    return lowest < 0 ? -lowest : 0;
}

/* Returns the requirement of the shorts that stand alone. They are paired from the most expensive on, a call with a
 * put; a pair requires the larger of the two requirements, and the other option's price. */
static int64_t cheapest_alone(const struct cheapest *c, int expiry)
{
    int64_t left[CHEAPEST_LINES], sum = 0;
    int call = 0, put = c->count - 1;

    memcpy(left, c->out, sizeof left);
    for (;;) {
        const struct cheapest_line *a, *b;
        int64_t n, first, second;

        while (call < c->count && (c->line[call].expiry != expiry || c->line[call].type != 'C' || !left[call]))
            call++;
        while (put >= 0 && (c->line[put].expiry != expiry || c->line[put].type != 'P' || !left[put]))
            put--;
        if (call == c->count && put < 0)
            return sum;
        a = call < c->count ? &c->line[call] : NULL;
        b = put >= 0 ? &c->line[put] : NULL;
        n = !b || (a && left[call] < left[put]) ? left[call] : left[put];
        first = a ? a->price + cheapest_risk(a) : 0;
        second = b ? b->price + cheapest_risk(b) : 0;
        sum += n * (!a ? second : !b ? first : first > second ? first + b->price : second + a->price);
        left[call < c->count ? call : put] -= n;
        if (a && b)
            left[put] -= n;
    }
}

static int64_t cheapest_here(const struct cheapest *c, int expiry)
{
    int64_t loss = cheapest_loss(c, expiry);

    return loss == CHEAPEST_NEVER ? loss : loss + cheapest_alone(c, expiry);
}

/* Returns the minimum of the requirement over all numbers of shorts of the largest line that may stand alone. */
static int64_t cheapest_along(struct cheapest *c, int expiry, int line)
{
    int64_t low = 0, high = c->line[line].shorts, least;

    while (low < high) {
        int64_t here, more, half = (low + high) / 2;

        c->out[line] = half;
        here = cheapest_here(c, expiry);
        c->out[line] = half + 1;
        more = cheapest_here(c, expiry);
        if (here == CHEAPEST_NEVER || more < here)
            low = half + 1;
        else
            high = half;
    }
    c->out[line] = low;
    least = cheapest_here(c, expiry);
    c->out[line] = 0;
    return least;
}

static int cheapest_largest(const struct cheapest *c, int expiry)
{
    int at = -1;

    for (int i = 0; i < c->count; i++)
        if (c->line[i].expiry == expiry && c->line[i].shorts && (at < 0 || c->line[i].shorts > c->line[at].shorts))
            at = i;
    return at;
}

static int64_t cheapest_of(struct cheapest *c, int expiry)
{
    int largest = cheapest_largest(c, expiry), i;
    int64_t best = CHEAPEST_NEVER, here;

    memset(c->out, 0, sizeof c->out);
    if (largest < 0)
        return 0;
    do {
        here = cheapest_along(c, expiry, largest);
        best = here < best ? here : best;
        for (i = 0; i < c->count; i++) { /* go to the next combination of counts */
            if (i == largest || c->line[i].expiry != expiry)
                continue;
            if (c->out[i]++ < c->line[i].shorts)
                break;
            c->out[i] = 0;
        }
    } while (i < c->count);
    return best;
}

static int64_t cheapest_ways(const struct cheapest *c)
{
    int64_t ways[2] = { 1, 1 }, splits = 1;

    for (int i = 0; i < c->count && ways[0] + ways[1] < 1 << 20 && splits < 1 << 20; i++) {
        splits *= c->line[i].expiry && c->line[i].longs ? c->line[i].longs + 1 : 1;
        if (i != cheapest_largest(c, c->line[i].expiry))
            ways[c->line[i].expiry] *= c->line[i].shorts + 1;
    }
    return splits * (ways[0] + ways[1]);
}

/* Returns the requirement in cents per share; -1: there are more combinations than `most`. */
static int64_t cheapest(const struct cheapest_line *line, int count, int64_t most)
{
    struct cheapest c = { .line = line, .count = count };
    int64_t moved[CHEAPEST_LINES] = { 0 }, best = CHEAPEST_NEVER, sum;
    int i;

    if (cheapest_ways(&c) > most)
        return -1;
    do {
        for (i = 0; i < count; i++)
            c.in[i] = line[i].expiry ? moved[i] : line[i].longs;
        sum = cheapest_of(&c, 0);
        for (i = 0; i < count; i++)
            c.in[i] = line[i].expiry ? line[i].longs - moved[i] : 0;
        sum += cheapest_of(&c, 1);
        best = sum < best ? sum : best;
        for (i = 0; i < count; i++) {
            if (!line[i].expiry)
                continue;
            if (moved[i]++ < line[i].longs)
                break;
            moved[i] = 0;
        }
    } while (i < count);
    return best;
}
