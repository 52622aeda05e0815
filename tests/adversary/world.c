/*
 * Random worlds: a market, accounts with positions, orders that make sense there, and fills as a broker makes them.
 *  It does not depend on what a gate decides.
 */
#include <stdio.h>
#include <string.h>

#include "adversary.h"

/* 2026-01-15 10:30 in New York. */
const int64_t world_start = INT64_C(1768491000) * OG_NS_PER_S;

static const struct {
    const char *root;
    int64_t price;
} stocks[STOCKS] = { { "AAPL", 1900000 }, { "F", 121000 }, { "BRK.B", 1400000 }, { "SPX", 50000000 } };

/* Other roots of contracts on each stock. */
enum { OTHERS = 4 };
static const char *const others[STOCKS][OTHERS] = { { "AAPL1", "2AAPL", "1AAPL1", "AAPL7" },
                                                    { "F1", "2F", "1F1", "F7" },
                                                    { "BRKB1", "2BRKB", "BRK.B", "BRK.B" },
                                                    { "2SPX", "1SPXW", "2SPX", "1SPXW" } };

static const char *const expiries[EXPIRIES] = { "260220", "260320" };

static int64_t tick_of(int64_t price)
{
    return price < 100 ? 100 : price / 100 * 100;
}

/* Make a market around a price, with a spread of a few cents. */
static void set_market(struct thing *t, int64_t middle, struct chance *c)
{
    int64_t half = 100 + 100 * chance_to(c, 1 + middle / 50000);

    t->bid = tick_of(middle > half ? middle - half : 100);
    t->ask = tick_of(middle + half);
    t->last = tick_of(t->bid + chance_to(c, t->ask - t->bid + 1));
}

static int64_t value_of(const struct world *w, const struct thing *t)
{
    int64_t under = w->thing[t->stock].last, inside = t->type == 'C' ? under - t->strike : t->strike - under;

    return (inside > 0 ? inside : 0) + (inside < -under / 8 ? 900 + under / 1500 : under / 60); /* far out is cheap */
}

void world_tick(struct world *w, struct thing *t, struct chance *c, bool well)
{
    int64_t middle = t->type ? value_of(w, t) : (t->bid + t->ask) / 2;
    int kind = well ? 0 : (int)chance_to(c, 14);

    set_market(t, middle + middle * (chance_to(c, 61) - 30) / 1000, c);
    t->told_at = w->now;
    t->told = kind == 9    ? TOLD_OLD
              : kind == 10 ? TOLD_ZERO
              : kind == 11 ? TOLD_CROSSED
              : kind == 12 ? TOLD_TIMELESS
              : kind == 13 ? TOLD_FUTURE
                           : TOLD_GOOD;
}

/* Returns the root of the contracts of a stock and a type that are not of another root. */
static const char *own_root(int stock, char type)
{
    return stock == INDEX && type == 'P'              ? "SPXW"
           : strcmp(stocks[stock].root, "BRK.B") == 0 ? "BRKB"
                                                      : stocks[stock].root;
}

static void make_chain(struct world *w, int s, int chain, const char *root, int expiry, struct chance *c)
{
    const struct thing *stock = &w->thing[s * (1 + CONTRACTS)];
    const int64_t step = stocks[s].price > 500000 ? 100000 : 10000;

    for (int k = 0; k < CHAIN; k++) {
        struct thing *t = &w->thing[s * (1 + CONTRACTS) + 1 + chain * CHAIN + k];

        *t = *stock;
        t->expiry = expiry;
        t->type = k < STRIKES ? 'C' : 'P';
        t->kind = !root ? ORDINARY : strcmp(root, stocks[s].root) == 0 ? TICKER : DERIVED;
        t->strike = stocks[s].price / step * step + step * (k % STRIKES < FAR ? k % STRIKES - 1 : 6);
        snprintf(t->root, sizeof t->root, "%s", root ? root : own_root(s, t->type));
        snprintf(t->symbol, sizeof t->symbol, "%s%s%c%08lld", t->root, expiries[t->expiry], t->type,
                 (long long)t->strike / 10);
        set_market(t, value_of(w, t), c);
    }
}

static void make_things(struct world *w, struct chance *c)
{
    for (int s = 0; s < STOCKS; s++) {
        int first = s * (1 + CONTRACTS);
        struct thing *stock = &w->thing[first];
        const char *other = chance_in(c, 50) ? others[s][chance_to(c, OTHERS)] : NULL;

        snprintf(stock->symbol, sizeof stock->symbol, "%s", stocks[s].root);
        snprintf(stock->root, sizeof stock->root, "%s", stocks[s].root);
        stock->stock = first;
        set_market(stock, stocks[s].price, c);
        for (int k = 0; k < EXPIRIES - 1; k++)
            make_chain(w, s, k, NULL, k, c);
        make_chain(w, s, EXPIRIES - 1, other, other ? (int)chance_to(c, EXPIRIES) : EXPIRIES - 1, c);
    }
    for (int i = 0; i < THINGS; i++)
        if (chance_in(c, 85))
            world_tick(w, &w->thing[i], c, chance_in(c, 90));
}

bool quote_known(const struct world *w, int thing)
{
    const struct thing *t = &w->thing[thing];

    return t->told == TOLD_GOOD && w->now - t->told_at <= w->desk.quotes_age;
}

static int64_t told_wrong(int64_t ask)
{
    return tick_of(ask / 4 + 100);
}

/* Write the quote that the gate is given; a wrong quote is far from the market, so that a gate that uses it is
 * noticed. */
bool world_quote(const struct world *w, int thing, struct text *json)
{
    const struct thing *t = &w->thing[thing];
    int64_t at = t->told == TOLD_OLD      ? t->told_at - 7200 * OG_NS_PER_S
                 : t->told == TOLD_FUTURE ? t->told_at + 7200 * OG_NS_PER_S
                                          : t->told_at;
    bool good = t->told == TOLD_GOOD;
    int64_t bid = good ? t->bid : tick_of(t->bid / 4), ask = good ? t->ask : told_wrong(t->ask);

    if (t->told == TOLD_NOTHING)
        return false;
    if (t->told == TOLD_ZERO)
        bid = 0, ask = t->told_at / OG_NS_PER_S % 2 ? 0 : ask;
    if (t->told == TOLD_CROSSED)
        bid = ask + 5000;
    text_put(json, "{\"bid\":");
    text_decimal(json, bid);
    text_put(json, ",\"ask\":");
    text_decimal(json, ask);
    text_put(json, ",\"last\":");
    text_decimal(json, good ? t->last : bid);
    if (t->told != TOLD_TIMELESS)
        text_put(json, ",\"asOf\":\"%s\"", og_time_text(at).s);
    text_put(json, ",\"symbol\":\"%s\"}", t->symbol);
    return true;
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Returns the value of a spread's legs at expiry if its stock is at s, in 1/10000 dollars per share. */
static wide pays(const struct world *w, const struct order *o, int64_t s)
{
    wide sum = 0;

    for (int i = 0; i < o->legs; i++) {
        const struct thing *t = &w->thing[o->leg[i].thing];
        int64_t each = !t->type ? s : larger(0, t->type == 'C' ? s - t->strike : t->strike - s);

        sum += (wide)each * o->leg[i].ratio * (t->type ? 100 : 1) * (o->leg[i].buy ? 1 : -1);
    }
    return sum;
}

/* Rows are valued by the last quote that was told, however old it is. */
static bool is_quoted(const struct thing *t)
{
    return t->heard && (t->told == TOLD_GOOD || t->told == TOLD_OLD || t->told == TOLD_FUTURE);
}

/* Price each leg at its own quote, since a broker may fill it there, however the sum of the quotes compares with the
 * net price. */
static void price_legs(const struct world *w, struct order *o, bool row)
{
    for (int i = 0; i < o->legs; i++) {
        const struct thing *t = &w->thing[o->leg[i].thing];
        int64_t price = larger(t->bid, larger(t->ask, t->last));

        if (!row && !quote_known(w, o->leg[i].thing))
            price = 0;
        else if (row && !is_quoted(t))
            price = 0;
        else if (row && t->told != TOLD_GOOD) /* the quote that the gate got was wrong */
            price = told_wrong(t->ask);
        o->leg[i].each = (wide)price * SCALE * (t->type ? 100 : 1);
    }
}

wide legs_worth(const struct order *o, bool only_sells)
{
    wide sum = 0;

    for (int i = 0; i < o->legs; i++)
        if (o->leg[i].effect != 'C' && !(only_sells && o->leg[i].buy))
            sum += o->leg[i].each * o->leg[i].ratio;
    return sum;
}

static wide wider(wide a, wide b)
{
    return a > b ? a : b;
}

/* Returns what one unit's puts lose at expiry, which is bounded even if its calls lose without bound. */
static wide puts_lose_of(const struct world *w, const struct order *o)
{
    wide most = 0, at;

    for (int i = -1; i < o->legs; i++) {
        at = 0;
        for (int k = 0; k < o->legs; k++) {
            const struct thing *t = &w->thing[o->leg[k].thing];
            const int64_t s = i < 0 ? 0 : w->thing[o->leg[i].thing].strike;

            if (t->type == 'P')
                at += (wide)larger(0, t->strike - s) * o->leg[k].ratio * 100 * (o->leg[k].buy ? -1 : 1);
        }
        most = wider(most, at);
    }
    return most * SCALE;
}

/* Like puts_lose_of(), less the net price, whether that is paid or received. */
static wide puts_lose_less(const struct world *w, const struct order *o)
{
    return wider(0, puts_lose_of(w, o) - (wide)o->limit * 100 * SCALE);
}

/* Returns what one unit's written calls lose at expiry beside the calls that it buys; 0 if that is unbounded. */
static wide calls_lose_of(const struct world *w, const struct order *o)
{
    const int64_t far = 1000000 * SCALE;
    wide most = 0, at;

    for (int i = -1; i < o->legs; i++) {
        at = 0;
        for (int k = 0; k < o->legs; k++) {
            const struct thing *t = &w->thing[o->leg[k].thing];
            const int64_t s = i < 0 ? far : w->thing[o->leg[i].thing].strike;

            if (t->type == 'C')
                at += (wide)larger(0, s - t->strike) * o->leg[k].ratio * 100 * (o->leg[k].buy ? -1 : 1);
        }
        if (i < 0 && at > far) /* all strikes are far below */
            return 0;
        most = wider(most, at);
    }
    return most * SCALE;
}

/* Written options count as they will as positions: by their loss less the price at which they are sold, if that is more
 * than this price. Either the calls lose the most, or the puts do. */
wide lost_beyond_legs(const struct world *w, const struct order *o, bool covered)
{
    wide puts = 0, calls = 0;

    for (int i = 0; i < o->legs; i++) {
        const struct leg *l = &o->leg[i];

        if (l->effect != 'O' || l->each == 0) /* without quotes the manual gives no bound */
            return 0;
        if (!l->buy && w->thing[l->thing].type)
            *(w->thing[l->thing].type == 'P' ? &puts : &calls) += l->each * l->ratio;
    }
    puts = puts ? puts_lose_of(w, o) - 2 * puts : 0;
    calls = calls && !covered ? calls_lose_of(w, o) - 2 * calls : 0;
    return wider(0, wider(puts, calls));
}

wide at_stake(const struct world *w, const struct order *o, bool only_sells)
{
    if (o->form != SPREAD)
        return wider(0, o->worth);
    return wider(legs_worth(o, only_sells) + lost_beyond_legs(w, o, false), o->worth);
}

bool is_open_ended(const struct order *o)
{
    for (int i = 0; o->form == SPREAD && i < o->legs; i++)
        if (o->leg[i].effect != 'C' && o->leg[i].each == 0)
            return true;
    return o->unbounded;
}

bool sells_to_open(const struct order *o)
{
    for (int i = 0; i < o->legs; i++)
        if (!o->leg[i].buy && o->leg[i].effect != 'C')
            return true;
    return false;
}

/* Returns the worst loss of one contract of a put that is sold at that price or more; 0 for everything else. */
static wide put_loss(const struct thing *t, bool buy, int64_t price)
{
    return t->type == 'P' && !buy ? (wide)larger(0, t->strike - price) * SCALE * 100 : 0;
}

/* Set the spread's worth to the maximum loss of its legs at expiry, with the net price at its limit. */
static void price_spread(const struct world *w, struct order *o)
{
    const int64_t far = 1000000 * SCALE;
    wide least = pays(w, o, 0), most = least, at, net = (wide)o->limit * 100, loss;
    bool known = true, opens = true;

    price_legs(w, o, false);
    for (int i = 0; i < o->legs; i++) {
        int64_t strike = w->thing[o->leg[i].thing].type ? w->thing[o->leg[i].thing].strike : far;

        for (int k = 0; k < 2; k++) {
            at = pays(w, o, k ? far : strike);
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        known = known && quote_known(w, o->leg[i].thing);
        opens = opens && o->leg[i].effect == 'O';
    }
    o->brings = opens && most <= 0 && least >= -(wide)far ? -least * SCALE : 0;
    if (o->type == MARKET || o->type == STOP) {
        o->unbounded = !known;
        o->worth = opens ? puts_lose_less(w, o) * (least < -(wide)far) : 0;
        o->worth_most = (wide)far * SCALE;
        return;
    }
    loss = least < 0 && most <= 0 ? -least - net : net - (least < 0 ? least : 0);
    o->worth = loss > 0 ? loss * SCALE : 0;
    o->worth_most = o->worth > net * SCALE ? o->worth : net * SCALE;
    if (least < -(wide)far || !opens) { /* the result is unbounded above, or positions are closed: the worth is at least
                                         * the premium */
        o->worth = opens ? puts_lose_less(w, o) : 0;
        o->worth_most = (wide)far * SCALE;
    }
}

void world_price(const struct world *w, struct order *o)
{
    const struct thing *t = &w->thing[o->leg[0].thing];
    bool known = quote_known(w, o->leg[0].thing), limited = o->type == LIMIT || o->type == STOP_LIMIT;
    int64_t price = limited ? o->limit : o->type == STOP ? o->stop : 0, most;

    o->unbounded = false;
    if (o->form == SPREAD) {
        price_spread(w, o);
        return;
    }
    if (!o->leg[0].buy || !limited) {
        o->unbounded = !known;
        if (o->type == STOP_LIMIT)
            price = larger(price, o->stop);
        if (known)
            price = larger(price, larger(o->leg[0].buy ? 0 : t->bid, larger(t->ask, t->last)));
    }
    most = limited ? price : price + price / 3;
    o->price = (wide)price * SCALE * (t->type ? 100 : 1);
    o->worth = wider(o->price, put_loss(t, o->leg[0].buy, limited ? o->limit : 0));
    o->worth_most = wider(o->worth, (wide)most * SCALE * (t->type ? 100 : 1));
}

/* Price an order by its own prices; where they do not bound it, by the last quote that was told, however old. A spread
 * is priced leg by leg. */
static void price_row(const struct world *w, struct order *o)
{
    const struct thing *t = &w->thing[o->leg[0].thing];
    int64_t price = o->limit ? o->limit : o->stop;

    if (o->form == SPREAD)
        price_legs(w, o, true);
    o->unbounded = o->form == SPREAD ? o->blind && !closes_all(o) : !is_quoted(t) && (!o->leg[0].buy || o->limit == 0);
    if (t->heard && t->told == TOLD_GOOD && (!o->leg[0].buy || o->limit == 0))
        price = larger(price, larger(t->bid, larger(t->ask, t->last)));
    o->price = o->form == SPREAD ? 0 : (wide)price * SCALE * (t->type ? 100 : 1);
    o->worth = o->form != SPREAD                     ? wider(o->price, put_loss(t, o->leg[0].buy, o->limit))
               : o->blind || o->leg[0].effect != 'O' ? 0
                                                     : puts_lose_less(w, o);
}

void world_price_row(const struct world *w, struct order *o)
{
    const struct order was = *o;

    price_row(w, o);
    if (!o->forgotten)
        return;
    o->unbounded = o->unbounded && was.unbounded;
    o->worth = wider(o->worth, was.worth);
    o->price = wider(o->price, was.price);
    for (int i = 0; i < o->legs; i++)
        o->leg[i].each = o->leg[i].each > was.leg[i].each ? o->leg[i].each : was.leg[i].each;
}

void world_price_rows(const struct world *w, struct account *a)
{
    for (int i = 0; i < a->orders; i++) {
        struct order *o = &a->order[i], row = *o;

        if (!o->live)
            continue;
        price_row(w, &row);
        o->row.unbounded = row.unbounded;
        for (int k = 0; k < o->legs; k++)
            o->row.each[k] = row.leg[k].each;
        if (o->external)
            world_price_row(w, o);
    }
}

static const int64_t share_sizes[] = { 1, 2, 5, 10, 20, 50, 100, 100, 200, 300, 500, 1000, 2500 };
static const int64_t contract_sizes[] = { 1, 1, 1, 2, 2, 3, 5, 8, 10, 20 };

static int leg_at(struct order *o, int thing, bool buy, char effect, int ratio)
{
    o->leg[o->legs++] = (struct leg){ thing, ratio, buy, effect, 0 };
    return o->legs;
}

static bool is_index(int thing)
{
    return thing == INDEX * (1 + CONTRACTS);
}

/* The shapes that the service accepts. */
static void make_spread(const struct world *w, struct order *o, int first, struct chance *c)
{
    bool buy = chance_in(c, 50), calls = chance_in(c, 50);
    int call = first + 1 + CHAIN * (int)chance_to(c, EXPIRIES), put = call + STRIKES;
    int one = calls ? call : put, low = (int)chance_to(c, 2);
    char effect = chance_in(c, 85) ? 'O' : 'C';
    int64_t wide_by = w->thing[call + 1].strike - w->thing[call].strike;

    o->form = SPREAD;
    o->limit = tick_of(wide_by * (10 + chance_to(c, 80)) / 100);
    switch (chance_to(c, is_index(first) ? 6 : 8)) { /* the last ones have shares */
    case 0:
    case 1:
    case 2:
        leg_at(o, one + low, buy, effect, 1);
        leg_at(o, one + low + 1, !buy, effect, 1);
        break;
    case 3:
        leg_at(o, call + 1, buy, effect, 1);
        leg_at(o, put + (chance_in(c, 50) ? 1 : 0), buy, effect, 1);
        break;
    case 4:
        leg_at(o, one, buy, effect, 1);
        leg_at(o, one + 1, !buy, effect, 2);
        leg_at(o, one + 2, buy, effect, 1);
        break;
    case 5:
        leg_at(o, put, buy, effect, 1);
        leg_at(o, put + 1, !buy, effect, 1);
        leg_at(o, call + 1, !buy, effect, 1);
        leg_at(o, call + 2, buy, effect, 1);
        break;
    case 6:
        leg_at(o, first, effect == 'O', effect, 100);
        leg_at(o, call + (int)chance_to(c, 3), effect != 'O', effect, 1);
        o->limit = tick_of(w->thing[first].ask * (85 + chance_to(c, 20)) / 100);
        break;
    default:
        leg_at(o, first, effect == 'O', effect, 100);
        leg_at(o, put + (int)chance_to(c, 3), effect == 'O', effect, 1);
        o->limit = tick_of(w->thing[first].ask * (95 + chance_to(c, 20)) / 100);
        break;
    }
    o->type = chance_in(c, 85) ? LIMIT : MARKET;
    if (o->type == MARKET)
        o->limit = 0;
    o->tif = "Day";
    o->route = "SMARTM";
    o->quantity = contract_sizes[chance_to(c, sizeof contract_sizes / sizeof *contract_sizes)];
}

/* Make terms near the market, and some far from it. */
static void make_terms(const struct world *w, struct order *o, struct chance *c)
{
    static const enum type types[] = { LIMIT, LIMIT, LIMIT, LIMIT, LIMIT, MARKET, MARKET, STOP, STOP_LIMIT };
    const struct thing *t = &w->thing[o->leg[0].thing];
    bool buy = o->leg[0].buy;
    int64_t near = 1 + t->last / 33;

    o->type = types[chance_to(c, 9)];
    o->limit = tick_of(t->last + chance_to(c, 2 * near) - near);
    o->stop = tick_of(buy ? t->ask + 100 + chance_to(c, near) : larger(100, t->bid - 100 - chance_to(c, near)));
    if (chance_in(c, 8)) /* far away, on the side that fills at once or on the side that never fills */
        o->limit = tick_of(chance_in(c, 70) != buy ? 100 + t->last / (2 + chance_to(c, 100)) : t->last * 9);
    if (o->type == STOP_LIMIT && chance_in(c, 80))
        o->limit = buy ? o->stop + 500 : larger(100, o->stop - 500);
    if (o->type == MARKET || o->type == STOP) {
        o->limit = 0;
        o->ignored = chance_in(c, 30) ? 100 * (1 + chance_to(c, 200)) : 0;
    }
    if (o->type == MARKET || o->type == LIMIT)
        o->stop = 0;
    o->tif = o->type == MARKET || chance_in(c, 80) ? "Day" : "GoodTillCancel";
}

/* Returns a thing that is held; -1 if there is none. */
static int held_thing(const struct account *a, struct chance *c, bool *longs)
{
    int from = (int)chance_to(c, THINGS);

    for (int i = 0; i < THINGS; i++) {
        int t = (from + i) % THINGS;

        for (int side = 0; side < 2; side++)
            if (a->holding[t].shares[side] >= SCALE) {
                *longs = side;
                return t;
            }
    }
    return -1;
}

/* Returns a contract that is held short; -1 if there is none. */
static int written_thing(const struct world *w, const struct account *a, struct chance *c)
{
    const int from = (int)chance_to(c, THINGS);

    for (int i = 0; i < THINGS; i++) {
        const int t = (from + i) % THINGS;

        if (w->thing[t].type && a->holding[t].shares[0] >= SCALE)
            return t;
    }
    return -1;
}

/* Make an order that changes the cover of a written contract: it buys a contract with a distant strike, which is cheap,
 * or sells shares or a contract that may cover it. Returns false if no such contract is found. */
static bool change_cover(const struct world *w, const struct account *a, struct order *o, struct chance *c)
{
    const int written = written_thing(w, a, c), stock = written < 0 ? 0 : w->thing[written].stock;
    const int from = (int)chance_to(c, CONTRACTS + 1);
    int thing = stock + 1 + CHAIN * (int)chance_to(c, EXPIRIES);
    bool buy = chance_in(c, 50);

    if (written < 0)
        return false;
    thing += w->thing[written].type == 'P' ? STRIKES : STRIKES - 1; /* the lowest put, or the highest call */
    for (int i = 0; !buy && i <= CONTRACTS; i++) {
        thing = stock + (from + i) % (CONTRACTS + 1);
        if (a->holding[thing].shares[1] >= SCALE)
            break;
        buy = i == CONTRACTS;
    }
    if (buy && w->thing[thing].type != w->thing[written].type)
        return false;
    leg_at(o, thing, buy, buy ? 'O' : chance_in(c, 80) ? 'C' : 0, 1);
    if (o->leg[0].effect == 0 && !w->thing[thing].type)
        o->leg[0].effect = 'C';
    o->form = w->thing[thing].type ? OPTION : STOCK;
    o->route = o->form == STOCK ? "SMART" : "SMARTO";
    o->quantity = buy ? a->holding[written].shares[0] / SCALE : a->holding[thing].shares[1] / SCALE;
    if (chance_in(c, 30))
        o->quantity = 1 + chance_to(c, o->quantity);
    return true;
}

/* Make an order on a stock of which long calls are held: it writes as many calls, fewer or more than these cover, or
 * sells one of them. Returns false if no such call is found. */
static bool lean(const struct world *w, const struct account *a, struct order *o, struct chance *c)
{
    const int from = (int)chance_to(c, THINGS);

    for (int i = 0; i < THINGS; i++) {
        const int t = (from + i) % THINGS, stock = w->thing[t].stock;
        const bool sell = chance_in(c, 40);

        if (w->thing[t].type != 'C' || a->holding[t].shares[1] < SCALE)
            continue;
        leg_at(o, sell ? t : stock + 1 + (t - stock - 1) / CHAIN * CHAIN + (int)chance_to(c, STRIKES), false,
               chance_in(c, 20) ? 0
               : sell           ? 'C'
                                : 'O',
               1);
        o->form = OPTION;
        o->route = "SMARTO";
        o->quantity = a->holding[t].shares[1] / SCALE;
        if (chance_in(c, 40))
            o->quantity = 1 + chance_to(c, sell ? o->quantity : 3 * o->quantity);
        return true;
    }
    return false;
}

/* Make an order that writes a call, of any root, on a stock of which calls are written and shares are held. Returns
 * false if there is no such stock. */
static bool write_another(const struct world *w, const struct account *a, struct order *o, struct chance *c)
{
    const int written = written_thing(w, a, c), stock = written < 0 ? 0 : w->thing[written].stock;

    if (written < 0 || w->thing[written].type != 'C' || a->holding[stock].shares[1] < 100 * SCALE)
        return false;
    leg_at(o, stock + 1 + CHAIN * (int)chance_to(c, EXPIRIES) + (int)chance_to(c, STRIKES), false, 'O', 1);
    o->form = OPTION;
    o->route = "SMARTO";
    o->quantity = 1 + chance_to(c, a->holding[stock].shares[1] / (100 * SCALE));
    return true;
}

void world_order(struct world *w, struct order *o, int account, struct chance *c)
{
    const struct account *a = &w->account[account];
    int thing = (int)chance_to(c, THINGS), held;
    bool longs = false;
    int64_t size;

    memset(o, 0, sizeof *o);
    o->account = account;
    snprintf(o->id, sizeof o->id, "o-%d", ++w->ids);
    if (chance_in(c, 15) && change_cover(w, a, o, c)) {
        make_terms(w, o, c);
    } else if (chance_in(c, w->leans ? 60 : 8) && lean(w, a, o, c)) {
        make_terms(w, o, c);
    } else if (chance_in(c, 5) && write_another(w, a, o, c)) {
        make_terms(w, o, c);
    } else if (chance_in(c, 18)) {
        make_spread(w, o, w->thing[thing].stock, c);
    } else {
        held = chance_in(c, 30) ? held_thing(a, c, &longs) : -1;
        if (chance_in(c, 55) && !is_index(w->thing[thing].stock))
            thing = w->thing[thing].stock;
        if (is_index(thing))
            thing += 1 + (int)chance_to(c, CONTRACTS);
        leg_at(o, held >= 0 ? held : thing, held >= 0 ? !longs : chance_in(c, 60), held >= 0 ? 'C' : 'O', 1);
        thing = o->leg[0].thing;
        o->form = w->thing[thing].type ? OPTION : STOCK;
        o->route = o->form == STOCK ? "SMART" : "SMARTO";
        o->quantity = o->form == STOCK ? share_sizes[chance_to(c, sizeof share_sizes / sizeof *share_sizes)]
                                       : contract_sizes[chance_to(c, sizeof contract_sizes / sizeof *contract_sizes)];
        if (held >= 0) {
            size = a->holding[held].shares[longs] / SCALE;
            if (o->quantity > size || chance_in(c, 30))
                o->quantity = size;
        }
        if (o->form == OPTION && chance_in(c, 25))
            o->leg[0].effect = 0;
        make_terms(w, o, c);
    }
    o->leaves = o->quantity;
    world_price(w, o);
}

/* --- fills -------------------------------------------------------------------------------------------------------- */

static void fill_leg(struct account *a, const struct leg *l, int64_t shares, wide each, bool doubtful)
{
    struct holding *h = &a->holding[l->thing];
    int to = l->buy ? 1 : 0, from = 1 - to;
    int64_t closed = l->effect == 'O' ? 0 : h->shares[from] < shares ? h->shares[from] : shares;

    if (!h->shares[0] && !h->shares[1])
        h->unpriced = false;
    if (closed && h->shares[from]) {
        h->value[from] -= h->value[from] * closed / h->shares[from];
        h->shares[from] -= closed;
    }
    h->shares[to] += shares - closed;
    h->value[to] += each * (shares - closed) / SCALE;
    h->freed = h->freed || (closed && l->buy);
    h->murky = h->murky || l->effect != 'O'; /* the quantity of a closed position stays unknown until the gate is
                                              * told the positions */
    if (doubtful || l->effect == 0 ||
        (l->effect == 'C' && shares > closed)) { /* more than is held: the order may be refused */
        h->doubt[to] += shares - closed;
        h->doubt[from] += l->effect == 0 ? shares : 0;
        h->murky = true;
    }
}

/* Returns by how much a unit that writes puts must fill better than the quotes of its legs, so that the net price is
 * no worse than its limit; 0 at the market. Other spreads fill at the quotes of their legs. */
static wide beyond_quotes(const struct world *w, const struct order *o)
{
    wide brings = 0, least = pays(w, o, 0), most = least, at;
    bool sold = false;

    for (int i = 0; i < o->legs; i++) {
        const struct thing *t = &w->thing[o->leg[i].thing];
        const wide each = o->leg[i].each ? o->leg[i].each : (wide)t->last * SCALE * (t->type ? 100 : 1);

        at = pays(w, o, t->type ? t->strike : 1000000 * SCALE);
        least = at < least ? at : least;
        most = at > most ? at : most;
        sold = sold || (!o->leg[i].buy && t->type == 'P');
        brings += (o->leg[i].buy ? -1 : 1) * each * o->leg[i].ratio;
    }
    brings = (least < 0 && most <= 0 ? 1 : -1) * (wide)o->limit * 100 * SCALE - brings;
    return o->limit && sold && brings > 0 ? brings : 0;
}

void world_fill(struct world *w, struct order *o, int64_t quantity, struct chance *c)
{
    struct account *a = &w->account[o->account];
    wide more = o->form == SPREAD ? beyond_quotes(w, o) : 0, less;
    bool closes = closes_all(o), doubtful = !o->external && a->reads > o->reads;

    (void)c;
    a->bp -= least_taken(w, o) / o->leaves * quantity;
    if (o->ticket && !o->unbounded && buys_at_worth(o))
        a->spent += o->worth * quantity;
    for (int i = 0; i < o->legs; i++) {
        const struct thing *t = &w->thing[o->leg[i].thing];
        wide each = o->form == SPREAD ? o->leg[i].each : o->price;
        bool unknown = o->form == SPREAD ? each == 0 : o->unbounded;
        const int64_t size = quantity * o->leg[i].ratio * SCALE;

        /* a close of more than the position opens the excess */
        unknown = unknown && (!closes || size > a->holding[o->leg[i].thing].shares[!o->leg[i].buy]);
        a->holding[o->leg[i].thing].untold += unknown;
        if (each == 0)
            each = (wide)t->last * SCALE * (t->type ? 100 : 1);
        if (more && t->type == 'P' && o->leg[i].buy) { /* what the spread buys is cheaper */
            less = (more + o->leg[i].ratio - 1) / o->leg[i].ratio;
            less = less > each - SCALE ? each - SCALE : less;
            each -= less;
            more = more > less * o->leg[i].ratio ? more - less * o->leg[i].ratio : 0;
        }
        fill_leg(a, &o->leg[i], size, each, doubtful);
        if (o->form == OPTION && o->leg[i].buy)
            a->holding[o->leg[i].thing].bought += size;
    }
    if (o->form == SPREAD && !closes)
        a->holding[o->leg[0].thing].spread += (at_stake(w, o, false) - legs_worth(o, false)) * quantity;
    o->leaves -= quantity;
    if (o->leaves == 0)
        o->live = false;
}

void world_others(struct world *w, int account, struct chance *c)
{
    struct account *a = &w->account[account];

    for (int i = 0; i < a->orders; i++) {
        struct order *o = &a->order[i];

        if (!o->live || !o->external || o->where != IN_ORDERS || !chance_in(c, 12))
            continue;
        if (chance_in(c, 30))
            o->live = false;
        else
            world_fill(w, o, 1 + chance_to(c, o->leaves), c);
    }
}

static bool opens_all(const struct order *o)
{
    for (int i = 0; i < o->legs; i++)
        if (o->leg[i].effect != 'O')
            return false;
    return true;
}

/* Let an order end, and leave the list or stay in it: positions lack something if the list does not say that nothing
 * has filled. If nothing has filled lately, they may lack what had filled before. */
static void end_other(struct account *a, struct order *o, struct chance *c)
{
    const bool filled = o->leaves < o->quantity;

    o->live = false;
    if (chance_in(c, 40)) {
        a->lacks = true;
        return;
    }
    o->ended = o->leaves == 0 ? "Filled" : chance_in(c, 50) ? "Canceled" : "Expired";
    if (chance_in(c, 50))
        o->said = (enum said)chance_to(c, o->leaves == 0 || !filled ? WAYS_TO_SAY : ZERO_SAID);
    a->lacks = a->lacks || (o->said != SAID && o->said != ZERO_SAID);
    a->may_lack = a->may_lack || filled;
}

void world_others_unread(struct world *w, int account, struct chance *c)
{
    struct account *a = &w->account[account];
    int64_t was;

    for (int i = 0; i < a->orders; i++) {
        struct order *o = &a->order[i];

        o->ended = chance_in(c, 50) ? NULL : o->ended;
        if (o->live && o->in_facts && o->status && o->leaves == o->quantity &&
            strcmp(o->status, "PartiallyFilled") == 0)
            a->may_lack = true; /* the row says that nothing has filled, and that something has */
        /* what closes would take from positions that the gate still knows */
        if (!o->live || !o->external || !o->in_facts || !opens_all(o) || !chance_in(c, 40))
            continue;
        was = o->leaves;
        if (chance_in(c, 70)) {
            world_fill(w, o, 1 + chance_to(c, o->leaves), c);
            a->lacks = true;
        }
        if (!o->live || chance_in(c, 50))
            end_other(a, o, c);
        if (!o->live || o->leaves < was)
            o->changed = chance_in(c, 60) ? w->now : 0;
    }
}

/* --- making a world ----------------------------------------------------------------------------------------------- */

static void make_positions(struct world *w, struct account *a, struct chance *c)
{
    for (int n = (int)chance_to(c, 6); n > 0; n--) {
        int i = (int)chance_to(c, THINGS), side = chance_in(c, 65);
        const struct thing *t = &w->thing[i];
        struct holding *h = &a->holding[i];
        int64_t shares = SCALE * (t->type ? contract_sizes[chance_to(c, 10)] : share_sizes[chance_to(c, 11)]);

        if (h->shares[0] || h->shares[1] || is_index(i))
            continue;
        if (!t->type && chance_in(c, 10))
            shares += 5000; /* stock may be held in fractions */
        h->shares[side] = shares;
        h->value[side] = (wide)t->last * shares * (t->type ? 100 : 1);
        h->unpriced = chance_in(c, 3);
    }
}

static void put_position(const struct world *w, struct account *a, int thing, int side, int64_t contracts)
{
    struct holding *h = &a->holding[thing];

    h->shares[side] = contracts * SCALE;
    h->value[side] = (wide)w->thing[thing].last * contracts * SCALE * 100;
}

/* Hold written calls with cover near them, and perhaps some cover far away: calls, or shares. */
static void make_vertical(const struct world *w, struct account *a, struct chance *c)
{
    const int stock = (int)chance_to(c, INDEX) * (1 + CONTRACTS), low = (int)chance_to(c, 2);
    const int call = stock + 1 + CHAIN * (int)chance_to(c, EXPIRIES);
    const int64_t contracts = 1 + chance_to(c, 10);
    const bool by_shares = chance_in(c, 30), later = chance_in(c, 20);

    for (int t = stock; t < stock + 1 + CONTRACTS; t++)
        a->holding[t] = (struct holding){ .unpriced = false };
    put_position(w, a, call + low, 0, contracts);
    if (by_shares) {
        a->holding[stock].shares[1] = contracts * 100 * SCALE;
        a->holding[stock].value[1] = (wide)w->thing[stock].last * contracts * 100 * SCALE;
    } else {
        put_position(w, a, call + low + 1, 1, contracts);
    }
    if (chance_in(c, 70))
        put_position(w, a, (later ? stock + 1 + CHAIN * (EXPIRIES - 1) : call) + FAR, 1, contracts);
}

/* Hold long calls of several strikes, beside which calls may be written. */
static void make_longs(const struct world *w, struct account *a, struct chance *c)
{
    const int stock = (int)chance_to(c, INDEX) * (1 + CONTRACTS),
              call = stock + 1 + CHAIN * (int)chance_to(c, EXPIRIES);
    const int64_t contracts = 5 + chance_to(c, 50);

    for (int t = stock; t < stock + 1 + CONTRACTS; t++)
        a->holding[t] = (struct holding){ .unpriced = false };
    put_position(w, a, call, 1, contracts);
    if (chance_in(c, 80))
        put_position(w, a, call + (chance_in(c, 50) ? 2 : FAR), 1, contracts);
    if (chance_in(c, 30))
        put_position(w, a, call + 1, 0, 1 + chance_to(c, contracts));
}

/* Hold shares, and written calls that need all or most of them: of another root of the stock, or of two roots. */
static void make_shared(const struct world *w, struct account *a, struct chance *c)
{
    const int stock = (int)chance_to(c, INDEX) * (1 + CONTRACTS), last = stock + 1 + CHAIN * (EXPIRIES - 1);
    const int64_t other = 1 + chance_to(c, 3), own = chance_in(c, 50) ? chance_to(c, 3) : 0;
    const int64_t shares = 100 * (other + own + chance_to(c, 3)) * SCALE;

    for (int t = stock; t < stock + 1 + CONTRACTS; t++)
        a->holding[t] = (struct holding){ .unpriced = false };
    put_position(w, a, last + (int)chance_to(c, STRIKES), 0, other);
    if (own)
        put_position(w, a, stock + 1 + (int)chance_to(c, STRIKES), 0, own);
    a->holding[stock].shares[1] = shares;
    a->holding[stock].value[1] = (wide)w->thing[stock].last * shares;
}

static void make_working(struct world *w, int account, struct chance *c)
{
    static const char *const status[] = { "New",      "New",           "PartiallyFilled", "PendingNew",
                                          "Accepted", "PendingCancel", "Suspended" };
    struct account *a = &w->account[account];

    for (int n = (int)chance_to(c, 5); n > 0; n--) {
        struct order *o = &a->order[a->orders];

        world_order(w, o, account, c);
        if (o->form == SPREAD)
            o->blind = chance_in(c, 30);
        o->where = chance_in(c, 85) ? IN_ORDERS : (enum where)(1 + chance_to(c, 3));
        if (o->where == IN_FLIGHT_BODY)
            o->blind = false;
        o->external = o->live = o->sent = true;
        world_price_row(w, o);
        o->status = status[chance_to(c, 7)];
        if (o->where == IN_ORDERS && chance_in(c, 25) && o->quantity > 1)
            o->leaves = 1 + chance_to(c, o->quantity - 1);
        a->orders++;
    }
}

void world_make(struct world *w, uint64_t seed, struct chance *c)
{
    memset(w, 0, sizeof *w);
    w->seed = seed;
    w->now = world_start + chance_to(c, 3600) * OG_NS_PER_S;
    w->desk.quotes_age = w->desk.facts_age = 3600 * OG_NS_PER_S;
    make_things(w, c);
    w->accounts = chance_in(c, 25) ? 2 : 1;
    for (int i = 0; i < w->accounts; i++) {
        struct account *a = &w->account[i];

        snprintf(a->id, sizeof a->id, "LIVE%04d", i + 1);
        a->equity = 20000 + 10000 * chance_to(c, 50);
        a->bp = (wide)a->equity * (1 + chance_to(c, 3)) * SCALE * SCALE;
        a->day_pnl = chance_in(c, 80) ? 0 : -chance_to(c, 8000) * SCALE;
        a->level = chance_in(c, 90) ? 4 : (int)chance_to(c, 4);
        a->halted = chance_in(c, 2);
        a->sent_today = chance_in(c, 80) ? 0 : chance_to(c, 30);
        a->positions_at = a->orders_at = a->account_at = OG_TIME_UNKNOWN;
        make_positions(w, a, c);
        w->leans = chance_in(c, 10);
        if (w->leans) {
            a->bp *= 100;
            a->level = 4;
            make_longs(w, a, c);
        } else if (chance_in(c, 25)) {
            make_vertical(w, a, c);
        } else if (chance_in(c, 15)) {
            make_longs(w, a, c);
        } else if (chance_in(c, 20)) {
            make_shared(w, a, c);
        }
        if (chance_in(c, 60))
            make_working(w, i, c);
    }
    (w->leans ? desk_make_of_dollars : desk_make)(&w->desk, c);
}
