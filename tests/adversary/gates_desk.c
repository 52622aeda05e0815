/*
 * Random limits of gates.c, and the policy that says them.
 */
#include <stdio.h>
#include <string.h>

#include "gates_run.h"

static int64_t maybe(struct chance *c, int percent, int64_t least, int64_t most)
{
    return chance_in(c, percent) ? least + chance_to(c, most - least + 1) : -1;
}

void make_desk(struct desk *d, struct chance *c)
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
    d->position[0] = 100 + chance_to(c, 1500);
    d->position[1] = 5 + chance_to(c, 30);
    d->stops_cross = chance_in(c, 50);
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

void put_desk(const struct desk *d, struct text *yaml)
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
    if (d->on[SELF_CROSS])
        text_put(yaml, "  self-cross: {level: refuse, reasons: {stop-crosses-own-order: %s}}\n",
                 d->stops_cross ? "refuse" : "warn");
    text_put(yaml, "%s", d->on[SETTLED_CASH] ? "  settled-cash: refuse\n" : "");
    if (d->on[POSITION_LIMIT])
        text_put(yaml, "  position-limit: {level: refuse, shares: %lld, contracts: %lld}\n", (long long)d->position[0],
                 (long long)d->position[1]);
    if (d->on[GROUP_LIMIT])
        put_group(d, yaml);
    if (d->on[OPEN_ORDERS])
        text_put(yaml, "  open-orders: {level: refuse, in_total: %lld, of_symbol: 1000}\n", (long long)d->working);
}
