/*
 * The symbols of gates.c, their quotes, and random orders.
 */
#include <stdio.h>
#include <string.h>

#include "gates_run.h"

void make_things(struct chance *c)
{
    for (int i = 0; i < THINGS; i++) {
        struct thing *t = &w.thing[i];
        static const int price[STOCKS] = { 10000, 900, 3000 };
        const int k = i % CHAIN;

        t->stock = i / CHAIN;
        if (k == 0)
            snprintf(t->symbol, sizeof t->symbol, "%s", roots[t->stock]);
        else
            snprintf(t->symbol, sizeof t->symbol, "%s260320%c%08d", roots[t->stock], k == 3 ? 'P' : 'C',
                     price[t->stock] * 10 + (k == 2 ? 5000 : 0));
        t->last = k == 0 ? price[t->stock] : price[t->stock] / 10 + (k == 2 ? 0 : 100);
        t->last = t->last / 5 * 5;
        t->bid = t->last - 5 * chance_to(c, 2);
        t->ask = t->last + 5 * (1 + chance_to(c, 2));
        t->held = chance_in(c, 25) ? (k ? 10 : 500) : 0;
        t->cost = t->held ? t->last : 0;
    }
}

void step_quote(struct chance *c)
{
    const int thing = (int)chance_to(c, THINGS);
    struct thing *t = &w.thing[thing];

    t->last = t->last + 5 * (chance_to(c, 5) - 2) > 50 ? t->last + 5 * (chance_to(c, 5) - 2) : t->last;
    t->last = t->last < 50 ? 50 : t->last;
    t->bid = t->last - 5 * chance_to(c, 3);
    t->ask = t->bid + 5 * (1 + chance_to(c, 3));
    if (!is_contract(thing)) {
        t->halted = chance_in(c, 12);
        t->paused = chance_in(c, 12);
        t->restricted = chance_in(c, 25);
        t->down = chance_in(c, 40) ? t->bid - 5 * chance_to(c, 5) : 0;
        t->up = chance_in(c, 40) ? t->ask + 5 * chance_to(c, 5) : 0;
    }
    for (int g = 0; g < GATES; g++)
        tell_quote(g, thing);
}

static void make_spread(struct order *o, struct chance *c)
{
    const int stock = (int)chance_to(c, STOCKS) * CHAIN, first = chance_in(c, 50) ? 0 : 1;

    o->spread = true;
    o->legs = 2;
    o->leg[0] = (struct leg){ stock + 1 + first, 1, true };
    o->leg[1] = (struct leg){ stock + 2 - first, 1, false };
    o->limit = 5 * (1 + chance_to(c, 20));
    o->quantity = 1 + chance_to(c, 3);
}

/* Make an order of a share whose limit is the least that a rule's sums forbid, or a cent less. Returns false if none
 * of the rules that sum dollars is on, or forbids any price. */
static bool make_order_at_bound(struct order *o, struct chance *c)
{
    static const enum rule rules[] = { TRADED_LIMIT, SETTLED_CASH, GROUP_LIMIT };
    const enum rule rule = rules[chance_to(c, 3)];
    int64_t fits = 0, breaks = 10000000;

    o->legs = 1;
    o->leg[0] = (struct leg){ CHAIN * (int)chance_to(c, STOCKS), 1, true };
    o->quantity = 1;
    o->limit = breaks;
    if (judge(&w, o, rule) != EXCEEDS)
        return false;
    while (fits + 1 < breaks) {
        o->limit = fits + (breaks - fits) / 2;
        if (judge(&w, o, rule) == EXCEEDS)
            breaks = o->limit;
        else
            fits = o->limit;
    }
    o->limit = breaks - chance_to(c, 2);
    if (o->limit > 0 && chance_in(c, 30)) { /* a stop, whose price is as much */
        o->type = chance_in(c, 50) ? STOP : STOP_LIMIT;
        o->stop = o->limit;
        o->limit = o->type == STOP ? 0 : o->limit;
    }
    return o->limit > 0 || o->stop > 0;
}

/* Make a stop of a single order, away from the market; some have their price at that of another order. */
static void make_stop(struct order *o, struct chance *c)
{
    const struct thing *t = &w.thing[o->leg[0].thing];
    const bool buys = o->leg[0].buy;
    const int64_t away = 5 * (1 + chance_to(c, 6)), beyond = 5 * (chance_to(c, 4) - 1);

    o->stop = buys ? t->ask + away : t->bid - away;
    for (int i = 0; i < w.orders && chance_in(c, 97); i++) {
        const struct order *x = &w.order[i];

        if (x->live && x->leg[0].thing == o->leg[0].thing && x->leg[0].buy != buys && has_limit(x) && chance_in(c, 30))
            o->stop = x->limit + chance_to(c, 3) - 1;
    }
    o->stop = o->stop < 5 ? 5 : o->stop;
    o->type = chance_in(c, 50) ? STOP : STOP_LIMIT;
    o->limit = o->type == STOP ? 0 : o->stop + (buys ? beyond : -beyond);
    o->limit = o->type == STOP_LIMIT && o->limit < 1 ? 1 : o->limit;
}

/* Put the limit of an order at the price of a stop that works the other way, or a cent beside it. */
static void meet_stop(struct order *o, struct chance *c)
{
    for (int i = 0; i < w.orders; i++) {
        const struct order *x = &w.order[i];

        if (x->live && x->leg[0].thing == o->leg[0].thing && x->leg[0].buy != o->leg[0].buy && has_stop(x) &&
            chance_in(c, 10))
            o->limit = x->stop + chance_to(c, 3) - 1;
    }
}

/* Make a random order. Some repeat an earlier one, as it was or with another price. */
void make_order(struct order *o, struct chance *c)
{
    static const int64_t shares[] = { 10, 20, 50, 100 };
    const struct thing *t;
    int thing = (int)chance_to(c, THINGS);

    memset(o, 0, sizeof *o);
    if (w.orders && chance_in(c, 25)) {
        const struct order *again = &w.order[chance_to(c, w.orders)];

        o->spread = again->spread;
        o->legs = again->legs;
        memcpy(o->leg, again->leg, sizeof o->leg);
        o->type = again->type;
        o->limit = again->limit + (chance_in(c, 30) ? 5 : 0) * (again->type == LIMIT);
        o->stop = again->stop;
        o->quantity = again->quantity;
        o->tag = chance_in(c, 60) ? again->tag : (int)chance_to(c, TAGS);
    } else {
        o->tag = chance_in(c, 97) ? (int)chance_to(c, TAGS) : TAGS;
        if (chance_in(c, 12) && make_order_at_bound(o, c)) {
            /* made */
        } else if (chance_in(c, 15)) {
            make_spread(o, c);
        } else {
            thing = chance_in(c, 60) ? thing / CHAIN * CHAIN : thing;
            t = &w.thing[thing];
            o->legs = 1;
            o->leg[0] = (struct leg){ thing, 1, chance_in(c, 60) };
            o->type = chance_in(c, 85) ? LIMIT : MARKET;
            o->quantity = is_contract(thing) ? 1 + chance_to(c, 5) : shares[chance_to(c, 4)];
            o->limit = o->type == MARKET ? 0 : (o->leg[0].buy ? t->ask : t->bid) + 5 * (chance_to(c, 5) - 2);
            if (o->type == LIMIT && chance_in(c, 15)) /* at about the limit of the collar */
                o->limit =
                    (o->leg[0].buy ? t->ask : t->bid) * (10000 + (o->leg[0].buy ? 1 : -1) * w.desk.away) / 10000 +
                    chance_to(c, 3) - 1;
            if (chance_in(c, 25))
                make_stop(o, c);
            else if (o->type == LIMIT)
                meet_stop(o, c);
            o->limit = has_limit(o) && o->limit < 1 ? 1 : o->limit;
            if (!o->leg[0].buy && t->closable > 0 && chance_in(c, 40)) {
                o->closes = true;
                o->quantity = o->quantity > t->closable ? t->closable : o->quantity;
            }
        }
    }
    o->quoted = o->leg[0].buy ? w.thing[o->leg[0].thing].ask : w.thing[o->leg[0].thing].bid;
    snprintf(o->id, sizeof o->id, "o%d-%d", w.orders, (int)chance_to(c, 1000));
    o->at = w.now;
}
