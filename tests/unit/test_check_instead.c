/*
 * An order that replaces another one is decided as if that one did not work, and the book is unchanged afterwards.
 */
#include <stdio.h>

#include "ordergate/ordergate.h"
#include "ordergate/requests.h"
#include "unit.h"

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

static void read_line(struct gate *g, const char *id, int quantity, const char *more)
{
    char line[400];

    snprintf(line, sizeof line,
             "{\"accountId\":\"P1\",\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\","
             "\"openClose\":\"Open\",\"orderType\":\"Limit\",\"limitPrice\":100,\"orderQuantity\":%d,"
             "\"timeInForce\":\"Day\",\"clientOrderId\":\"%s\"%s}",
             quantity, id, more);
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
}

static void read_order(struct gate *g, const char *id, int quantity)
{
    read_line(g, id, quantity, ",\"replaces\":\"old\"");
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
    assert_true(og_check_replacement(g->book, g->order, NOW, g->scratch, &g->d));
    return !g->d.accepted;
}

/* Assert the working and the held quantity of the old order. */
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

/* Decide an order of that quantity, which replaces none, as if these orders did not exist. */
static bool passes_without(struct gate *g, const char *const *ids, int count, int quantity)
{
    read_line(g, "asked", quantity, "");
    assert_true(og_check_without(g->book, g->order, ids, count, NOW, g->scratch, &g->d));
    return g->d.accepted;
}

static void test_any_orders_are_left_out(void **state)
{
    static const char *const ids[] = { "old", "two", "nobody's" };
    struct gate g = open_gate(ROW);
    og_ticket ticket = 0;

    (void)state;
    read_line(&g, "two", 60, "");
    assert_int_equal(og_reserve(g.book, g.order, NOW, g.scratch, &g.d, &ticket), OG_OK);
    assert_true(g.d.accepted);
    for (int again = 0; again < 3; again++) {
        assert_false(passes_without(&g, ids, 0, 1)); /* two orders work, and the limit is two */
        assert_true(passes_without(&g, ids, 1, 240));
        assert_false(passes_without(&g, ids, 1, 241));
        assert_true(passes_without(&g, ids + 1, 1, 100));
        assert_false(passes_without(&g, ids + 1, 1, 101));
        assert_true(passes_without(&g, ids, 3, 300));
        assert_false(passes_without(&g, ids, 3, 301));
        assert_false(passes_without(&g, ids + 2, 1, 1));
    }
    assert_false(og_check_without(g.book, g.order, ids, OG_WITHOUT_MOST + 1, NOW, g.scratch, &g.d));
    close_gate(&g);
}

static void reserve(struct gate *g, const char *id, const char *symbol, int quantity)
{
    char line[400];
    og_ticket ticket;

    snprintf(line, sizeof line,
             "{\"accountId\":\"P1\",\"securityType\":\"Stock\",\"symbol\":\"%s\",\"side\":\"Buy\","
             "\"openClose\":\"Open\",\"orderType\":\"Limit\",\"limitPrice\":7,\"orderQuantity\":%d,"
             "\"timeInForce\":\"Day\",\"clientOrderId\":\"%s\"}",
             symbol, quantity, id);
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    assert_int_equal(og_reserve(g->book, g->order, NOW, g->scratch, &g->d, &ticket), OG_OK);
    assert_true(g->d.accepted);
}

/* Orders with tickets in several symbols are left out together; afterwards each counts as before. */
static void test_each_is_put_back(void **state)
{
    static const char *const ids[] = { "a", "b", "c" };
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\nrules:\n"
                               "  position-limit: {level: refuse, shares: 300}\n";
    struct gate g = open_gate("");
    struct og_policy *policy = NULL;
    struct og_error err = { 0 };

    (void)state;
    og_book_free(g.book);
    assert_int_equal(og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err), OG_OK);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    apply(&g, "");
    reserve(&g, "a", "AAPL", 100);
    reserve(&g, "b", "MSFT", 50);
    reserve(&g, "c", "F", 10);
    for (int again = 0; again < 3; again++) {
        for (int count = 0; count <= 3; count++) {
            assert_int_equal(passes_without(&g, ids, count, 201), count > 0); /* 201 shares of AAPL */
            read_line(&g, "asked", 200, "");
            og_check(g.book, g.order, NOW, g.scratch, &g.d);
            assert_true(g.d.accepted);
            read_line(&g, "asked", 201, "");
            og_check(g.book, g.order, NOW, g.scratch, &g.d);
            assert_false(g.d.accepted);
        }
    }
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_order_with_a_ticket),       cmocka_unit_test(test_an_order_in_a_list),
        cmocka_unit_test(test_an_order_in_both_counts_once), cmocka_unit_test(test_an_order_that_nobody_knows),
        cmocka_unit_test(test_any_orders_are_left_out),      cmocka_unit_test(test_each_is_put_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
