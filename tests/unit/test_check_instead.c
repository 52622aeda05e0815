/*
 * An order that replaces another is decided as if that one did not work, and the book is what it was afterwards.
 */
#include "unit.h"

#include "ordergate/ordergate.h"
#include "ordergate/requests.h"

#include <stdio.h>

#define NOW INT64_C(1768496400000000000) /* 2026-01-15T17:00:00Z */

struct gate {
    struct og_book *book;
    struct og_order *order;
    struct og_scratch *scratch;
    struct og_decision d;
};

static void apply(struct gate *g, const char *rest)
{
    struct og_error err = { 0 };
    char facts[800];

    snprintf(facts, sizeof facts,
             "{\"asOf\":\"2026-01-15T17:00:00Z\",\"accountId\":\"P1\",\"positions\":[],\"orders\":[%s]}", rest);
    if (og_book_apply(g->book, NULL, facts, strlen(facts), "t", &err))
        fail_msg("%s", err.text);
}

static struct gate open_gate(const char *rows)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\nrules:\n"
                               "  position-limit: {level: refuse, shares: 300}\n"
                               "  open-orders: {level: refuse, in_total: 2}\n";
    struct og_error err = { 0 };
    struct og_policy *policy = NULL;
    struct gate g = { .order = og_order_new(), .scratch = og_scratch_new() };

    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        fail_msg("%s", err.text);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_true(g.order && g.scratch);
    apply(&g, rows);
    return g;
}

static void close_gate(struct gate *g)
{
    og_order_free(g->order);
    og_scratch_free(g->scratch);
    og_book_free(g->book);
}

static void read_order(struct gate *g, const char *id, int quantity)
{
    char line[400];

    snprintf(line, sizeof line,
             "{\"accountId\":\"P1\",\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\","
             "\"openClose\":\"Open\",\"orderType\":\"Limit\",\"limitPrice\":100,\"orderQuantity\":%d,"
             "\"timeInForce\":\"Day\",\"clientOrderId\":\"%s\",\"replaces\":\"old\"}",
             quantity, id);
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
}

static bool passes(struct gate *g, int quantity)
{
    read_order(g, "asked", quantity);
    og_check(g->book, g->order, NOW, g->scratch, &g->d);
    return g->d.accepted;
}

static bool is_hopeless(struct gate *g, int quantity)
{
    read_order(g, "asked", quantity);
    assert_true(og_check_in_place(g->book, g->order, NOW, g->scratch, &g->d));
    return !g->d.accepted;
}

/* With `works` of the old order at work and `held` of it filled. */
static void expect(struct gate *g, int works, int held)
{
    for (int again = 0; again < 3; again++) {
        assert_true(passes(g, 300 - works - held));
        assert_false(passes(g, 301 - works - held));
        assert_false(is_hopeless(g, 300 - held));
        assert_true(g->d.accepted);
        assert_true(is_hopeless(g, 301 - held));
        assert_false(g->d.accepted);
    }
}

static og_ticket reserve_old(struct gate *g)
{
    og_ticket ticket = 0;

    read_order(g, "old", 200);
    assert_int_equal(og_reserve(g->book, g->order, NOW, g->scratch, &g->d, &ticket), OG_OK);
    assert_true(g->d.accepted);
    return ticket;
}

static void test_an_order_with_a_ticket(void **state)
{
    struct gate g = open_gate("");
    struct og_ticket_info before, after;
    og_ticket ticket = reserve_old(&g);

    (void)state;
    expect(&g, 200, 0);
    og_ticket_sent(g.book, ticket, NOW);
    expect(&g, 200, 0);
    assert_int_equal(og_ticket_fill(g.book, ticket, 50, og_money_from(100), NOW), OG_OK);
    assert_int_equal(og_book_tickets(g.book, 0, g.order, &before), ticket);
    expect(&g, 150, 50);
    assert_int_equal(og_book_tickets(g.book, 0, g.order, &after), ticket);
    assert_int_equal(before.state, after.state);
    assert_int_equal(before.executed, after.executed);
    assert_int_equal(og_money_cmp(before.reserved, after.reserved), 0);
    og_ticket_release(g.book, ticket);
    assert_true(passes(&g, 250));
    assert_false(passes(&g, 251));
    close_gate(&g);
}

#define ROW                                                                                           \
    "{\"accountId\":\"P1\",\"clientOrderId\":\"old\",\"symbol\":\"AAPL\",\"securityType\":\"Stock\"," \
    "\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Limit\",\"limitPrice\":100,"             \
    "\"orderQuantity\":200,\"executed\":0,\"leaves\":200,\"orderStatus\":\"New\",\"timeInForce\":\"Day\"}"

static void test_an_order_in_a_list(void **state)
{
    struct gate g = open_gate(ROW);

    (void)state;
    expect(&g, 200, 0);
    apply(&g, "");
    assert_true(passes(&g, 300));
    close_gate(&g);
}

static void test_an_order_in_both_counts_once(void **state)
{
    struct gate g = open_gate("");

    (void)state;
    (void)reserve_old(&g);
    apply(&g, ROW);
    expect(&g, 200, 0);
    close_gate(&g);
}

static void test_an_order_that_nobody_knows(void **state)
{
    struct gate g = open_gate("");

    (void)state;
    assert_false(is_hopeless(&g, 300));
    assert_true(is_hopeless(&g, 301));
    close_gate(&g);
}

/* Returns true if the order that replaces `old` is accepted; it is reserved then. */
static bool reserve_in_place(struct gate *g, const char *id, const char *old, int quantity, og_ticket *ticket)
{
    char line[400];

    snprintf(line, sizeof line,
             "{\"accountId\":\"P1\",\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\","
             "\"openClose\":\"Open\",\"orderType\":\"Limit\",\"limitPrice\":100,\"orderQuantity\":%d,"
             "\"timeInForce\":\"Day\",\"clientOrderId\":\"%s\",\"replaces\":\"%s\"}",
             quantity, id, old);
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    assert_string_equal(og_order_replaces(g->order), old);
    assert_int_equal(og_reserve_in_place(g->book, g->order, NOW, g->scratch, &g->d, ticket), OG_OK);
    assert_int_equal(*ticket != 0, g->d.accepted);
    return g->d.accepted;
}

/* An order that is replaced again and again counts once, whether a ticket or a row has the first one. */
static void test_reserved_in_place(void **state)
{
    og_ticket one, two, three, four;

    (void)state;
    for (int row = 0; row < 2; row++) {
        struct gate g = open_gate(row ? ROW : "");

        if (!row)
            (void)reserve_old(&g);
        assert_false(reserve_in_place(&g, "n1", "old", 301, &one));
        assert_false(passes(&g, 101)); /* the old one counts as before */
        assert_true(reserve_in_place(&g, "n1", "old", 250, &one));
        assert_true(passes(&g, 50)); /* the new one alone counts */
        assert_false(passes(&g, 51));
        assert_true(reserve_in_place(&g, "n2", "n1", 300, &two));
        assert_true(reserve_in_place(&g, "n3", "n2", 300, &three));
        assert_false(passes(&g, 1));
        assert_true(reserve_in_place(&g, "n4", "n3", 299, &four));
        assert_true(passes(&g, 1));
        assert_false(passes(&g, 2));
        if (row) {
            apply(&g, ROW); /* it works after all */
            assert_false(passes(&g, 1));
        }
        close_gate(&g);
    }
}

#define ACCOUNT "\"account\":{\"account\":\"P1\",\"bp\":1000}"

/* bp in the document is net of the row.  It never rises by a replacement, and one that takes no more takes none. */
static void test_what_comes_back(void **state)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\nrules:\n  buying-power: refuse\n";
    static const char facts[] =
        "{\"asOf\":\"2026-01-15T17:00:00Z\",\"accountId\":\"P1\",\"positions\":[],\"orders\":[" ROW "]," ACCOUNT "}",
                      again[] = "{\"asOf\":\"2026-01-15T17:00:00Z\",\"accountId\":\"P1\"," ACCOUNT "}",
                      quote[] = "{\"asOf\":\"2026-01-15T17:00:00Z\",\"accountId\":\"P1\",\"pnl\":{\"dayPnl\":0}}";
    struct og_error err = { 0 };
    struct og_policy *policy = NULL;
    struct gate g = { .order = og_order_new(), .scratch = og_scratch_new() };
    og_ticket ticket;

    (void)state;
    assert_int_equal(og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err), OG_OK);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_int_equal(og_book_apply(g.book, NULL, facts, strlen(facts), "t", &err), OG_OK);
    assert_false(reserve_in_place(&g, "n1", "old", 211, &ticket)); /* 1000, and 20,000 of the row */
    assert_true(reserve_in_place(&g, "n1", "old", 100, &ticket));
    assert_true(passes(&g, 10));
    assert_false(passes(&g, 11));
    assert_int_equal(og_book_apply(g.book, NULL, quote, strlen(quote), "t", &err), OG_OK);
    assert_true(passes(&g, 10)); /* the account was not read again */
    assert_false(passes(&g, 11));
    assert_int_equal(og_book_apply(g.book, NULL, again, strlen(again), "t", &err), OG_OK);
    assert_false(passes(&g, 1));
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reserved_in_place),
        cmocka_unit_test(test_what_comes_back),
        cmocka_unit_test(test_an_order_with_a_ticket),
        cmocka_unit_test(test_an_order_in_a_list),
        cmocka_unit_test(test_an_order_in_both_counts_once),
        cmocka_unit_test(test_an_order_that_nobody_knows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
