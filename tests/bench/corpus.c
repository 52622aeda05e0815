/*
 * The corpus: orders of every kind over 24 stocks and their options, most of them accepted under the policy "live".
 */
#include "corpus.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "maker.h"

/* Prices in cents. Half of the stocks are only bought, the others sold short, so that R95 is rare. */
static const struct stock {
    const char *symbol;
    uint64_t cents;
} stocks[] = {
    { "AAPL", 18998 }, { "MSFT", 42010 }, { "SPY", 58512 },  { "QQQ", 52577 },   { "NVDA", 13980 }, { "AMZN", 22044 },
    { "GOOG", 19431 }, { "META", 61200 }, { "TSLA", 41055 }, { "BRK.B", 47012 }, { "JPM", 24077 },  { "KO", 6311 },
    { "F", 1002 },     { "T", 2271 },     { "INTC", 2034 },  { "AMD", 12010 },   { "BAC", 4512 },   { "PFE", 2650 },
    { "XOM", 11012 },  { "CVX", 15533 },  { "WMT", 9144 },   { "DIS", 11021 },   { "NFLX", 88010 }, { "GE", 17055 },
};
enum { STOCKS = sizeof stocks / sizeof *stocks, BOUGHT = STOCKS / 2 };

/* Write the keys that end every order, sometimes with the account, and with white space as some writers use it. */
static void put_rest(struct maker *m, const char *tif, const char *route)
{
    put(m, ",\"timeInForce\":\"%s\",\"route\":\"%s\"", tif, route);
    if (below(m, 5) == 0)
        put(m, ", \"accountId\": \"LIVE0001\"");
    put(m, "}\n");
}

static void put_id(struct maker *m)
{
    size_t number = below(m, 400) == 0 && m->number > 9 ? m->number - 9 : m->number; /* some ids are used twice */

    put(m, "{\"clientOrderId\":\"bench-%08zu\"", number);
}

static void put_stock(struct maker *m, const struct stock *s, const char *side, const char *open_close)
{
    bool sells = side[0] == 'S';
    uint64_t cents = s->cents + below(m, 20) - 10, kind = below(m, 12);
    uint64_t away = s->cents / 50 + below(m, s->cents / 50 + 1), stop = sells ? s->cents - away : s->cents + away;

    put_id(m);
    put(m,
        ",\"securityType\":\"Stock\",\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"%s\",\"orderQuantity\":%" PRIu64,
        s->symbol, side, open_close, 1 + below(m, 900));
    if (kind == 0)
        put(m, ",\"orderType\":\"Market\"");
    else if (kind == 1)
        put(m, ",\"orderType\":\"Stop\",\"stopPrice\":" CENT, CENTS(stop));
    else if (kind == 2)
        put(m, ",\"orderType\":\"StopLimit\",\"stopPrice\":" CENT ",\"limitPrice\":" CENT, CENTS(stop),
            CENTS(sells ? stop - 2 : stop + 2));
    else
        put(m, ",\"orderType\":\"Limit\",\"limitPrice\":" CENT, CENTS(cents));
    put_rest(m, kind > 2 && below(m, 6) == 0 ? "GoodTillCancel" : "Day", "SMART");
}

/* Write a contract that could be listed: one of 6 expiries, and one of 9 strikes around the stock's price, in
 * dollars. */
static void contract(struct maker *m, const struct stock *s, char type, uint64_t expiry, uint64_t step, char to[32])
{
    static const char *const expiries[] = { "260116", "260123", "260220", "260320", "260618", "270115" };
    const char *dot = strchr(s->symbol, '.');
    int len = dot ? (int)(dot - s->symbol) : (int)strlen(s->symbol);
    uint64_t strike = s->cents / 100 - 4 + step;

    (void)m;
    snprintf(to, 32, "%.*s%s%s%c%08" PRIu64, len, s->symbol, dot ? dot + 1 : "", expiries[expiry], type, strike * 1000);
}

static void put_option(struct maker *m, const struct stock *s)
{
    uint64_t cents = 5 + below(m, 900), kind = below(m, 8);
    const char *side = kind < 5 ? "Buy" : "Sell", *open_close = kind == 5 || kind == 6 ? "Close" : "Open";
    char symbol[32];

    /* calls are bought to open or sold to close; puts are written */
    contract(m, s, kind == 7 ? 'P' : 'C', kind < 5 || kind == 7 ? below(m, 6) : 2, 1 + below(m, 7), symbol);
    put_id(m);
    put(m,
        ",\"securityType\":\"Option\",\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"%s\",\"orderQuantity\":"
        "%" PRIu64,
        symbol, side, open_close, 1 + below(m, 20));
    if (below(m, 10) == 0)
        put(m, ",\"orderType\":\"Market\"");
    else
        put(m, ",\"orderType\":\"Limit\",\"limitPrice\":" CENT, CENTS(cents));
    put_rest(m, "Day", "SMARTO");
}

static void put_leg(struct maker *m, const char *symbol, const char *side, int ratio)
{
    put(m, "%s{\"symbol\":\"%s\",\"side\":\"%s\",\"ratio\":%d,\"openClose\":\"Open\"}",
        m->bytes[m->len - 1] == '[' ? "" : ",", symbol, side, ratio);
}

/* Write a vertical, a butterfly, a straddle or an iron condor. */
static void put_spread(struct maker *m, const struct stock *s)
{
    uint64_t expiry = below(m, 6), low = below(m, 3), wing = 1 + below(m, 2), kind = below(m, 4);
    char type = below(m, 2) ? 'C' : 'P', leg[4][32];

    put_id(m);
    put(m,
        ",\"securityType\":\"Mleg\",\"symbol\":\"%s\",\"orderType\":\"Limit\",\"limitPrice\":" CENT
        ",\"orderQuantity\":%" PRIu64 ",\"legs\":[",
        s->symbol, CENTS(10 + below(m, 80)), 1 + below(m, 50));
    for (uint64_t i = 0; i < 4; i++)
        contract(m, s, kind == 3 ? i < 2 ? 'P' : 'C' : type, expiry, low + i * wing, leg[i]);
    if (kind == 0) {
        put_leg(m, leg[0], type == 'C' ? "Buy" : "Sell", 1);
        put_leg(m, leg[1], type == 'C' ? "Sell" : "Buy", 1);
    } else if (kind == 1) {
        put_leg(m, leg[0], "Buy", 1);
        put_leg(m, leg[1], "Sell", 2);
        put_leg(m, leg[2], "Buy", 1);
    } else if (kind == 2) {
        contract(m, s, 'C', expiry, 4, leg[0]);
        contract(m, s, 'P', expiry, 4, leg[1]);
        put_leg(m, leg[0], "Buy", 1);
        put_leg(m, leg[1], "Buy", 1);
    } else {
        put_leg(m, leg[0], "Buy", 1);
        put_leg(m, leg[1], "Sell", 1);
        put_leg(m, leg[2], "Sell", 1);
        put_leg(m, leg[3], "Buy", 1);
    }
    put(m, "]");
    put_rest(m, "Day", "SMARTM");
}

#define WRONG(symbol, side, type, quantity, more)                                      \
    ",\"securityType\":\"Stock\",\"symbol\":" symbol ",\"side\":\"" side               \
    "\",\"openClose\":\"Open\",\"orderType\":\"" type "\",\"orderQuantity\":" quantity \
    ",\"timeInForce\":\"Day\",\"route\":\"SMART\"" more

/* Write an order with a typical mistake of a person or a program. Each is valid JSON, because jq stops at the first
 * line that is not. */
static void put_wrong(struct maker *m)
{
    static const char *const wrong[] = {
        WRONG("\"AAPL\"", "Buy", "Limit", "10", ",\"limitPrice\":190.005}"),
        WRONG("\"AAPL\"", "Buy", "Limit", "10", ",\"limitPrice\":1900}"),
        WRONG("\"AAPL\"", "Buy", "Limit", "10", ",\"limitPrice\":-1}"),
        WRONG("\"AAPL\"", "Buy", "Limit", "10", "}"),
        WRONG("\"AAPL\"", "Buy", "Limit", "10", ",\"limitPrice\":\"190\"}"),
        WRONG("\"AAPL\"", "Buy", "limit", "10", ",\"limitPrice\":190}"),
        WRONG("\"AAPL\"", "SellShort", "Market", "10", "}"),
        WRONG("\"AAPL\"", "buy", "Market", "10", "}"),
        WRONG("\"AAPL\"", "Buy", "Market", "0", "}"),
        WRONG("\"AAPL\"", "Buy", "Market", "10.5", "}"),
        WRONG("\"AAPL\"", "Buy", "Market", "2000000", "}"),
        WRONG("\"BRK/B\"", "Buy", "Market", "10", "}"),
        WRONG("\"AAPL\\n\"", "Buy", "Market", "10", "}"),
        WRONG("\"\\u0041APL\"", "Buy", "Market", "10", "}"),
        WRONG("\"aapl\"", "Buy", "Market", "10", "}"),
        WRONG("7", "Buy", "Market", "10", "}"),
        WRONG("\"AAPL\"", "Buy", "Market", "10", ",\"limit_price\":190}"),
        WRONG("\"AAPL\"", "Buy", "Market", "10", ",\"symbol\":\"MSFT\"}"),
    };

    put_id(m);
    put(m, "%s\n", wrong[below(m, sizeof wrong / sizeof *wrong)]);
}

static void put_order(struct maker *m)
{
    uint64_t kind = below(m, 100);
    const struct stock *bought = &stocks[below(m, BOUGHT)], *shorted = &stocks[BOUGHT + below(m, STOCKS - BOUGHT)];

    if (kind < 36)
        put_stock(m, bought, "Buy", "Open");
    else if (kind < 46)
        put_stock(m, bought, "Sell", "Close");
    else if (kind < 53)
        put_stock(m, shorted, "Sell", "Open");
    else if (kind < 58)
        put_stock(m, shorted, "Buy", "Close");
    else if (kind < 82)
        put_option(m, bought);
    else if (kind < 96)
        put_spread(m, bought);
    else
        put_wrong(m);
}

void corpus_make(struct corpus *c, uint64_t seed, size_t orders)
{
    struct maker m = { .state = seed };

    c->orders = orders;
    c->start = need(malloc((orders + 1) * sizeof *c->start));
    for (m.number = 0; m.number < orders; m.number++) {
        c->start[m.number] = m.len;
        put_order(&m);
    }
    c->start[orders] = m.len;
    c->bytes = need(realloc(m.bytes, m.len + CORPUS_PADDING));
    memset(c->bytes + m.len, 0, CORPUS_PADDING);
    c->len = m.len;
}

void corpus_free(struct corpus *c)
{
    free(c->bytes);
    free(c->start);
    *c = (struct corpus){ 0 };
}

static void put_position(struct maker *m, const char *symbol, const char *traded, const char *side)
{
    put(m,
        "%s{\"accountId\":\"LIVE0001\",\"positionId\":\"%zu\",\"symbol\":\"%s\",\"tradedSymbol\":%s%s%s,"
        "\"securityType\":\"%s\","
        "\"side\":\"%s\",\"shares\":1000000000}",
        m->bytes[m->len - 1] == '[' ? "" : ",", m->number++, symbol, traded ? "\"" : "", traded ? traded : "null",
        traded ? "\"" : "", traded ? "Option" : "Stock", side);
}

/* Write positions, so large that the closing orders never exceed them. */
static void put_positions(struct maker *m)
{
    char traded[32];

    for (int i = 0; i < STOCKS; i++) {
        put_position(m, stocks[i].symbol, NULL, i < BOUGHT ? "Long" : "Short");
        for (uint64_t step = 1; step < 8 && i < BOUGHT; step++) {
            contract(m, &stocks[i], 'C', 2, step, traded);
            put_position(m, stocks[i].symbol, traded, "Long");
        }
    }
}

char *corpus_facts(size_t *len)
{
    struct maker m = { 0 };

    put(&m, "{\"asOf\":\"" CORPUS_CLOCK "\",\"accountId\":\"LIVE0001\",\"account\":{\"account\":\"LIVE0001\","
            "\"accountStatus\":\"Active\",\"accountType\":\"Live\",\"bp\":1000000000000000,\"overnightBp\":"
            "1000000000000000,"
            "\"availableCash\":1000000000000000,\"marginDeficit\":0,\"maintenanceDeficit\":0,\"optLevel\":4,"
            "\"optionTradingLevel\":4},\"accountList\":[{\"account\":\"LIVE0001\",\"accountType\":\"Live\"}],"
            "\"positions\":[");
    put_positions(&m);
    put(&m,
        "],\"orders\":[],\"usedClientOrderIds\":[\"before-1\"],\"locateInventory\":[],\"routes\":["
        "{\"routeName\":\"SMART\",\"securityTypes\":[\"Stock\"],\"timesInForce\":[\"Day\",\"GoodTillCancel\"]},"
        "{\"routeName\":\"SMARTO\",\"securityTypes\":[\"Option\"],\"timesInForce\":[\"Day\",\"GoodTillCancel\"]},"
        "{\"routeName\":\"SMARTM\",\"securityTypes\":[\"Option\",\"MLEG\"],\"timesInForce\":[\"Day\"]}],\"borrow\":{");
    for (int i = 0; i < STOCKS; i++)
        put(&m, "%s\"%s\":true", i ? "," : "", stocks[i].symbol);
    put(&m, "},\"quotes\":{");
    for (int i = 0; i < STOCKS; i++)
        put(&m, "%s\"%s\":{\"bid\":" CENT ",\"ask\":" CENT ",\"last\":" CENT "}", i ? "," : "", stocks[i].symbol,
            CENTS(stocks[i].cents - 1), CENTS(stocks[i].cents + 1), CENTS(stocks[i].cents));
    put(&m, "}}");
    *len = m.len;
    return m.bytes;
}
