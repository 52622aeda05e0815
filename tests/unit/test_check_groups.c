/*
 * What is known on one underlying, as limits on groups of symbols sum it up, while orders of a linked book come, fill
 * and go.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closes_take_from_what_offsets),
        cmocka_unit_test(rows_in_every_spelling_count),
        cmocka_unit_test(what_is_bought_and_sold_again_offsets_no_more_than_it_is_worth),
        cmocka_unit_test(contracts_and_spreads_are_orders_on_their_underlying),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
