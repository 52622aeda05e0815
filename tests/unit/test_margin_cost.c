/*
 * The notional cost of an opening order: every kind, the price that counts, and orders that have no cost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "margin/cost.h"

#define STOCK(side, open_close, rest) \
    "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"" side "\",\"openClose\":\"" open_close "\"," rest "}"
#define OPTION(symbol, side, open_close, rest)                                                                 \
    "{\"securityType\":\"Option\",\"symbol\":\"" symbol "\",\"side\":\"" side "\",\"openClose\":\"" open_close \
    "\"," rest "}"
#define LEG(symbol, side, ratio, open_close) \
    "{\"symbol\":\"" symbol "\",\"side\":\"" side "\",\"ratio\":" ratio ",\"openClose\":\"" open_close "\"}"
#define MLEG(legs, rest) "{\"securityType\":\"Mleg\",\"symbol\":\"AAPL\",\"legs\":[" legs "]," rest "}"
#define LIMIT(price, quantity) \
    "\"orderType\":\"Limit\",\"limitPrice\":" price ",\"orderQuantity\":" quantity ",\"timeInForce\":\"Day\""
#define MARKET(quantity) "\"orderType\":\"Market\",\"orderQuantity\":" quantity ",\"timeInForce\":\"Day\""
#define STOP(price, quantity) \
    "\"orderType\":\"Stop\",\"stopPrice\":" price ",\"orderQuantity\":" quantity ",\"timeInForce\":\"Day\""
#define C100  "AAPL261218C00100000"
#define C105  "AAPL261218C00105000"
#define P100  "AAPL261218P00100000"
#define P95_5 "AAPL261218P00095500"

enum { NO_QUOTE = 0, QUOTE, NO_ASK }; /* bid 9.90, ask 10.10 */

static const struct {
    const char *line;
    int quote;
    enum og_cost_kind kind;
    const char *cost;
} cases[] = {
    { STOCK("Buy", "Open", LIMIT("10.005", "3")), NO_QUOTE, OG_COST_KNOWN, "30.015" },
    { STOCK("Sell", "Open", LIMIT("10", "100")), NO_QUOTE, OG_COST_KNOWN, "1000" },
    { STOCK("Sell", "Close", LIMIT("10", "100")), QUOTE, OG_COST_NONE, "0" },
    { STOCK("Buy", "Close", MARKET("100")), QUOTE, OG_COST_NONE, "0" },
    { STOCK("Buy", "Open", MARKET("7")), QUOTE, OG_COST_KNOWN, "70.7" },
    { STOCK("Sell", "Open", MARKET("7")), QUOTE, OG_COST_KNOWN, "69.3" },
    { STOCK("Buy", "Open", MARKET("7")), NO_QUOTE, OG_COST_NEEDS_QUOTE, "0" },
    { STOCK("Buy", "Open", MARKET("7")), NO_ASK, OG_COST_NEEDS_QUOTE, "0" },
    { STOCK("Sell", "Open", MARKET("7")), NO_ASK, OG_COST_KNOWN, "69.3" },
    { STOCK("Buy", "Open", STOP("12", "2")), QUOTE, OG_COST_KNOWN, "24" },
    { STOCK("Buy", "Open", STOP("9", "2")), QUOTE, OG_COST_KNOWN, "20.2" },
    { STOCK("Sell", "Open", STOP("9", "2")), QUOTE, OG_COST_KNOWN, "19.8" },
    { STOCK("Buy", "Open", STOP("12", "2")), NO_QUOTE, OG_COST_NEEDS_QUOTE, "0" },
    { STOCK("Buy", "Open", "\"orderType\":\"StopLimit\",\"stopPrice\":9,\"limitPrice\":9.5,\"orderQuantity\":2"),
      NO_QUOTE, OG_COST_KNOWN, "19" },
    /* a limit is the most that the order pays, whatever the quote is */
    { STOCK("Buy", "Open", LIMIT("8", "2")), QUOTE, OG_COST_KNOWN, "16" },
    { STOCK("Buy", "Open", LIMIT("0", "2")), QUOTE, OG_COST_NOT_MODELLED, "0" },
    { STOCK("Buy", "Open", LIMIT("-1", "2")), QUOTE, OG_COST_NOT_MODELLED, "0" },
    { STOCK("Buy", "Open", LIMIT("\"8\"", "2")), QUOTE, OG_COST_NOT_MODELLED, "0" },
    { STOCK("Buy", "Open", LIMIT("8", "0")), QUOTE, OG_COST_NOT_MODELLED, "0" },
    { STOCK("Buy", "Open", LIMIT("8", "1000001")), QUOTE, OG_COST_NOT_MODELLED, "0" },
    { STOCK("Buy", "Open", "\"orderType\":\"Range\",\"orderQuantity\":2"), QUOTE, OG_COST_NOT_MODELLED, "0" },
    { STOCK("Buy", "Open", LIMIT("99999999999999999", "1000000")), QUOTE, OG_COST_OUT_OF_RANGE, "0" },
    { STOCK("Buy", "Open", LIMIT("1e30", "1")), QUOTE, OG_COST_OUT_OF_RANGE, "0" },
    { STOCK("Buy", "Open", LIMIT("-1e30", "1")), QUOTE, OG_COST_NOT_MODELLED, "0" },
    { STOCK("Short", "Open", LIMIT("8", "2")), QUOTE, OG_COST_NOT_MODELLED, "0" },

    { OPTION(C100, "Buy", "Open", LIMIT("2.05", "3")), NO_QUOTE, OG_COST_KNOWN, "615" },
    { OPTION(C100, "Buy", "Open", MARKET("3")), QUOTE, OG_COST_KNOWN, "3030" },
    { OPTION(C100, "Buy", "Close", LIMIT("2.05", "3")), NO_QUOTE, OG_COST_NONE, "0" },
    { OPTION(C100, "Sell", "Open", LIMIT("2.05", "3")), NO_QUOTE, OG_COST_NOT_MODELLED, "0" },
    { OPTION(P100, "Sell", "Open", LIMIT("2.05", "3")), NO_QUOTE, OG_COST_KNOWN, "30000" },
    { OPTION(P95_5, "Sell", "Open", MARKET("1")), NO_QUOTE, OG_COST_KNOWN, "9550" },
    { OPTION("AAPL", "Sell", "Open", LIMIT("2.05", "3")), NO_QUOTE, OG_COST_NOT_MODELLED, "0" },

    { MLEG(LEG(C100, "Buy", "1", "Open") "," LEG(C105, "Sell", "1", "Open"), LIMIT("1.50", "2")), NO_QUOTE,
      OG_COST_KNOWN, "300" },
    { MLEG(LEG(C100, "Sell", "1", "Open") "," LEG(C105, "Buy", "1", "Open"), LIMIT("1.50", "2")), NO_QUOTE,
      OG_COST_NOT_MODELLED, "0" },
    { MLEG(LEG(C100, "Buy", "1", "Open") "," LEG(P100, "Buy", "1", "Open"), LIMIT("7", "1")), NO_QUOTE, OG_COST_KNOWN,
      "700" },
    { MLEG(LEG(C100, "Sell", "1", "Close") "," LEG(C105, "Buy", "1", "Close"), LIMIT("1.50", "2")), NO_QUOTE,
      OG_COST_NONE, "0" },
    { MLEG(LEG(C100, "Buy", "1", "Open") "," LEG(C105, "Sell", "1", "Open"), MARKET("2")), QUOTE, OG_COST_NEEDS_QUOTE,
      "0" },
    { MLEG(LEG("AAPL", "Buy", "100", "Open") "," LEG(C105, "Sell", "1", "Open"), LIMIT("95.25", "1")), NO_QUOTE,
      OG_COST_KNOWN, "9525" },
    { MLEG(LEG(C100, "Buy", "1", "Open") "," LEG(C105, "Sell", "2", "Open"), LIMIT("1.50", "2")), NO_QUOTE,
      OG_COST_NOT_MODELLED, "0" },
};

static void every_case(void **state)
{
    struct og_order *o = og_order_new();

    (void)state;
    assert_non_null(o);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct og_quote q = { .has_bid = true, .has_ask = cases[i].quote == QUOTE, .as_of = OG_TIME_UNKNOWN };
        struct og_money cost = { 7, 7 };
        struct og_mleg m = { .stock_leg = -1 };
        enum og_cost_kind kind;
        char seen[64], wanted[64];

        assert_true(og_money_read("9.90", 4, &q.bid) && og_money_read("10.10", 5, &q.ask));
        assert_int_equal(og_order_read(o, cases[i].line, strlen(cases[i].line)), OG_OK);
        assert_int_equal(o->fault, OG_FAULT_NONE);
        if (o->security == OG_MLEG)
            og_mleg_of(o, &m);
        kind = og_order_cost(o, &m, cases[i].quote ? &q : NULL, &(struct og_own_worth){ 0 }, &cost);
        snprintf(seen, sizeof seen, "case %zu: %d %s", i, (int)kind, og_money_text(cost).s);
        snprintf(wanted, sizeof wanted, "case %zu: %d %s", i, (int)cases[i].kind, cases[i].cost);
        assert_string_equal(seen, wanted);
    }
    og_order_free(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_case) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
