/*
 * The user's limits: a shipped policy as it is, or with random limits laid over it, and the YAML for that. The values
 * of the shipped policies are written here again, from their manual, so that this tests the gate's own tables.
 */
#include <string.h>

#include "adversary.h"

const char *const limit_rule[LIMITS] = {
    [L_NOTIONAL] = "order-notional",
    [L_SHARES] = "order-quantity-limit",
    [L_CONTRACTS] = "order-quantity-limit",
    [L_GROSS] = "exposure",
    [L_SHORT] = "exposure",
    [L_POSITION_SHARES] = "position-limit",
    [L_POSITION_CONTRACTS] = "position-limit",
    [L_AN_ORDER] = "option-contracts",
    [L_IN_TOTAL] = "option-contracts",
    [L_CONCENTRATION] = "concentration",
    [L_GROUP] = "group-limit",
    [L_WEIGHTED] = "weighted-exposure",
    [L_UNCOVERED] = "uncovered-options",
    [L_SECURED] = "uncovered-options",
    [L_OPEN_TOTAL] = "open-orders",
    [L_OPEN_SYMBOL] = "open-orders",
    [L_SECOND] = "order-rate",
    [L_MINUTE] = "order-rate",
    [L_DAY] = "order-rate",
    [L_TRADED] = "traded-limit",
    [L_TRADED_SHARES] = "traded-limit",
    [L_TRADED_CONTRACTS] = "traded-limit",
    [L_LOSS] = "day-loss",
    [L_DRAWDOWN] = "day-loss",
    [L_POWER] = "buying-power",
    [L_CLOSABLE] = "close-position",
    [L_NO_SHORTS] = "short-sales",
    [L_SHORT_PRICE] = "short-sales",
    [L_FLOOR_STOCK] = "price-floor",
    [L_FLOOR_OPTION] = "price-floor",
    [L_BARRED] = "allowed-symbols",
    [L_HALT] = "trading",
    [L_LEVEL] = "option-level",
};

const char *const limit_name[LIMITS] = {
    [L_NOTIONAL] = "order-notional",
    [L_SHARES] = "order-shares",
    [L_CONTRACTS] = "order-contracts",
    [L_GROSS] = "exposure-gross",
    [L_SHORT] = "exposure-short",
    [L_POSITION_SHARES] = "position-shares",
    [L_POSITION_CONTRACTS] = "position-contracts",
    [L_AN_ORDER] = "contracts-an-order",
    [L_IN_TOTAL] = "contracts-in-total",
    [L_CONCENTRATION] = "concentration",
    [L_GROUP] = "group-gross",
    [L_WEIGHTED] = "weighted-gross",
    [L_UNCOVERED] = "uncovered",
    [L_SECURED] = "cash-secured",
    [L_OPEN_TOTAL] = "open-orders",
    [L_OPEN_SYMBOL] = "open-orders-symbol",
    [L_SECOND] = "rate-second",
    [L_MINUTE] = "rate-minute",
    [L_DAY] = "rate-day",
    [L_TRADED] = "traded-notional",
    [L_TRADED_SHARES] = "traded-shares",
    [L_TRADED_CONTRACTS] = "traded-contracts",
    [L_LOSS] = "day-loss",
    [L_DRAWDOWN] = "drawdown",
    [L_POWER] = "buying-power",
    [L_CLOSABLE] = "closable",
    [L_NO_SHORTS] = "no-shorts",
    [L_SHORT_PRICE] = "short-price",
    [L_FLOOR_STOCK] = "floor-stock",
    [L_FLOOR_OPTION] = "floor-option",
    [L_BARRED] = "barred",
    [L_HALT] = "halt",
    [L_LEVEL] = "level",
};

static void stand_on_live(struct desk *d)
{
    d->most[L_SHARES] = 10000;
    d->most[L_CONTRACTS] = 500;
    d->most[L_NOTIONAL] = 1000000;
    d->most[L_AN_ORDER] = 1000;
    d->most[L_CLOSABLE] = 0;
    d->most[L_HALT] = 0;
    memset(d->refuses, true, sizeof d->refuses);
}

static void stand_on_cautious(struct desk *d)
{
    stand_on_live(d);
    d->most[L_SHARES] = 5000;
    d->most[L_CONTRACTS] = 100;
    d->most[L_NOTIONAL] = 100000;
    d->most[L_AN_ORDER] = 200;
    d->most[L_IN_TOTAL] = 1000;
    d->most[L_POSITION_SHARES] = 20000;
    d->most[L_POSITION_CONTRACTS] = 500;
    d->most[L_GROSS] = 1000000;
    d->most[L_SHORT] = 250000;
    d->most[L_CONCENTRATION] = 5000;
    d->refuses[L_CONCENTRATION] = false;
    d->most[L_OPEN_TOTAL] = 200;
    d->most[L_OPEN_SYMBOL] = 20;
    d->most[L_SECOND] = 10;
    d->most[L_MINUTE] = 120;
    d->most[L_DAY] = 2000;
    d->most[L_LOSS] = 5000;
    d->most[L_DRAWDOWN] = 10000;
    d->most[L_SHORT_PRICE] = 5;
    d->most[L_UNCOVERED] = 1;
    d->most[L_FLOOR_STOCK] = 100;
    d->most[L_FLOOR_OPTION] = 5;
}

/* options-income: its custom rules for spreads and for what may be bought are not modelled as limits */
static void stand_on_income(struct desk *d)
{
    stand_on_live(d);
    d->most[L_SHARES] = 1000;
    d->most[L_CONTRACTS] = 10;
    d->most[L_NOTIONAL] = 25000;
    d->most[L_AN_ORDER] = 40;
    d->most[L_IN_TOTAL] = 200;
    d->most[L_POSITION_SHARES] = 1000;
    d->most[L_POSITION_CONTRACTS] = 20;
    d->most[L_GROSS] = 200000;
    d->most[L_CONCENTRATION] = 2500;
    d->most[L_OPEN_TOTAL] = 40;
    d->most[L_OPEN_SYMBOL] = 4;
    d->most[L_SECOND] = 5;
    d->most[L_MINUTE] = 30;
    d->most[L_DAY] = 300;
    d->most[L_LOSS] = 2000;
    d->most[L_DRAWDOWN] = 3000;
    d->most[L_NO_SHORTS] = 0;
    d->most[L_UNCOVERED] = 1;
    d->most[L_SECURED] = 0;
    d->most[L_FLOOR_OPTION] = 10;
}

/* Settings laid over the policy: one rule each, with all its settings. */
static const struct overlay {
    const char *rule;
    struct {
        enum limit limit;
        const char *key, *unit;
        int64_t least, most;
    } setting[3];
} overlays[] = {
    { "order-notional", { { L_NOTIONAL, "most", "", 2000, 60000 } } },
    { "order-quantity-limit", { { L_SHARES, "shares", "", 50, 3000 }, { L_CONTRACTS, "contracts", "", 2, 30 } } },
    { "exposure", { { L_GROSS, "gross", "", 10000, 300000 }, { L_SHORT, "short", "", 3000, 100000 } } },
    { "position-limit",
      { { L_POSITION_SHARES, "shares", "", 50, 3000 }, { L_POSITION_CONTRACTS, "contracts", "", 2, 40 } } },
    { "option-contracts", { { L_AN_ORDER, "an_order", "", 2, 40 }, { L_IN_TOTAL, "in_total", "", 5, 100 } } },
    { "concentration", { { L_CONCENTRATION, "most", "%", 5, 100 } } },
    { "open-orders", { { L_OPEN_TOTAL, "in_total", "", 3, 30 }, { L_OPEN_SYMBOL, "of_symbol", "", 1, 8 } } },
    { "order-rate",
      { { L_SECOND, "a_second", "", 1, 8 }, { L_MINUTE, "a_minute", "", 5, 30 }, { L_DAY, "a_day", "", 10, 60 } } },
    { "traded-limit",
      { { L_TRADED, "notional", "", 20000, 600000 },
        { L_TRADED_SHARES, "shares", "", 200, 10000 },
        { L_TRADED_CONTRACTS, "contracts", "", 10, 200 } } },
    { "day-loss", { { L_LOSS, "most", "", 500, 6000 }, { L_DRAWDOWN, "drawdown", "", 500, 6000 } } },
};
#define OVERLAYS ((int)(sizeof overlays / sizeof overlays[0]))

static int64_t between(struct chance *c, int64_t least, int64_t most)
{
    return least + chance_to(c, most - least + 1);
}

static void overlay(struct desk *d, const struct overlay *o, struct chance *c)
{
    bool refuses = d->refuses[o->setting[0].limit];

    for (int i = 0; i < 3 && o->setting[i].key; i++) {
        d->most[o->setting[i].limit] = between(c, o->setting[i].least, o->setting[i].most);
        if (o->setting[i].unit[0] == '%')
            d->most[o->setting[i].limit] *= 100;
        d->refuses[o->setting[i].limit] = refuses;
    }
}

void desk_stand(struct desk *d, enum base base)
{
    memset(d, 0, sizeof *d);
    for (int i = 0; i < LIMITS; i++)
        d->most[i] = NO_LIMIT;
    d->base = base == DEFAULT ? "default" : base == CAUTIOUS ? "cautious" : base == INCOME ? "options-income" : "live";
    d->special = -1;
    d->quotes_age = (base == DEFAULT ? 5 : 2) * OG_NS_PER_S;
    d->facts_age = (base == DEFAULT ? 60 : 10) * OG_NS_PER_S;
    if (base == CAUTIOUS)
        stand_on_cautious(d);
    else if (base == INCOME)
        stand_on_income(d);
    else if (base == LIVE)
        stand_on_live(d);
    d->most[L_POWER] = 0;
    d->most[L_HALT] = 0;
    d->most[L_LEVEL] = 0;
}

/* Only limits in dollars, so that nothing else refuses what one of them should. */
void desk_make_of_dollars(struct desk *d, struct chance *c)
{
    desk_stand(d, DEFAULT);
    memset(d->refuses, true, sizeof d->refuses);
    overlay(d, &overlays[0], c);
    if (chance_in(c, 50))
        overlay(d, &overlays[2], c);
}

void desk_make(struct desk *d, struct chance *c)
{
    enum base base = chance_in(c, 25) ? DEFAULT : chance_in(c, 33) ? CAUTIOUS : chance_in(c, 25) ? INCOME : LIVE;
    int percent = chance_in(c, 20) ? 0 : chance_in(c, 50) ? 25 : 60;

    desk_stand(d, base);
    d->any_root = chance_in(c, 80);
    if (base == DEFAULT && chance_in(c, 50))
        memset(d->refuses, true, sizeof d->refuses);
    for (int i = 0; i < OVERLAYS; i++)
        if (chance_in(c, percent)) {
            d->refuses[overlays[i].setting[0].limit] |= base != DEFAULT; /* the YAML says so */
            overlay(d, &overlays[i], c);
        }
    if (chance_in(c, percent / 2))
        d->most[L_UNCOVERED] = 1 + chance_to(c, 2);
    if (chance_in(c, percent / 2))
        d->most[L_SECURED] = 0;
    if (chance_in(c, percent / 2)) {
        d->most[L_GROUP] = between(c, 5000, 150000);
        d->refuses[L_GROUP] = base != DEFAULT;
    }
    if (chance_in(c, percent / 2)) {
        d->most[L_WEIGHTED] = between(c, 5000, 250000);
        d->refuses[L_WEIGHTED] = base != DEFAULT;
    }
    if (chance_in(c, percent / 4))
        d->most[L_NO_SHORTS] = 0;
    if (chance_in(c, percent / 3)) {
        d->most[L_FLOOR_STOCK] = 100 * between(c, 1, 20);
        d->most[L_FLOOR_OPTION] = between(c, 5, 300);
    }
    if (chance_in(c, percent / 4))
        d->most[L_BARRED] = chance_to(c, STOCKS);
    if (chance_in(c, percent / 2) && d->most[L_NOTIONAL] != NO_LIMIT) {
        d->special = (int)chance_to(c, STOCKS);
        d->special_most[L_NOTIONAL] = between(c, 1000, 100000);
    }
}

static bool refuses_any(const struct desk *d, const struct overlay *o)
{
    bool any = false;

    for (int i = 0; i < 3 && o->setting[i].key; i++)
        any = any || (d->most[o->setting[i].limit] != NO_LIMIT && d->refuses[o->setting[i].limit]);
    return any;
}

static void write_overlay(const struct desk *d, const struct overlay *o, const char *special, struct text *yaml)
{
    bool any = false;

    for (int i = 0; i < 3 && o->setting[i].key; i++)
        any = any || d->most[o->setting[i].limit] != NO_LIMIT;
    if (!any)
        return;
    text_put(yaml, "  %s:\n    level: refuse\n    unsure: %s\n", o->rule, refuses_any(d, o) ? "refuse" : "warn");
    for (int i = 0; i < 3 && o->setting[i].key; i++) {
        int64_t most = d->most[o->setting[i].limit];

        if (most != NO_LIMIT)
            text_put(yaml, "    %s: %lld%s\n", o->setting[i].key,
                     (long long)(o->setting[i].unit[0] == '%' ? most / 100 : most), o->setting[i].unit);
    }
    if (o->setting[0].limit == L_NOTIONAL && special)
        text_put(yaml, "    overrides:\n      - match: {symbol: \"%s\"}\n        most: %lld\n", special,
                 (long long)d->special_most[L_NOTIONAL]);
}

static const char *const roots[STOCKS] = { "AAPL", "F", "BRK.B", "SPX" };

void desk_write(const struct desk *d, struct text *yaml)
{
    text_put(yaml, "ordergate: 1\nname: desk\nextends: [%s]\n", d->base);
    text_put(yaml, "max_age: {quotes: %llds, positions: %llds, orders: %llds, account: %llds, pnl: %llds}\n",
             (long long)(d->quotes_age / OG_NS_PER_S), (long long)(d->facts_age / OG_NS_PER_S),
             (long long)(d->facts_age / OG_NS_PER_S), (long long)(d->facts_age / OG_NS_PER_S),
             (long long)(d->facts_age / OG_NS_PER_S));
    text_put(yaml, "lists: {pair: [%s, %s], weights: [%s=1.5, %s=1.5, default=0.5]}\n", roots[1], roots[INDEX],
             roots[1], roots[INDEX]);
    text_put(yaml, "rules:\n  trading: refuse\n  buying-power: {level: refuse, unsure: %s}\n",
             d->refuses[L_POWER] ? "refuse" : "warn");
    if (d->any_root)
        text_put(yaml, "  occ-symbol: off\n");
    for (int i = 0; i < OVERLAYS; i++)
        write_overlay(d, &overlays[i], d->special < 0 ? NULL : roots[d->special], yaml);
    if (d->most[L_UNCOVERED] != NO_LIMIT || d->most[L_SECURED] != NO_LIMIT)
        text_put(yaml, "  uncovered-options: {level: refuse, allow: %s, puts: %s, unsure: %s}\n",
                 d->most[L_UNCOVERED] == NO_LIMIT ? "any"
                 : d->most[L_UNCOVERED] == 2      ? "none"
                                                  : "puts",
                 d->most[L_SECURED] == NO_LIMIT ? "any" : "cash-secured", d->refuses[L_UNCOVERED] ? "refuse" : "warn");
    if (d->most[L_GROUP] != NO_LIMIT)
        text_put(yaml, "  group-limit: {level: refuse, limits: [pair gross %lld], unsure: %s}\n",
                 (long long)d->most[L_GROUP], d->refuses[L_GROUP] ? "refuse" : "warn");
    if (d->most[L_WEIGHTED] != NO_LIMIT)
        text_put(yaml, "  weighted-exposure: {level: refuse, limits: [weights gross %lld], unsure: %s}\n",
                 (long long)d->most[L_WEIGHTED], d->refuses[L_WEIGHTED] ? "refuse" : "warn");
    if (d->most[L_NO_SHORTS] != NO_LIMIT)
        text_put(yaml, "  short-sales: {level: refuse, allow: none}\n");
    if (d->most[L_FLOOR_STOCK] != NO_LIMIT)
        text_put(yaml, "  price-floor: {level: refuse, stock: %lld.%02lld, option: %lld.%02lld, unsure: %s}\n",
                 (long long)d->most[L_FLOOR_STOCK] / 100, (long long)d->most[L_FLOOR_STOCK] % 100,
                 (long long)d->most[L_FLOOR_OPTION] / 100, (long long)d->most[L_FLOOR_OPTION] % 100,
                 d->refuses[L_FLOOR_STOCK] ? "refuse" : "warn");
    if (d->most[L_BARRED] != NO_LIMIT)
        text_put(yaml, "  allowed-symbols: {level: refuse, barred: [%s]}\n", roots[d->most[L_BARRED]]);
}

bool is_grouped(int stock)
{
    return stock == 1 + CONTRACTS || stock == INDEX * (1 + CONTRACTS);
}

int64_t desk_most(const struct world *w, const struct order *o, enum limit l)
{
    const struct desk *d = &w->desk;
    const struct thing *t = &w->thing[o->leg[0].thing];

    if (l == L_NOTIONAL && d->special >= 0 && o->form != OPTION &&
        strcmp(w->thing[t->stock].root, roots[d->special]) == 0)
        return d->special_most[l];
    return d->most[l];
}
