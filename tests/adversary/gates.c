/*
 * Orders and baskets of several strategies through two gates that share one record of what was sent, as two senders of
 * one ledger do. The adversary fills, rejects and cancels what was accepted, kills a gate and begins it anew, moves the
 * market and the day, and likes the instants at which a window ends. What each gate decides is compared with
 * gates_model.c.
 *
 * gates [--count N] [--seed S] [--world W]
 *
 * runs worlds from seed S until N orders were accepted; --world W runs only that world and prints every step.
 */
#include "gates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ordergate/halt.h"

enum { STEPS = 90, BASKET_MOST = 6, CLASSES = 200 };

#define MS       (OG_NS_PER_S / 1000)
#define MIDNIGHT INT64_C(1768453200000000000) /* Thursday, 2026-01-15, in New York */

static const char *const tag_name[TAGS] = { "mm", "alpha", "beta" };
static const char *const roots[STOCKS] = { "AAPL", "F", "GME" };

static struct world w;
static struct og_book *book[GATES];
static struct og_scratch *scratch[BASKET_MOST];
static struct og_order *order[BASKET_MOST];
static struct text json;
static bool tells;
static long accepted, refused, baskets, begun_anew;
static int64_t resumed_at; /* number of orders when the latch of rejections was resumed last */

static bool broken; /* an error was found in this world; later ones may only follow from it */

static struct class
{
    char name[80];
    long count;
    uint64_t seed;
} classes[CLASSES];
static int class_count;

static void must(enum og_status s, const struct og_error *err)
{
    if (s == OG_OK)
        return;
    fprintf(stderr, "gates: world %llu: %s: %s\n%s\n", (unsigned long long)w.seed, og_status_text(s),
            err ? err->text : "", json.s);
    exit(2);
}

static void hole(const char *what, const char *of)
{
    char name[80];
    int i = 0;

    snprintf(name, sizeof name, "%s %s", what, of);
    broken = true;
    if (tells)
        printf("  HOLE %s\n", name);
    while (i < class_count && strcmp(classes[i].name, name) != 0)
        i++;
    if (i == CLASSES)
        return;
    if (i == class_count) {
        memcpy(classes[i].name, name, sizeof name);
        classes[i].seed = w.seed;
        class_count++;
    }
    classes[i].count++;
}

/* --- the desk ----------------------------------------------------------------------------------------------------- */

static int64_t maybe(struct chance *c, int percent, int64_t least, int64_t most)
{
    return chance_in(c, percent) ? least + chance_to(c, most - least + 1) : -1;
}

static void make_desk(struct desk *d, struct chance *c)
{
    static const int64_t least[UNITS] = { 3000, 100, 5 }, most[UNITS] = { 60000, 3000, 60 };

    memset(d, 0, sizeof *d);
    for (int i = 0; i < RULES; i++)
        d->on[i] = chance_in(c, i == OPEN_ORDERS ? 100 : 25); /* one rule at least must be on */
    for (int i = 0; i < TAGS; i++) {
        d->a_minute[i] = maybe(c, 70, 1, 8);
        d->a_day[i] = maybe(c, 50, 1, chance_in(c, 50) ? 4 : 25);
    }
    d->untagged = chance_in(c, 70);
    d->repeat_window = (1 + chance_to(c, 20)) * OG_NS_PER_S;
    d->repeat_most = 1 + chance_to(c, 3);
    d->same = (enum same)chance_to(c, 3);
    d->window = (2 + chance_to(c, 60)) * OG_NS_PER_S;
    for (int i = 0; i < 4 * UNITS; i++)
        d->traded[i / UNITS / 2][i / UNITS % 2][i % UNITS] = maybe(c, 20, least[i % UNITS], most[i % UNITS]);
    d->traded[0][1][SHARES] = d->traded[0][1][SHARES] < 0 ? 250 : d->traded[0][1][SHARES]; /* if the rule is on, it must
                                                                                            * have at least one limit */
    d->drawdown = maybe(c, 50, 0, 1000);
    d->loss = maybe(c, d->drawdown < 0 ? 100 : 50, 0, 1000);
    d->loss_latch = (enum latch)chance_to(c, 3);
    d->streak = chance_to(c, 4);
    d->streak_latch = (enum latch)chance_to(c, 3);
    d->with_last = chance_in(c, 50);
    d->away = 100 + chance_to(c, 300);
    d->cheap_below = chance_in(c, 50) ? 0 : w.thing[chance_to(c, THINGS)].ask;
    d->cheap_away = chance_in(c, 50) ? 0 : 100 + chance_to(c, 600);
    d->before_open = chance_in(c, 50) ? 0 : 100 + chance_to(c, 600);
    d->after_close = chance_in(c, 50) ? 0 : 100 + chance_to(c, 600);
    for (int i = 0; i < POSITIONS; i++)
        d->group[i] = maybe(c, 30, 3000, 60000);
    d->group[POSITIONS] = maybe(c, 30, 0, 1);
    d->group[ORDERS] = maybe(c, 30, 1, 6);
    d->group[GROSS] = d->group[ORDERS] < 0 ? 50000 : d->group[GROSS];
    d->working = 2 + chance_to(c, 30);
}

static void put_money(struct text *yaml, const char *key, int64_t cents)
{
    text_put(yaml, ", %s: %lld.%02lld", key, (long long)cents / 100, (long long)cents % 100);
}

static void put_number(struct text *yaml, const char *key, int64_t value)
{
    if (value >= 0)
        text_put(yaml, ", %s: %lld", key, (long long)value);
}

static void put_tags(const struct desk *d, struct text *yaml)
{
    text_put(yaml, "  tag-limits:\n    level: refuse\n%s    overrides:\n", d->untagged ? "    a_day: 1000\n" : "");
    for (int i = 0; i < TAGS; i++) {
        text_put(yaml, "      - {match: {tag: %s}", tag_name[i]);
        put_number(yaml, "a_minute", d->a_minute[i] < 0 ? 8192 : d->a_minute[i]);
        put_number(yaml, "a_day", d->a_day[i]);
        text_put(yaml, "}\n");
    }
}

static void put_traded(const struct desk *d, struct text *yaml)
{
    static const char *const unit[UNITS] = { "notional", "shares", "contracts" };

    text_put(yaml, "  traded-limit: {level: refuse, window: %llds", (long long)(d->window / OG_NS_PER_S));
    for (int i = 0; i < 4 * UNITS; i++) {
        char key[60];

        snprintf(key, sizeof key, "%s%s%s", i / UNITS / 2 ? "underlying_" : "", i / UNITS % 2 ? "window_" : "",
                 unit[i % UNITS]);
        put_number(yaml, key, d->traded[i / UNITS / 2][i / UNITS % 2][i % UNITS]);
    }
    text_put(yaml, "}\n");
}

static void put_group(const struct desk *d, struct text *yaml)
{
    static const char *const measure[MEASURES] = { "gross", "net", "long", "short", "positions", "orders" };
    const char *comma = "";

    text_put(yaml, "  group-limit: {level: refuse, limits: [");
    for (int i = 0; i < MEASURES; i++)
        if (d->group[i] >= 0) {
            text_put(yaml, "%spair %s %lld", comma, measure[i], (long long)d->group[i]);
            comma = ", ";
        }
    text_put(yaml, "]}\n");
}

static void put_desk(const struct desk *d, struct text *yaml)
{
    static const char *const latch[] = { "off", "day", "until-resumed" };
    static const char *const same[] = { "terms", "direction", "symbol" };

    text_put(yaml, "ordergate: 1\nname: gates\nextends: []\nunsure: refuse\nlists: {pair: [%s, %s]}\nrules:\n",
             roots[0], roots[2]);
    if (d->on[TAG_LIMITS])
        put_tags(d, yaml);
    if (d->on[REPEATED_ORDER])
        text_put(yaml, "  repeated-order: {level: refuse, window: %llds, most: %lld, by: %s}\n",
                 (long long)(d->repeat_window / OG_NS_PER_S), (long long)d->repeat_most, same[d->same]);
    if (d->on[TRADED_LIMIT])
        put_traded(d, yaml);
    if (d->on[DAY_LOSS]) {
        text_put(yaml, "  day-loss: {level: refuse, latch: %s", latch[d->loss_latch]);
        put_number(yaml, "most", d->loss);
        put_number(yaml, "drawdown", d->drawdown);
        text_put(yaml, "}\n");
    }
    if (d->on[REJECTION_STREAK])
        text_put(yaml, "  rejection-streak: {level: refuse, most: %lld, latch: %s}\n", (long long)d->streak,
                 latch[d->streak_latch]);
    if (d->on[SYMBOL_STATUS])
        text_put(yaml, "  symbol-status: {level: refuse, status: optional}\n");
    if (d->on[PRICE_COLLAR]) {
        text_put(yaml,
                 "  price-collar: {level: refuse, reasons: {limit-away-from-quote: refuse}, against: %s, "
                 "away: %lld.%02lld%%",
                 d->with_last ? "quote-and-last" : "quote", (long long)d->away / 100, (long long)d->away % 100);
        put_money(yaml, "cheap_below", d->cheap_below);
        put_money(yaml, "cheap_away", d->cheap_away);
        text_put(yaml, "%%");
        put_money(yaml, "pre_market_away", d->before_open);
        text_put(yaml, "%%");
        put_money(yaml, "after_hours_away", d->after_close);
        text_put(yaml, "%%}\n");
    }
    text_put(yaml, "%s%s", d->on[SELF_CROSS] ? "  self-cross: refuse\n" : "",
             d->on[SETTLED_CASH] ? "  settled-cash: refuse\n" : "");
    if (d->on[GROUP_LIMIT])
        put_group(d, yaml);
    if (d->on[OPEN_ORDERS])
        text_put(yaml, "  open-orders: {level: refuse, in_total: %lld, of_symbol: 1000}\n", (long long)d->working);
}

/* --- the market --------------------------------------------------------------------------------------------------- */

static void make_things(struct chance *c)
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

static void put_price(const char *key, int64_t cents)
{
    text_put(&json, ",\"%s\":%lld.%02lld", key, (long long)cents / 100, (long long)cents % 100);
}

/* Give a gate a quote; for a stock also what its exchange says of it. */
static void tell_quote(int gate, int thing)
{
    const struct thing *t = &w.thing[thing];
    struct og_error err = { 0 };

    json.len = 0;
    text_put(&json, "{\"symbol\":\"%s\"", t->symbol);
    put_price("bid", t->bid);
    put_price("ask", t->ask);
    put_price("last", t->last);
    if (!is_contract(thing)) {
        text_put(&json, ",\"status\":{\"halted\":%s,\"paused\":%s,\"shortSaleRestricted\":%s",
                 t->halted ? "true" : "false", t->paused ? "true" : "false", t->restricted ? "true" : "false");
        put_price("limitDown", t->down);
        put_price("limitUp", t->up);
        text_put(&json, "}");
    }
    text_put(&json, ",\"asOf\":\"%s\"}", og_time_text(w.now).s);
    if (tells && gate == 0)
        printf("  quote %s\n", json.s);
    must(og_book_quote(book[gate], json.s, json.len, &err), &err);
}

static void step_quote(struct chance *c)
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

/* --- orders ------------------------------------------------------------------------------------------------------- */

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
    return o->limit > 0;
}

/* Make a random order. Some repeat an earlier one, as it was or with another price. */
static void make_order(struct order *o, struct chance *c)
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
        o->quantity = again->quantity;
        o->tag = chance_in(c, 60) ? again->tag : (int)chance_to(c, TAGS);
    } else {
        o->tag = chance_in(c, 97) ? (int)chance_to(c, TAGS) : TAGS;
        if (chance_in(c, 12) && make_order_at_bound(o, c)) {
            o->type = LIMIT;
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
            o->limit = o->type == LIMIT && o->limit < 1 ? 1 : o->limit;
            if (!o->leg[0].buy && t->closable > 0 && chance_in(c, 40)) {
                o->closes = true;
                o->quantity = o->quantity > t->closable ? t->closable : o->quantity;
            }
        }
    }
    snprintf(o->id, sizeof o->id, "o%d-%d", w.orders, (int)chance_to(c, 1000));
    o->at = w.now;
}

static void put_legs(const struct order *o, bool row)
{
    text_put(&json, ",\"legs\":[");
    for (int i = 0; i < o->legs; i++) {
        text_put(&json, "%s{\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"Open\"", i ? "," : "",
                 w.thing[o->leg[i].thing].symbol, o->leg[i].buy ? "Buy" : "Sell");
        if (row)
            text_put(&json, ",\"index\":%d,\"qty\":%lld,\"lvsQty\":%lld}", i,
                     (long long)(o->quantity * o->leg[i].ratio), (long long)(leaves(o) * o->leg[i].ratio));
        else
            text_put(&json, ",\"ratio\":%d}", o->leg[i].ratio);
    }
    text_put(&json, "]");
}

static void put_order(const struct order *o)
{
    const struct thing *t = &w.thing[o->leg[0].thing];

    text_put(&json,
             "{\"securityType\":\"%s\",\"symbol\":\"%s\",\"orderType\":\"%s\",\"orderQuantity\":%lld,\"timeInForce\":"
             "\"Day\",\"clientOrderId\":\"%s\",\"accountId\":\"L1\"",
             o->spread                      ? "Mleg"
             : is_contract(o->leg[0].thing) ? "Option"
                                            : "Stock",
             o->spread ? roots[t->stock] : t->symbol, o->type == LIMIT ? "Limit" : "Market", (long long)o->quantity,
             o->id);
    if (o->type == LIMIT)
        put_price("limitPrice", o->limit);
    if (o->spread)
        put_legs(o, false);
    else
        text_put(&json, ",\"side\":\"%s\",\"openClose\":\"%s\"", o->leg[0].buy ? "Buy" : "Sell",
                 o->closes ? "Close" : "Open");
    if (o->tag < TAGS)
        text_put(&json, ",\"tag\":\"%s\"", tag_name[o->tag]);
    text_put(&json, "}");
}

static void read_order(const struct order *o, int at)
{
    json.len = 0;
    put_order(o);
    must(og_order_read(order[at], json.s, json.len), NULL);
}

/* --- facts -------------------------------------------------------------------------------------------------------- */

static void put_positions(void)
{
    const char *comma = "";

    text_put(&json, ",\"positions\":[");
    for (int i = 0; i < THINGS; i++)
        for (int side = 0; side < 2; side++) {
            const struct thing *t = &w.thing[i];
            const int64_t size = side ? t->held : t->written, cost = side ? t->cost : t->written_cost;

            if (size == 0)
                continue;
            text_put(&json, "%s{\"symbol\":\"%s\",\"securityType\":\"%s\",\"side\":\"%s\",\"shares\":%lld", comma,
                     roots[t->stock], is_contract(i) ? "Option" : "Stock", side ? "Long" : "Short", (long long)size);
            if (is_contract(i))
                text_put(&json, ",\"tradedSymbol\":\"%s\"", t->symbol);
            put_price("priceAvg", cost);
            text_put(&json, "}");
            comma = ",";
        }
    text_put(&json, "]");
}

static void put_row(const struct order *o)
{
    const struct thing *t = &w.thing[o->leg[0].thing];
    const bool contract = is_contract(o->leg[0].thing);

    text_put(&json,
             "{\"accountId\":\"L1\",\"clientOrderId\":\"%s\",\"orderStatus\":\"%s\",\"orderQuantity\":%lld,"
             "\"executed\":%lld,\"leavesQuantity\":%lld,\"orderType\":\"%s\",\"timeInForce\":\"Day\",\"symbol\":\"%s\"",
             o->id, o->fills ? "PartiallyFilled" : "New", (long long)o->quantity, (long long)filled(o),
             (long long)leaves(o), o->type == LIMIT ? "Limit" : "Market", roots[t->stock]);
    put_price("limitPrice", o->limit);
    put_price("priceAvg", o->fills ? o->price : 0);
    if (o->fills)
        text_put(&json, ",\"lastUpdated\":\"%s\"", og_time_text(o->fill[o->fills - 1].at).s);
    if (o->spread) {
        text_put(&json, ",\"securityType\":\"MLEG\",\"side\":\"Unknown\",\"tradedSymbol\":\"%s\"", roots[t->stock]);
        put_legs(o, true);
    } else {
        text_put(&json,
                 ",\"securityType\":\"%s\",\"side\":\"%s\",\"tradedSymbol\":\"%s\",\"legs\":null,"
                 "\"openClose\":\"%s\"",
                 contract ? "Option" : "Stock",
                 o->leg[0].buy           ? "Buy"
                 : contract || o->closes ? "Sell"
                                         : "SellShort",
                 t->symbol, o->closes ? "Close" : "Open");
    }
    text_put(&json, "}");
}

static void apply_facts(int gate)
{
    struct og_error err = { 0 };
    const char *comma = "";

    json.len = 0;
    text_put(&json, "{\"asOf\":\"%s\",\"accountId\":\"L1\"", og_time_text(w.now).s);
    put_positions();
    text_put(&json, ",\"orders\":[");
    for (int i = 0; i < w.orders; i++)
        if (w.order[i].live) {
            text_put(&json, "%s", comma);
            put_row(&w.order[i]);
            comma = ",";
        }
    text_put(&json, "],\"account\":{\"account\":\"L1\",\"equity\":1000000%s", "");
    put_price("availableCash", w.cash < 0 ? 0 : w.cash);
    text_put(&json, "}}");
    if (tells)
        printf("  facts of gate %d %s\n", gate, json.s);
    must(og_book_apply(book[gate], "L1", json.s, json.len, "facts", &err), &err);
}

static void apply_pnl(int gate)
{
    struct og_error err = { 0 };

    json.len = 0;
    text_put(&json, "{\"asOf\":\"%s\",\"accountId\":\"L1\",\"pnl\":{\"dayPnl\":%lld}}", og_time_text(w.now).s,
             (long long)w.pnl);
    if (tells && gate == 0)
        printf("  pnl %s\n", json.s);
    must(og_book_apply(book[gate], "L1", json.s, json.len, "pnl", &err), &err);
}

/* Give both gates documents that show everything that has happened. */
static void step_facts(void)
{
    for (int g = 0; g < GATES; g++)
        apply_facts(g);
    for (int t = 0; t < THINGS; t++) {
        w.thing[t].closable = w.thing[t].held;
        for (int i = 0; i < w.orders; i++)
            if (w.order[i].live && w.order[i].closes && w.order[i].leg[0].thing == t)
                w.thing[t].closable -= leaves(&w.order[i]);
    }
}

static void trip_loss(void)
{
    if (w.desk.loss >= 0 && -w.pnl > w.desk.loss) {
        w.loss_latch.tripped = true;
        w.loss_latch.day = w.pnl_day;
    }
    if (w.desk.drawdown >= 0 && w.peak - w.pnl > w.desk.drawdown) {
        w.drawdown_latch.tripped = true;
        w.drawdown_latch.day = w.pnl_day;
    }
}

/* Draw the day's P&L, and give it to the gates. A latch stays tripped by the figure of a day, and may trip again on a
 * later one. */
static void step_pnl(struct chance *c)
{
    const int64_t session = session_of(w.now);
    const struct desk *d = &w.desk;

    if (w.pnl_day != session)
        w.peak = 0;
    w.pnl_day = session;
    w.pnl = chance_to(c, 2000) - 1000;
    if (chance_in(c, 30)) /* at the limit, or beyond it by a dollar */
        w.pnl = (d->drawdown >= 0 && chance_in(c, 50) ? w.peak - d->drawdown : -d->loss) - chance_to(c, 2);
    w.peak = w.pnl > w.peak ? w.pnl : w.peak;
    for (int g = 0; g < GATES; g++)
        apply_pnl(g);
    trip_loss();
}

/* --- decisions ---------------------------------------------------------------------------------------------------- */

static const struct og_finding *refuses(const struct og_decision *d, enum rule r)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].level == OG_LEVEL_REFUSE && strcmp(d->findings[i].rule, rule_name[r]) == 0)
            return &d->findings[i];
    return NULL;
}

/* Compare the decision with the verdict of each rule. Clears *fits if some rule may refuse the order, and sets *breaks
 * if some rule must. */
static void compare(const struct order *o, const struct og_decision *d, bool *fits, bool *breaks)
{
    bool known = d->accepted;

    for (int r = 0; r < RULES; r++) {
        const enum verdict v = judge(&w, o, (enum rule)r);
        const struct og_finding *f = refuses(d, (enum rule)r);

        known = known || f;
        *fits = *fits && v == SAFE;
        *breaks = *breaks || v == EXCEEDS;
        if (f && tells)
            printf("    %s: %s\n", f->reason, f->message);
        if (v == EXCEEDS && !f) /* a rule that must refuse does so even if others refuse too */
            hole("passes", rule_name[r]);
        else if (v == SAFE && f)
            hole("refuses what fits", rule_name[r]);
    }
    for (int i = 0; i < d->count; i++)
        known = known || strcmp(d->findings[i].reason, "basket-refused") == 0;
    if (!known) {
        for (int i = 0; i < d->count && tells; i++)
            printf("    %s: %s\n", d->findings[i].reason, d->findings[i].message);
        hole("refuses", d->count ? d->findings[0].reason : "without a word");
    }
}

/* Take an order of the other gate over from the shared record. */
static void take_in(struct order *o, int gate)
{
    read_order(o, 0);
    must(og_order_set_tag(order[0], o->tag < TAGS ? tag_name[o->tag] : ""), NULL);
    must(og_reserve_sent(book[gate], order[0], o->at, scratch[0], &o->ticket[gate]), NULL);
}

static void trip_streak(void)
{
    if (w.streak > w.desk.streak) {
        w.streak_latch.tripped = true;
        w.streak_latch.day = session_of(w.now);
    }
}

/* Let the broker accept or reject an order that a gate accepted. */
static void send(struct order *o, int gate, struct chance *c)
{
    const bool rejects = chance_in(c, w.desk.on[REJECTION_STREAK] ? 40 : 10);

    take_in(o, !gate);
    for (int g = 0; g < GATES; g++)
        if (rejects)
            og_ticket_rejected(book[g], o->ticket[g]);
        else
            og_ticket_sent(book[g], o->ticket[g], w.now);
    o->live = !rejects;
    o->rejected = rejects;
    if (w.streak > w.desk.streak)
        w.streak_day = session_of(w.now);
    w.streak = rejects ? w.streak + 1 : 0;
    trip_streak();
    if (rejects && o->closes)
        w.thing[o->leg[0].thing].closable += o->quantity;
    if (tells)
        printf("  %s %s\n", o->id, rejects ? "rejected" : "sent");
}

static void tell_order(const struct order *o, bool is_accepted)
{
    printf("  %s %s %s\n", o->id, is_accepted ? "accepted" : "refused", json.s);
}

static void decide_one(int gate, struct chance *c)
{
    struct order *o = &w.order[w.orders];
    struct og_decision d;
    bool fits = true, breaks = false;

    make_order(o, c);
    read_order(o, 0);
    must(og_reserve(book[gate], order[0], w.now, scratch[0], &d, &o->ticket[gate]), NULL);
    if (tells)
        tell_order(o, d.accepted);
    compare(o, &d, &fits, &breaks);
    accepted += d.accepted;
    refused += !d.accepted;
    if (!d.accepted)
        return;
    if (o->closes)
        w.thing[o->leg[0].thing].closable -= o->quantity;
    w.orders++;
    send(o, gate, c);
}

/* Decide a basket: all of its orders are accepted or none, each judged beside those before it. */
static void decide_basket(int gate, struct chance *c)
{
    const int first = w.orders, count = 1 + (int)chance_to(c, BASKET_MOST);
    struct og_decision d[BASKET_MOST], asked[BASKET_MOST];
    og_ticket ticket[BASKET_MOST];
    int64_t closable[THINGS];
    bool fits = true, breaks = false;

    for (int t = 0; t < THINGS; t++)
        closable[t] = w.thing[t].closable;
    for (int i = 0; i < count; i++) { /* while the next order is made, those before it count as orders of the world */
        struct order *o = &w.order[w.orders];

        make_order(o, c);
        if (o->closes)
            w.thing[o->leg[0].thing].closable -= o->quantity;
        o->live = true;
        w.orders++;
        read_order(o, i);
        if (tells)
            printf("  in a basket of %d: %s\n", count, json.s);
    }
    must(og_check_basket(book[gate], order, (size_t)count, w.now, scratch, asked), NULL);
    for (int i = 0; i < count; i++)
        fits = fits && asked[i].accepted;
    must(og_reserve_basket(book[gate], order, (size_t)count, w.now, scratch, d, ticket), NULL);
    baskets++;
    if (fits != d[0].accepted)
        hole("basket", "is decided otherwise than it is checked");
    fits = true;
    w.orders = first;
    for (int i = 0; i < count; i++) {
        if (d[i].accepted != d[0].accepted || (ticket[i] != 0) != d[i].accepted)
            hole("basket", "is not all or none");
        /* after a refused order, each is decided beside those that would be accepted; the model knows which these are
         * only while none was refused */
        if (!breaks && (fits || d[0].accepted)) {
            w.order[first + i].live = false;
            compare(&w.order[first + i], &d[i], &fits, &breaks);
            w.order[first + i].live = true;
        }
        w.orders++;
    }
    if (tells)
        printf("  basket %s\n", d[0].accepted ? "accepted" : "refused");
    if (d[0].accepted && breaks)
        hole("basket", "breaks a limit");
    if (!d[0].accepted && fits)
        hole("basket", "fits and is refused");
    if (!d[0].accepted) {
        refused += count;
        w.orders = first;
        for (int t = 0; t < THINGS; t++)
            w.thing[t].closable = closable[t];
        return;
    }
    accepted += count;
    for (int i = 0; i < count; i++) {
        w.order[first + i].ticket[gate] = ticket[i];
        send(&w.order[first + i], gate, c);
    }
}

/* --- what becomes of orders --------------------------------------------------------------------------------------- */

static void add_position(const struct order *o, int leg, int64_t quantity)
{
    struct thing *t = &w.thing[o->leg[leg].thing];
    const int64_t price = o->spread ? t->last : o->price, size = quantity * o->leg[leg].ratio;

    if (o->closes) {
        t->held -= size;
    } else if (o->leg[leg].buy) {
        t->cost = (t->cost * t->held + price * size) / (t->held + size);
        t->held += size;
    } else {
        t->written_cost = (t->written_cost * t->written + price * size) / (t->written + size);
        t->written += size;
    }
}

static void step_fill(struct order *o, struct chance *c)
{
    const struct thing *t = &w.thing[o->leg[0].thing];
    const bool whole = o->fills == FILLS_MOST - 1 || chance_in(c, 40);
    const int64_t quantity = whole ? leaves(o) : 1 + chance_to(c, leaves(o));

    if (o->fills == 0) {
        o->price = o->type == MARKET ? (o->leg[0].buy ? t->ask : t->bid) : o->limit;
        if (o->type == LIMIT && !o->spread && chance_in(c, 50)) /* at the quote, if that is better than the limit */
            o->price = o->leg[0].buy ? (t->ask < o->limit ? t->ask : o->limit) : t->bid > o->limit ? t->bid : o->limit;
    }
    o->fill[o->fills++] = (struct fill){ quantity, w.now };
    for (int i = 0; i < o->legs; i++)
        add_position(o, i, quantity);
    if (!o->spread && o->leg[0].buy)
        w.cash -= quantity * o->price * (is_contract(o->leg[0].thing) ? 100 : 1);
    for (int g = 0; g < GATES; g++)
        must(og_ticket_fill(book[g], o->ticket[g], leaves(o) ? filled(o) : OG_FILL_WHOLE,
                            (struct og_money){ o->price, 2 }, w.now),
             NULL);
    o->live = leaves(o) > 0;
    if (tells)
        printf("  %s filled to %lld at %lld\n", o->id, (long long)filled(o), (long long)o->price);
}

static void step_outcome(struct chance *c)
{
    const int from = w.orders ? (int)chance_to(c, w.orders) : 0;

    for (int i = 0; i < w.orders; i++) {
        struct order *o = &w.order[(from + i) % w.orders];

        if (!o->live)
            continue;
        if (chance_in(c, 65)) {
            step_fill(o, c);
        } else {
            for (int g = 0; g < GATES; g++)
                og_ticket_release(book[g], o->ticket[g]);
            o->live = false;
            if (o->closes)
                w.thing[o->leg[0].thing].closable += leaves(o);
            if (tells)
                printf("  %s canceled\n", o->id);
        }
        return;
    }
}

static void step_resume(struct chance *c)
{
    static const char *const names[] = { "loss", "drawdown", "consecutive-rejections" };
    const int which = (int)chance_to(c, 3);

    for (int g = 0; g < GATES; g++) {
        const enum og_status s = og_book_resume_latch(book[g], "L1", names[which]);

        if (s != OG_ENOENT)
            must(s, NULL);
    }
    if (which == 0)
        w.loss_latch.tripped = false;
    if (which == 1)
        w.drawdown_latch.tripped = false;
    if (which == 2) {
        w.streak_latch.tripped = false;
        w.streak = 0;
        w.streak_day = 0;
        resumed_at = w.orders;
    }
    if (w.pnl_day == session_of(w.now))
        trip_loss(); /* the latch trips again if the figure is still beyond the limit */
    else if (which < 2)
        w.resumed_late = true;
    if (tells)
        printf("  resumed %s\n", names[which]);
}

/* --- gates -------------------------------------------------------------------------------------------------------- */

static void on_fault(void *with, const struct og_diagnostic *f)
{
    (void)with;
    fprintf(stderr, "policy %d:%d: %s\n", f->line, f->col, f->text);
}

static void open_gate(int gate)
{
    struct text yaml = { NULL, 0, 0 };
    struct og_error err = { 0 };
    struct og_policy *policy;

    put_desk(&w.desk, &yaml);
    if (tells && w.orders == 0 && gate == 0)
        printf("world %llu\n%s\n", (unsigned long long)w.seed, yaml.s);
    must(og_policy_read(yaml.s, yaml.len, "gates", &policy, on_fault, NULL, &err), &err);
    must(og_book_new(policy, &book[gate]), NULL);
    must(og_book_settle_lag(book[gate], 0), NULL);
    must(og_book_list_lag(book[gate], OG_LIST_LAG_FOREVER), NULL);
    must(og_book_halt_source(book[gate], "", &err), &err);
    must(og_book_default_account(book[gate], "L1"), NULL);
    free(yaml.s);
}

/* Kill a gate. The next run reads the account, the record of what was sent, and the latches in it. */
static void step_kill(struct chance *c)
{
    const int gate = (int)chance_to(c, GATES);
    struct og_latch latch[4];
    const struct og_pnl_peak peak = { w.pnl_day == day_of(MIDNIGHT) ? 20260115 : 20260116, og_money_from(w.peak) };
    bool tripped[4] = { false };

    if (tells)
        printf("  gate %d begins anew\n", gate);
    for (size_t i = 0; og_latch_name(i) && i < 4; i++)
        tripped[i] = og_book_latch(book[gate], "L1", og_latch_name(i), w.now, &latch[i]) == OG_OK;
    og_book_free(book[gate]);
    open_gate(gate);
    for (int i = 0; i < THINGS; i++)
        tell_quote(gate, i);
    step_facts();
    if (w.pnl_day == session_of(w.now)) {
        must(og_book_raise_pnl_peak(book[gate], "L1", &peak), NULL);
        apply_pnl(gate);
    }
    for (size_t i = 0; og_latch_name(i) && i < 4; i++)
        if (tripped[i])
            must(og_book_set_latch(book[gate], "L1", &latch[i]), NULL);
    for (int i = 0; i < w.orders; i++) {
        struct order *o = &w.order[i];
        const bool forgiven = o->rejected && i < resumed_at;

        o->ticket[gate] = 0;
        if (o->live) {
            take_in(o, gate);
            og_ticket_sent(book[gate], o->ticket[gate], o->at);
            if (o->fills)
                must(og_ticket_fill(book[gate], o->ticket[gate], filled(o), (struct og_money){ o->price, 2 },
                                    o->fill[o->fills - 1].at),
                     NULL);
        } else {
            read_order(o, 0);
            must(og_order_set_tag(order[0], o->tag < TAGS ? tag_name[o->tag] : ""), NULL);
            must(og_book_count_sent(book[gate], order[0], o->at,
                                    forgiven      ? OG_SENT_OPEN
                                    : o->rejected ? OG_SENT_REJECTED
                                                  : OG_SENT_TAKEN,
                                    scratch[0]),
                 NULL);
            if (o->fills)
                must(og_book_count_traded(book[gate], order[0], filled(o), (struct og_money){ o->price, 2 },
                                          o->fill[o->fills - 1].at, scratch[0]),
                     NULL);
        }
        if (o->fills)
            o->lumped = o->fill[o->fills - 1].at;
    }
    begun_anew++;
}

/* --- worlds ------------------------------------------------------------------------------------------------------- */

static int64_t sooner(int64_t at, int64_t next)
{
    return at > w.now + 1 && at < next ? at : next;
}

/* Returns the next instant at which a day begins, or a session begins or ends. */
static int64_t next_bound(void)
{
    static const int64_t seconds[] = { 0, 4 * 3600, 9 * 3600 + 1800, 16 * 3600 };
    const int64_t day = (int64_t)86400 * OG_NS_PER_S;
    int64_t next = INT64_MAX;

    for (int i = 0; i < 8; i++) {
        const int64_t at = MIDNIGHT + (day_of(w.now) - day_of(MIDNIGHT) + i / 4) * day + seconds[i % 4] * OG_NS_PER_S;

        next = sooner(at, next);
    }
    return next < MIDNIGHT + 2 * day ? next : INT64_MAX; /* Saturday has no session */
}

/* Returns the next instant at which an order, or a fill, is older than a window of this length. */
static int64_t next_end(int64_t span, bool of_fills)
{
    int64_t next = INT64_MAX;

    for (int i = 0; i < w.orders; i++) {
        const struct order *o = &w.order[i];

        if (!of_fills)
            next = sooner(o->at + span, next);
        for (int k = 0; of_fills && k < o->fills; k++)
            next = sooner(o->fill[k].at + span, next);
    }
    return next;
}

/* Let time pass until an instant, or a nanosecond less. Returns false if there is no such instant. */
static bool pass_to_bound(struct chance *c)
{
    const int64_t spans[] = { 60 * OG_NS_PER_S, w.desk.repeat_window, w.desk.window };
    const int rule = (int)chance_to(c, 3); /* one of TAG_LIMITS, REPEATED_ORDER, TRADED_LIMIT */
    const int64_t to = chance_in(c, 10)  ? next_bound()
                       : w.desk.on[rule] ? next_end(spans[rule], rule == TRADED_LIMIT)
                                         : INT64_MAX;

    if (to == INT64_MAX)
        return false;
    w.now = to - chance_to(c, 2);
    return true;
}

/* Make one random step. No two steps happen at one instant, since it would be unclear whether a document of that
 * instant has a fill of it. */
static void step(struct chance *c)
{
    const bool at_bound = chance_in(c, 20) && pass_to_bound(c);
    const int64_t kind = chance_to(c, at_bound ? 57 : 100);
    const int gate = (int)chance_to(c, GATES);

    if (!at_bound)
        w.now += 1 + (chance_in(c, 90) ? chance_to(c, 1500) * MS : chance_to(c, 90) * OG_NS_PER_S);
    if (kind < 45)
        decide_one(gate, c);
    else if (kind < 57)
        decide_basket(gate, c);
    else if (kind < 78)
        step_outcome(c);
    else if (kind < 87)
        step_quote(c);
    else if (kind < 90)
        step_facts();
    else if (kind < 95)
        step_pnl(c);
    else if (kind < 97)
        step_resume(c);
    else
        step_kill(c);
}

static void run_world(uint64_t seed)
{
    static const int64_t starts[] = { 9 * 3600 + 29 * 60 + 45, 12 * 3600, 15 * 3600 + 59 * 60 + 45,
                                      23 * 3600 + 59 * 60 + 10, 27 * 3600 + 59 * 60 + 30 };
    struct chance c = chance_of(seed, 0);

    memset(&w, 0, sizeof w);
    resumed_at = 0;
    broken = false;
    w.seed = seed;
    w.now = MIDNIGHT + starts[chance_to(&c, 5)] * OG_NS_PER_S;
    w.pnl_day = session_of(w.now);
    w.cash = 200000 + chance_to(&c, 8000000);
    make_things(&c);
    make_desk(&w.desk, &c);
    for (int g = 0; g < GATES; g++) {
        open_gate(g);
        for (int i = 0; i < THINGS; i++)
            tell_quote(g, i);
        apply_pnl(g);
    }
    step_facts();
    for (int n = 0; n < STEPS && w.orders + BASKET_MOST < ORDERS_MOST && !broken; n++) {
        struct chance own = chance_of(seed, (uint64_t)n + 1);

        if (tells)
            printf(" step %d %s\n", n, og_time_text(w.now).s);
        step(&own);
    }
    for (int g = 0; g < GATES; g++)
        og_book_free(book[g]);
}

int main(int argc, char **argv)
{
    long count = 20000, worlds = 0;
    uint64_t seed = 1, one = 0;

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";

        if (strcmp(argv[i], "--count") == 0)
            count = strtol(value, NULL, 10), i++;
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(value, NULL, 10), i++;
        else if (strcmp(argv[i], "--world") == 0)
            one = strtoull(value, NULL, 10), i++;
        else
            return fprintf(stderr, "usage: gates [--count N] [--seed S] [--world W]\n"), 2;
    }
    for (int i = 0; i < BASKET_MOST; i++) {
        scratch[i] = og_scratch_new();
        order[i] = og_order_new();
        if (!scratch[i] || !order[i])
            return 2;
    }
    tells = one != 0;
    if (one)
        run_world(one);
    for (uint64_t world = seed * UINT64_C(1000000007); !one && accepted < count; world++, worlds++)
        run_world(world);
    printf("%ld worlds from seed %llu: %ld orders accepted, %ld refused, %ld baskets, %ld gates begun anew\n", worlds,
           (unsigned long long)seed, accepted, refused, baskets, begun_anew);
    for (int i = 0; i < class_count; i++)
        printf("%s: %ld times, first --world %llu\n", classes[i].name, classes[i].count,
               (unsigned long long)classes[i].seed);
    for (int i = 0; i < BASKET_MOST; i++) {
        og_scratch_free(scratch[i]);
        og_order_free(order[i]);
    }
    free(json.s);
    return class_count != 0;
}
