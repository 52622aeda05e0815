/*
 * Corpora of orders on 48 roots: what trading programs of several strategies send on a day, and books that are hard
 * because much works on few roots.  A contract's side follows from its strike in all but MARKET_MIXED: even strikes are
 * bought and odd ones written, so that no order opposes another.
 */
#include "market.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "maker.h"

enum { ROOTS = 48, HARD_ROOTS = 8, EXPIRIES = 8, STRIKES = 40 };

static const char *const expiries[EXPIRIES] = { "260116", "260123", "260130", "260220",
                                                "260320", "260417", "260618", "270115" };

static void root_name(unsigned root, char to[4])
{
    to[0] = (char)('A' + root / 6);
    to[1] = (char)('P' + root % 6);
    to[2] = (char)('A' + root % 11);
    to[3] = '\0';
}

/* Dollars; even, so that strikes around it are even and odd alike for every root. */
static uint64_t price_of(unsigned root)
{
    return 40 + 2 * (root * 37 % 150);
}

static uint64_t strike_of(unsigned root, unsigned step)
{
    return price_of(root) - STRIKES / 2 + step;
}

static void contract(unsigned root, unsigned expiry, char type, uint64_t strike, char to[32])
{
    char name[4];

    root_name(root, name);
    snprintf(to, 32, "%s%s%c%08" PRIu64, name, expiries[expiry], type, strike * 1000);
}

static void put_head(struct maker *m, const char *security, const char *symbol)
{
    put(m, "{\"clientOrderId\":\"m-%08zu\",\"securityType\":\"%s\",\"symbol\":\"%s\",", m->number, security, symbol);
}

/* Write the rest of an order.  defect: one in how many has one. */
static void put_rest(struct maker *m, uint64_t cents, uint64_t most, const char *route, uint64_t defect)
{
    static const char *const wrong[] = { "Dya", "day", "" };
    const char *tif = "Day";
    uint64_t quantity = 1 + below(m, most);

    if (defect && below(m, defect) == 0) {
        if (below(m, 2))
            tif = wrong[below(m, 3)];
        else
            quantity = below(m, 2) ? 0 : 1000001;
    }
    put(m,
        "\"orderType\":\"Limit\",\"limitPrice\":" CENT ",\"orderQuantity\":%" PRIu64
        ",\"timeInForce\":\"%s\",\"route\":\"%s\",\"accountId\":\"LIVE0001\"}\n",
        CENTS(cents), quantity, tif, route);
}

static void put_stock(struct maker *m, unsigned root, bool buys, uint64_t defect)
{
    char name[4];

    root_name(root, name);
    put_head(m, "Stock", name);
    put(m, "\"side\":\"%s\",\"openClose\":\"Open\",", buys ? "Buy" : "Sell");
    put_rest(m, price_of(root) * 100 + below(m, 41) - 20, 300, "SMART", defect);
}

static void put_option(struct maker *m, unsigned root, unsigned expiry, char type, uint64_t strike, bool buys,
                       uint64_t defect)
{
    char symbol[32];

    contract(root, expiry, type, strike, symbol);
    put_head(m, "Option", symbol);
    put(m, "\"side\":\"%s\",\"openClose\":\"Open\",", buys ? "Buy" : "Sell");
    put_rest(m, 5 + below(m, 900), 10, "SMARTO", defect);
}

static void put_leg(struct maker *m, unsigned root, unsigned expiry, char type, uint64_t strike, bool buys, int ratio)
{
    char symbol[32];

    contract(root, expiry, type, strike, symbol);
    put(m, "%s{\"symbol\":\"%s\",\"side\":\"%s\",\"ratio\":%d,\"openClose\":\"Open\"}",
        m->bytes[m->len - 1] == '[' ? "" : ",", symbol, buys ? "Buy" : "Sell", ratio);
}

/* Write a vertical, a butterfly or an iron condor; its bought strikes are even, and its written ones odd. */
static void put_spread(struct maker *m, unsigned root, uint64_t defect)
{
    const unsigned expiry = (unsigned)below(m, EXPIRIES);
    const uint64_t low = strike_of(root, 4 + 2 * (unsigned)below(m, 12)), width = 1 + 2 * below(m, 2);
    const char type = below(m, 2) ? 'C' : 'P';
    char name[4];

    root_name(root, name);
    put_head(m, "Mleg", name);
    put(m, "\"legs\":[");
    switch (below(m, 3)) {
    case 0:
        put_leg(m, root, expiry, type, low, true, 1);
        put_leg(m, root, expiry, type, low + width, false, 1);
        break;
    case 1:
        put_leg(m, root, expiry, type, low, true, 1);
        put_leg(m, root, expiry, type, low + width, false, 2);
        put_leg(m, root, expiry, type, low + 2 * width, true, 1);
        break;
    default:
        put_leg(m, root, expiry, 'P', low, true, 1);
        put_leg(m, root, expiry, 'P', low + width, false, 1);
        put_leg(m, root, expiry, 'C', low + 2 * width + 1, false, 1);
        put_leg(m, root, expiry, 'C', low + 3 * width + 1, true, 1);
    }
    put(m, "],");
    put_rest(m, 10 + below(m, 80), 10, "SMARTM", defect);
}

/* Write a calendar spread: the nearer contract is written, the later one bought. */
static void put_calendar(struct maker *m, unsigned root)
{
    const unsigned near = (unsigned)below(m, EXPIRIES - 1);
    const uint64_t strike = strike_of(root, STRIKES / 2 + (unsigned)below(m, 5));
    const char type = below(m, 2) ? 'C' : 'P';
    char name[4];

    root_name(root, name);
    put_head(m, "Mleg", name);
    put(m, "\"legs\":[");
    put_leg(m, root, near, type, strike, false, 1);
    put_leg(m, root, near + 1 + (unsigned)below(m, EXPIRIES - 1 - near), type, strike, true, 1);
    put(m, "],");
    put_rest(m, 10 + below(m, 80), 10, "SMARTM", 0);
}

static void put_any_option(struct maker *m, unsigned root, unsigned strikes, bool by_strike, uint64_t defect)
{
    const uint64_t strike = strike_of(root, STRIKES / 2 - strikes / 2 + (unsigned)below(m, strikes));
    const unsigned expiry = (unsigned)below(m, EXPIRIES);
    const char type = below(m, 2) ? 'C' : 'P';

    put_option(m, root, expiry, type, strike, by_strike ? strike % 2 == 0 : below(m, 2), defect);
}

/* Write an order of MIXED or FLOW. */
static void put_traded(struct maker *m, bool flow)
{
    const unsigned root = (unsigned)below(m, ROOTS);
    const uint64_t kind = below(m, 10), defect = flow ? 50 : 10;

    if (kind < 7)
        put_stock(m, root, flow ? root < ROOTS / 2 : below(m, 4), defect);
    else if (kind < 9)
        put_any_option(m, root, STRIKES, flow, defect);
    else
        put_spread(m, root, defect);
}

static void put_order(struct maker *m, enum market_kind kind)
{
    const unsigned root = (unsigned)below(m, HARD_ROOTS);

    switch (kind) {
    case MARKET_OPTIONS: put_any_option(m, root, STRIKES, true, 0); break;
    case MARKET_BESIDE:
        if (below(m, 2))
            put_stock(m, root, true, 0);
        else
            put_any_option(m, root, STRIKES, true, 0);
        break;
    case MARKET_COVERED:
        if (below(m, 2))
            put_stock(m, root, true, 0);
        else
            put_option(m, root, (unsigned)below(m, EXPIRIES), 'C', strike_of(root, 1 + 2 * (unsigned)below(m, 20)),
                       false, 0);
        break;
    case MARKET_EXPIRIES:
        if (below(m, 3))
            put_any_option(m, root, 5, true, 0);
        else
            put_calendar(m, root);
        break;
    default: put_traded(m, kind == MARKET_FLOW);
    }
}

void market_make(struct corpus *c, enum market_kind kind, uint64_t seed, size_t orders)
{
    struct maker m = { .state = seed };

    c->orders = orders;
    c->start = need(malloc((orders + 1) * sizeof *c->start));
    for (m.number = 0; m.number < orders; m.number++) {
        c->start[m.number] = m.len;
        put_order(&m, kind);
    }
    c->start[orders] = m.len;
    c->bytes = need(realloc(m.bytes, m.len + CORPUS_PADDING));
    memset(c->bytes + m.len, 0, CORPUS_PADDING);
    c->len = m.len;
}

static void put_quote(struct maker *m, const char *symbol, uint64_t cents)
{
    put(m, "%s\"%s\":{\"bid\":" CENT ",\"ask\":" CENT ",\"last\":" CENT "}", m->number++ ? "," : "", symbol,
        CENTS(cents - 1), CENTS(cents + 1), CENTS(cents));
}

/* Write the quotes of a root's contracts: what they are worth at expiry, and 2 dollars. */
static void put_contracts(struct maker *m, unsigned root)
{
    const uint64_t price = price_of(root);
    char symbol[32];

    for (unsigned e = 0; e < EXPIRIES; e++)
        for (unsigned step = 0; step <= STRIKES + 4; step++)
            for (int put_ = 0; put_ < 2; put_++) {
                const uint64_t strike = strike_of(root, step);
                const bool in = put_ ? strike > price : price > strike;
                const uint64_t inside = !in ? 0 : put_ ? strike - price : price - strike;

                contract(root, e, "CP"[put_], strike, symbol);
                put_quote(m, symbol, (inside + 2) * 100);
            }
}

char *market_facts(enum market_known known, size_t *len)
{
    struct maker m = { 0 };
    char name[4];

    put(&m, "{\"asOf\":\"" CORPUS_CLOCK "\",\"accountId\":\"LIVE0001\",");
    if (known != MARKET_NO_ACCOUNT)
        put(&m, "\"account\":{\"account\":\"LIVE0001\",\"accountStatus\":\"Active\",\"accountType\":\"Live\","
                "\"bp\":1000000000000000,\"overnightBp\":1000000000000000,\"availableCash\":1000000000000000,"
                "\"equity\":1000000000000000,\"marginDeficit\":0,\"maintenanceDeficit\":0,\"optLevel\":4,"
                "\"optionTradingLevel\":4},\"positions\":[],\"orders\":[],\"usedClientOrderIds\":[],"
                "\"locateInventory\":[],");
    put(&m, "\"accountList\":[{\"account\":\"LIVE0001\",\"accountType\":\"Live\"}],\"routes\":["
            "{\"routeName\":\"SMART\",\"securityTypes\":[\"Stock\"],\"timesInForce\":[\"Day\",\"GoodTillCancel\"]},"
            "{\"routeName\":\"SMARTO\",\"securityTypes\":[\"Option\"],\"timesInForce\":[\"Day\"]},"
            "{\"routeName\":\"SMARTM\",\"securityTypes\":[\"Option\",\"MLEG\"],\"timesInForce\":[\"Day\"]}],"
            "\"borrow\":{");
    for (unsigned root = 0; root < ROOTS; root++) {
        root_name(root, name);
        put(&m, "%s\"%s\":true", root ? "," : "", name);
    }
    put(&m, "},\"quotes\":{");
    for (unsigned root = 0; root < ROOTS; root++) {
        root_name(root, name);
        put_quote(&m, name, price_of(root) * 100);
        if (known != MARKET_NO_PRICES)
            put_contracts(&m, root);
    }
    put(&m, "}}");
    *len = m.len;
    return m.bytes;
}
