/*
 * A spread with a ticket, whose row in the order list has no legs: the ticket tells what it trades, even after the
 * ticket was dropped because documents contain the order.
 */
#include "gate.h"

#define ROW(status, done)                                                                                \
    "{\"accountId\":\"L1\",\"clientOrderId\":\"s1\",\"orderStatus\":\"" status "\",\"symbol\":\"AAPL\"," \
    "\"securityType\":\"MLEG\",\"orderQuantity\":5,\"executed\":" done ",\"limitPrice\":2,\"legs\":null}"
#define READ(bp, positions, row) BP(bp) ",\"positions\":[" positions "],\"orders\":[" row "]"
#define HELD                                                                                                         \
    "{\"symbol\":\"AAPL\",\"tradedSymbol\":\"" CALL "\",\"securityType\":\"Option\",\"side\":\"Long\",\"shares\":2," \
    "\"priceAvg\":4},{\"symbol\":\"AAPL\",\"tradedSymbol\":\"" CALL2 "\",\"securityType\":\"Option\",\"side\":"      \
    "\"Short\",\"shares\":2,\"priceAvg\":2}"

static og_ticket forgotten(struct gate *g)
{
    og_ticket t;

    apply_at(g, 0, NOTHING);
    t = reserve(g, 100, SPREAD("s1", "5"));
    og_ticket_sent(g->book, t, START + 200 * MS);
    apply_at(g, 4000, READ("99000", "", ROW("New", "0")));
    og_ticket_forget(g->book, t);
    return t;
}

static void legs_stay_known(void **state)
{
    struct gate g = open_gate();

    (void)state;
    (void)forgotten(&g);
    assert_false(og_facts_has_legless(facts(&g), OG_STR("AAPL")));
    assert_int_equal(og_facts_totals(facts(&g))->orders, 1);
    holds(&g, CALL, "0 0, 5 0 0 0");
    holds(&g, CALL2, "0 0, 0 5 0 0");
    bp_is(&g, "99000"); /* the account's bp is net of the order */
    apply_at(&g, 5000, READ("99000", "", ROW("New", "0")));
    assert_false(og_facts_has_legless(facts(&g), OG_STR("AAPL")));
    holds(&g, CALL2, "0 0, 0 5 0 0");
    bp_is(&g, "99000");
    close_gate(&g);
}

static void what_fills_of_it_is_followed(void **state)
{
    struct gate g = open_gate();

    (void)state;
    (void)forgotten(&g);
    apply_at(&g, 9000, READ("99000", HELD, ROW("PartiallyFilled", "2"))); /* positions may lack the newest fill */
    holds(&g, CALL, "2 0, 5 0 0 0");
    apply_at(&g, 14000, READ("99000", HELD, ROW("PartiallyFilled", "2")));
    holds(&g, CALL, "2 0, 3 0 0 0");
    bp_is(&g, "99000");
    apply_at(&g, 15000, READ("99000", HELD, ROW("Canceled", "2")));
    holds(&g, CALL, "2 0, 0 0 0 0");
    assert_int_equal(og_facts_totals(facts(&g))->orders, 0);
    close_gate(&g);
}

static void it_ends_when_it_left_the_list(void **state)
{
    struct gate g = open_gate();
    struct og_ticket_info info;

    (void)state;
    (void)forgotten(&g);
    apply_at(&g, 9000, READ("100000", "", ""));
    apply_at(&g, 14000, READ("100000", "", ""));
    assert_int_equal(og_book_tickets(g.book, 0, g.order, &info), 0);
    assert_int_equal(og_facts_totals(facts(&g))->orders, 0);
    assert_int_equal(og_facts_id(facts(&g), OG_STR("s1")), OG_ID_ACCEPTED);
    bp_is(&g, "100000");
    close_gate(&g);
}

static void it_may_be_forgotten_twice(void **state)
{
    struct gate g = open_gate();

    (void)state;
    og_ticket_forget(g.book, forgotten(&g));
    holds(&g, CALL, "0 0, 5 0 0 0");
    assert_int_equal(og_facts_totals(facts(&g))->orders, 1);
    bp_is(&g, "99000");
    close_gate(&g);
}

/* A row with its legs is complete: the ticket is dropped, and the row counts. */
static void a_row_with_legs_counts_itself(void **state)
{
    static const char row[] =
        "{\"accountId\":\"L1\",\"clientOrderId\":\"s1\",\"orderStatus\":\"New\",\"symbol\":\"AAPL\",\"securityType\":"
        "\"MLEG\",\"orderQuantity\":5,\"executed\":0,\"limitPrice\":2,\"legs\":[{\"symbol\":\"" CALL
        "\",\"side\":\"Buy\",\"qty\":5,\"lvsQty\":5,\"openClose\":\"Open\"},{\"symbol\":\"" CALL2
        "\",\"side\":\"Sell\",\"qty\":5,\"lvsQty\":5,\"openClose\":\"Open\"}]}";
    struct gate g = open_gate();
    struct og_ticket_info info;
    char rest[1500];
    og_ticket t;

    (void)state;
    apply_at(&g, 0, NOTHING);
    t = reserve(&g, 100, SPREAD("s1", "5"));
    og_ticket_sent(g.book, t, START + 200 * MS);
    snprintf(rest, sizeof rest, BP("99000") ",\"positions\":[],\"orders\":[%s]", row);
    apply_at(&g, 4000, rest);
    og_ticket_forget(g.book, t);
    assert_int_equal(og_book_tickets(g.book, 0, g.order, &info), 0);
    holds(&g, CALL2, "0 0, 0 5 0 0");
    bp_is(&g, "99000");
    close_gate(&g);
}

/* If an order never had a ticket, it is unknown what it trades. */
static void without_a_ticket_nothing_is_known(void **state)
{
    struct gate g = open_gate();

    (void)state;
    apply_at(&g, 0, READ("99000", "", ROW("New", "0")));
    assert_true(og_facts_has_legless(facts(&g), OG_STR("AAPL")));
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legs_stay_known),
        cmocka_unit_test(what_fills_of_it_is_followed),
        cmocka_unit_test(it_ends_when_it_left_the_list),
        cmocka_unit_test(it_may_be_forgotten_twice),
        cmocka_unit_test(a_row_with_legs_counts_itself),
        cmocka_unit_test(without_a_ticket_nothing_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
