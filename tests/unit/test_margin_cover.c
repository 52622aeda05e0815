/*
 * Cover of short options by stock and by other contracts, how working orders reduce it, and the order itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "facts/facts_book.h"
#include "margin/cover.h"
#include "text/doc.h"

#define SHARES(n) "{\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Long\",\"shares\":" n "}"
#define HELD(occ, side, n)                                                                               \
    "{\"symbol\":\"AAPL\",\"tradedSymbol\":\"AAPL" occ "\",\"securityType\":\"Option\",\"side\":\"" side \
    "\",\"shares\":" n "}"
#define WORKS(symbol, type, side, open_close, n)                                                                      \
    "{\"clientOrderId\":\"" symbol side "\",\"symbol\":\"" symbol "\",\"securityType\":\"" type "\",\"side\":\"" side \
    "\",\"openClose\":\"" open_close "\",\"orderStatus\":\"New\",\"orderQuantity\":" n ",\"leavesQuantity\":" n       \
    ",\"executed\":0,\"orderType\":\"Limit\",\"timeInForce\":\"Day\"}"
#define ORDER(symbol, type, side, open_close, n)                                                                 \
    "{\"symbol\":\"" symbol "\",\"securityType\":\"" type "\",\"side\":\"" side "\",\"openClose\":\"" open_close \
    "\",\"orderType\":\"Market\",\"orderQuantity\":" n ",\"timeInForce\":\"Day\"}"
#define ROLL                                                                                                       \
    "{\"symbol\":\"AAPL\",\"securityType\":\"Mleg\",\"orderType\":\"Limit\",\"limitPrice\":1,\"orderQuantity\":2," \
    "\"timeInForce\":\"Day\",\"legs\":[{\"symbol\":\"AAPL261218C00100000\",\"side\":\"Buy\",\"ratio\":1,"          \
    "\"openClose\":\"Close\"},{\"symbol\":\"AAPL261218C00110000\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":"    \
    "\"Open\"}]}"

/* options that expire in December and in January */
#define DC100 "261218C00100000"
#define DC110 "261218C00110000"
#define DC120 "261218C00120000"
#define JC100 "270115C00100000"
#define JC110 "270115C00110000"
#define DP100 "261218P00100000"
#define DP90  "261218P00090000"

static const struct {
    const char *positions, *orders, *order;
    enum og_cover_with with;
    char type;
    int lots, longs, unpaired;
} cases[] = {
    { "", "", NULL, OG_COVER_AS_IS, 'C', 0, 0, 0 },
    { SHARES("299.5"), "", NULL, OG_COVER_AS_IS, 'C', 2, 0, 0 },
    { SHARES("300"), "", NULL, OG_COVER_AS_IS, 'C', 3, 0, 0 },
    { SHARES("250") "," SHARES("50"), "", NULL, OG_COVER_AS_IS, 'C', 3, 0, 0 },
    /* a working sale of shares leaves fewer lots */
    { SHARES("300"), WORKS("AAPL", "Stock", "Sell", "Close", "1"), NULL, OG_COVER_AS_IS, 'C', 2, 0, 0 },
    /* short stock covers nothing, and does not count as a short contract */
    { HELD(DC100, "Short", "2"), "", NULL, OG_COVER_AS_IS, 'C', 0, 0, 2 },
    { HELD(DC100, "Short", "2"), "", NULL, OG_COVER_AS_IS, 'P', 0, 0, 0 },
    /* contracts that a working order writes count as written */
    { HELD(DC100, "Short", "2"), WORKS("AAPL" DC110, "Option", "Sell", "Open", "3"), NULL, OG_COVER_AS_IS, 'C', 0, 0,
      5 },
    /* calls: the long has the same or a lower strike, and the same or a later expiry */
    { HELD(DC110, "Short", "2") "," HELD(DC100, "Long", "1"), "", NULL, OG_COVER_AS_IS, 'C', 0, 0, 1 },
    { HELD(DC100, "Short", "2") "," HELD(DC110, "Long", "2"), "", NULL, OG_COVER_AS_IS, 'C', 0, 2, 2 },
    { HELD(DC110, "Short", "2") "," HELD(JC110, "Long", "3"), "", NULL, OG_COVER_AS_IS, 'C', 0, 1, 0 },
    { HELD(JC110, "Short", "2") "," HELD(DC110, "Long", "3"), "", NULL, OG_COVER_AS_IS, 'C', 0, 3, 2 },
    /* puts: the long has the same or a higher strike */
    { HELD(DP90, "Short", "2") "," HELD(DP100, "Long", "2"), "", NULL, OG_COVER_AS_IS, 'P', 0, 0, 0 },
    { HELD(DP100, "Short", "2") "," HELD(DP90, "Long", "2"), "", NULL, OG_COVER_AS_IS, 'P', 0, 2, 2 },
    /* a long that a working order sells covers nothing */
    { HELD(DC110, "Short", "2") "," HELD(DC100, "Long", "2"), WORKS("AAPL" DC100, "Option", "Sell", "Close", "1"), NULL,
      OG_COVER_AS_IS, 'C', 0, 0, 1 },
    /* pairing begins with the nearest strike and the latest short, so every short finds a long here, whatever the order
     * of rows */
    { HELD(DC110, "Short", "1") "," HELD(DC120, "Short", "1") "," HELD(DC100, "Long", "1") "," HELD(JC110, "Long", "1"),
      "", NULL, OG_COVER_AS_IS, 'C', 0, 0, 0 },
    { HELD(DC120, "Short", "1") "," HELD(DC100, "Short", "1") "," HELD(DC100, "Long", "1") "," HELD(DC110, "Long", "1"),
      "", NULL, OG_COVER_AS_IS, 'C', 0, 0, 0 },
    { HELD(DC110, "Short", "1") "," HELD(JC110, "Short", "1") "," HELD(JC100, "Long", "1") "," HELD(DC100, "Long", "1"),
      "", NULL, OG_COVER_AS_IS, 'C', 0, 0, 0 },
    /* the order itself counts too */
    { SHARES("300"), "", ORDER("AAPL", "Stock", "Sell", "Close", "101"), OG_COVER_FILLED, 'C', 1, 0, 0 },
    { SHARES("300"), "", ORDER("AAPL", "Stock", "Buy", "Open", "100"), OG_COVER_FILLED, 'C', 4, 0, 0 },
    { SHARES("300"), "", ORDER("AAPL", "Stock", "Buy", "Open", "100"), OG_COVER_CLOSES, 'C', 3, 0, 0 },
    { SHARES("300"), "", ORDER("AAPL", "Stock", "Sell", "Open", "100"), OG_COVER_FILLED, 'C', 3, 0, 0 },
    { SHARES("300"), "", ORDER("MSFT", "Stock", "Sell", "Close", "100"), OG_COVER_FILLED, 'C', 3, 0, 0 },
    { SHARES("100"), "", ORDER("AAPL", "Stock", "Sell", "Close", "300"), OG_COVER_FILLED, 'C', 0, 0, 0 },
    { HELD(DC100, "Long", "2"), "", ORDER("AAPL" DC110, "Option", "Sell", "Open", "3"), OG_COVER_FILLED, 'C', 0, 0, 1 },
    { HELD(DC110, "Short", "2") "," HELD(DC100, "Long", "2"), "", ORDER("AAPL" DC100, "Option", "Sell", "Close", "2"),
      OG_COVER_FILLED, 'C', 0, 0, 2 },
    { HELD(DC110, "Short", "2"), "", ORDER("AAPL" DC110, "Option", "Buy", "Close", "2"), OG_COVER_FILLED, 'C', 0, 0,
      0 },
    { HELD(DC110, "Short", "2"), "", ORDER("AAPL" DP100, "Option", "Sell", "Open", "2"), OG_COVER_FILLED, 'C', 0, 0,
      2 },
    { HELD(DC100, "Short", "2"), "", ROLL, OG_COVER_CLOSES, 'C', 0, 0, 0 },
    { HELD(DC100, "Short", "2"), "", ROLL, OG_COVER_FILLED, 'C', 0, 0, 2 },
};

static struct og_facts *facts_of(const char *json)
{
    struct og_facts *f = og_facts_new(OG_STR("L1"));
    struct og_error err = { 0 };
    cJSON *doc;

    assert_non_null(f);
    assert_int_equal(og_doc_read(json, strlen(json), "facts", &doc, &err), OG_OK);
    if (og_facts_load(f, doc, "facts", &err))
        fail_msg("%s in %s", err.text, json);
    cJSON_Delete(doc);
    return f;
}

static void every_case(void **state)
{
    struct og_order *o = og_order_new();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct og_cover cover;
        struct og_facts *f;
        char json[4096], seen[96], wanted[96];

        snprintf(json, sizeof json, "{\"positions\":[%s],\"orders\":[%s]}", cases[i].positions, cases[i].orders);
        f = facts_of(json);
        if (cases[i].order)
            assert_int_equal(og_order_read(o, cases[i].order, strlen(cases[i].order)), OG_OK);
        assert_true(og_cover_of(f, OG_STR("AAPL"), cases[i].type, cases[i].order ? o : NULL, cases[i].with, 0, &cover));
        snprintf(seen, sizeof seen, "case %zu: %d %d %d", i, (int)cover.lots, (int)cover.longs, (int)cover.unpaired);
        snprintf(wanted, sizeof wanted, "case %zu: %d %d %d", i, cases[i].lots, cases[i].longs, cases[i].unpaired);
        assert_string_equal(seen, wanted);
        og_facts_free(f);
    }
    og_order_free(o);
}

static void more_contracts_than_are_looked_at(void **state)
{
    enum { ROOM = 64 * 1024 };
    char *json = malloc(ROOM);
    struct og_cover cover;

    (void)state;
    assert_non_null(json);
    for (int count = OG_COVER_MOST; count <= OG_COVER_MOST + 1; count++) {
        size_t n = (size_t)snprintf(json, ROOM, "{\"orders\":[],\"positions\":[" SHARES("100"));
        struct og_facts *f;

        for (int i = 0; i < count; i++)
            n += (size_t)snprintf(json + n, ROOM - n, "," HELD("261218C%08d", "Long", "1"), 1000 * (i + 1));
        snprintf(json + n, ROOM - n, "]}");
        f = facts_of(json);
        assert_int_equal(og_cover_of(f, OG_STR("AAPL"), 'C', NULL, OG_COVER_AS_IS, 0, &cover), count == OG_COVER_MOST);
        og_facts_free(f);
    }
    free(json);
}

static void the_smaller_level_holds(void **state)
{
    static const int pairs[][3] = { { 2, 2, 2 }, { 2, 3, 2 }, { 3, 2, 2 }, { -1, 3, 3 }, { 0, -1, 0 }, { -1, -1, -1 } };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_int_equal(
            og_option_level(&(struct og_account){ .opt_level = pairs[i][0], .option_trading_level = pairs[i][1] }),
            pairs[i][2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_case),
                                        cmocka_unit_test(more_contracts_than_are_looked_at),
                                        cmocka_unit_test(the_smaller_level_holds) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
