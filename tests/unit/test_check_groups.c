/*
 * The sums for one underlying, on which limits for groups of symbols rely, while orders of a linked book are sent, fill
 * and end.
 */
#include "gate.h"

#define HELD                                                                                                   \
    BP("100000")                                                                                               \
    ",\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":100,\"priceAvg\":190,\"dayOvernight\":" \
    "\"Day\"}],\"orders\":[]"

/* Assert the values in dollars of longs, of shorts and of the stock that certainly offsets shorts; then the number of
 * orders. */
static void comes_to(const struct gate *g, const char *expected)
{
    struct og_on_underlying sum = { .some = false };
    char text[120];

    og_facts_add_on(facts(g), OG_STR("AAPL"), &sum);
    snprintf(text, sizeof text, "%lld %lld %lld, %d", (long long)sum.longs / 100, (long long)sum.shorts / 100,
             (long long)sum.held_longs / 100, sum.orders);
    assert_string_equal(text, expected);
}

static void closes_take_from_what_offsets(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    apply_at(&g, 0, HELD);
    comes_to(&g, "19000 0 19000, 0");
    t = reserve(&g, 1, STOCK("a", "Sell", "Close", "40", "200"));
    comes_to(&g, "19000 0 11400, 1");
    og_ticket_release(g.book, t);
    comes_to(&g, "19000 0 19000, 0");
    t = reserve(&g, 2, STOCK("b", "Sell", "Close", "40", "200"));
    assert_int_equal(fill(&g, t, 10, "200", 3), OG_OK);
    comes_to(&g, "19000 0 0, 1"); /* the average price is not known until positions are read, and there is no quote */
    apply_at(&g, 4, "\"quotes\":{\"AAPL\":{\"bid\":100,\"ask\":101,\"last\":100.5}}");
    comes_to(&g, "19000 0 6000, 1"); /* 60 of the 90 shares */
    close_gate(&g);
}

static void what_is_bought_and_sold_again_offsets_no_more_than_it_is_worth(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    apply_at(&g, 0, HELD);
    t = reserve(&g, 1, STOCK("a", "Sell", "Close", "100", "200"));
    assert_int_equal(fill(&g, t, 100, "200", 2), OG_OK);
    comes_to(&g, "19000 0 0, 0");
    t = reserve(&g, 3, STOCK("b", "Buy", "Open", "100", "1"));
    comes_to(&g, "19100 0 0, 1"); /* a working order offsets nothing */
    assert_int_equal(fill(&g, t, 100, "1", 4), OG_OK);
    comes_to(&g, "19100 0 0, 0");
    close_gate(&g);
}

static void contracts_and_spreads_are_orders_on_their_underlying(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    apply_at(&g, 0, NOTHING);
    t = reserve(&g, 1, SPREAD("s", "5"));
    (void)reserve(&g, 2, OPTION("o", "Buy", "Open", "1", "3"));
    comes_to(&g, "300 1000 0, 2");
    og_ticket_release(g.book, t);
    comes_to(&g, "300 0 0, 1");
    close_gate(&g);
}

/* However a row of the broker writes a stock, it is on the underlying that orders name. */
static void rows_in_every_spelling_count(void **state)
{
    static const struct {
        const char *row, *member;
    } spelled[] = { { "aapl", "AAPL" },   { "Aapl", "AAPL" },   { "brk.b", "BRK.B" }, { "BRK/B", "BRK.B" },
                    { "brk/b", "BRK.B" }, { "BRK-B", "BRK.B" }, { "brkb", "BRK.B" },  { "brk_b", "BRK.B" } };

    (void)state;
    for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++) {
        struct og_on_underlying sum = { .some = false };
        struct gate g = open_gate();
        char rows[600];

        snprintf(rows, sizeof rows,
                 BP("100000") ",\"positions\":[{\"symbol\":\"%s\",\"side\":\"Long\",\"shares\":100,\"priceAvg\":190}],"
                              "\"orders\":[{\"clientOrderId\":\"a\",\"symbol\":\"%s\",\"securityType\":\"Stock\","
                              "\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Limit\",\"limitPrice\":10,"
                              "\"orderQuantity\":10,\"leavesQuantity\":10,\"orderStatus\":\"New\"}]",
                 spelled[i].row, spelled[i].row);
        apply_at(&g, 0, rows);
        og_facts_add_on(facts(&g), og_str_of(spelled[i].member), &sum);
        if (sum.longs != 1910000 || sum.orders != 1)
            fail_msg("%s counts with %lld cents and %d orders", spelled[i].row, (long long)sum.longs, sum.orders);
        close_gate(&g);
    }
}

/* Assert that the sums of the underlyings add up to those of the account: weighted-exposure deducts the underlyings
 * that it names from the account's sums. */
static void adds_up(const struct gate *g)
{
    static const char *const all[] = { "AAPL", "SPX", "BRK.B", "F", "MSFT", "?" };
    const struct og_beyond account = og_facts_exposure(facts(g));
    struct og_on_underlying sum = { .some = false };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        og_facts_add_on(facts(g), og_str_of(all[i]), &sum);
    assert_int_equal((long long)sum.longs, (long long)account.longs);
    assert_int_equal((long long)sum.shorts, (long long)account.shorts);
    assert_int_equal(sum.unpriced, account.unpriced);
}

#define P(symbol, traded, type, side, shares, price)                                                            \
    "{\"symbol\":\"" symbol "\",\"tradedSymbol\":\"" traded "\",\"securityType\":\"" type "\",\"side\":\"" side \
    "\",\"shares\":" shares ",\"priceAvg\":" price ",\"dayOvernight\":\"Day\"}"
#define W(id, symbol, type, side, oc, quantity)                                                                \
    "{\"clientOrderId\":\"" id "\",\"orderStatus\":\"New\",\"securityType\":\"" type "\",\"symbol\":\"" symbol \
    "\",\"side\":\"" side "\",\"openClose\":\"" oc "\",\"orderType\":\"Limit\""                                \
    ",\"limitPrice\":7,\"orderQuantity\":" quantity ",\"leavesQuantity\":" quantity "}"

static void underlyings_have_together_what_the_account_has(void **state)
{
    static const char *const books[] = {
        "\"positions\":[" P("AAPL", "AAPL", "Stock", "Long", "150",
                            "190") "," P("AAPL", CALL, "Option", "Short", "2",
                                         "3") "," P("MSFT", "MSFT", "Stock", "Short", "10", "400") "],\"orders\":[]",
        "\"positions\":[" P("SPXW", "SPXW260116P05000000", "Option", "Short", "2", "3") "," P(
            "SPX", "SPX260116P04900000", "Option", "Long", "1",
            "2") "],\"orders\":[" W("w", "SPXW260116P04800000", "Option", "Sell", "Open", "3") "]",
        "\"positions\":[" P("BRKB", "BRKB", "Stock", "Long", "5",
                            "400") "," P("BRK.B", "BRK.B", "Stock", "Long", "7",
                                         "410") "],\"orders\":[" W("w", "BRK-B", "Stock", "Buy", "Open", "3") "]",
        "\"positions\":[" P("AAPL1", "AAPL1260116C00150000", "Option", "Long", "2", "3") "," P(
            "AAPL", "AAPL", "Stock", "Long", "10", "190") "],\"orders\":[" W("w", "AAPL", "Stock", "Sell", "Close",
                                                                             "25") "," W("v", "MSFT", "Stock", "Buy",
                                                                                         "Close", "4") "]",
        "\"positions\":[{\"symbol\":\"F\",\"side\":\"Long\",\"shares\":10}],\"orders\":[{\"clientOrderId\":\"m\","
        "\"orderStatus\":\"New\",\"securityType\":\"Mleg\",\"symbol\":\"F\",\"orderQuantity\":2,\"limitPrice\":1}]",
        "\"positions\":[],\"orders\":[],\"gate\":{\"inFlight\":[\"x\"]}",
        "\"orders\":[" W("w", "AAPL", "Stock", "Sell", "Close", "25") "]",
    };

    (void)state;
    for (size_t i = 0; i < sizeof books / sizeof books[0]; i++) {
        struct gate g = open_gate();
        char document[1500];
        og_ticket t[4];

        snprintf(document, sizeof document, BP("100000") ",%s", books[i]);
        apply_at(&g, 0, document);
        adds_up(&g);
        t[0] = reserve(&g, 1, STOCK("a", "Buy", "Open", "40", "200"));
        t[1] = reserve(&g, 1, SPREAD("s", "3"));
        t[2] = reserve(&g, 1, OPTION("o", "Sell", "Open", "1", "3"));
        t[3] = reserve(&g, 1, STOCK("c", "Sell", "Close", "30", "180"));
        adds_up(&g);
        assert_int_equal(fill(&g, t[0], 10, "199", 2), OG_OK);
        assert_int_equal(fill(&g, t[1], 1, "2", 2), OG_OK);
        assert_int_equal(fill(&g, t[2], 1, "3", 2), OG_OK);
        assert_int_equal(fill(&g, t[3], 5, "181", 2), OG_OK);
        adds_up(&g);
        apply_at(&g, 3, "\"quotes\":{\"AAPL\":{\"bid\":100,\"ask\":101,\"last\":100.5}}");
        adds_up(&g);
        for (int k = 0; k < 4; k++)
            og_ticket_release(g.book, t[k]);
        adds_up(&g);
        close_gate(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closes_take_from_what_offsets),
        cmocka_unit_test(rows_in_every_spelling_count),
        cmocka_unit_test(what_is_bought_and_sold_again_offsets_no_more_than_it_is_worth),
        cmocka_unit_test(contracts_and_spreads_are_orders_on_their_underlying),
        cmocka_unit_test(underlyings_have_together_what_the_account_has),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
