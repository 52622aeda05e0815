/*
 * Rows and frames of the broker given to a linked book: each changes only the ticket of its own order, found by
 * account and id; old, late and repeated ones change nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/book.h"
#include "ordergate/ordergate.h"

#define START INT64_C(1768496400000000000)

static struct {
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order;
} g;

static int set_up(void **state)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\nunsure: warn\nrules:\n  buying-power: info\n";
    char facts[400];
    struct og_policy *policy;
    int n;

    (void)state;
    n = snprintf(
        facts, sizeof facts,
        "{\"asOf\":\"%s\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\",\"bp\":100000},\"positions\":[],"
        "\"orders\":[]}",
        og_time_text(START).s);
    assert_int_equal(og_policy_read(yaml, sizeof yaml - 1, "t", &policy, NULL, NULL, NULL), OG_OK);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_int_equal(og_book_halt_source(g.book, "", NULL), OG_OK);
    g.scratch = og_scratch_new();
    g.order = og_order_new();
    assert_int_equal(og_book_apply(g.book, NULL, facts, (size_t)n, "facts", NULL), OG_OK);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    og_scratch_free(g.scratch);
    og_order_free(g.order);
    og_book_free(g.book);
    return 0;
}

static og_ticket reserve(const char *id, const char *tif)
{
    struct og_decision d;
    char line[400];
    og_ticket t;

    snprintf(line, sizeof line,
             "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":"
             "\"Limit\","
             "\"orderQuantity\":100,\"limitPrice\":190,\"timeInForce\":\"%s\",\"clientOrderId\":\"%s\"}",
             tif, id);
    assert_int_equal(og_order_read(g.order, line, strlen(line)), OG_OK);
    assert_int_equal(og_reserve(g.book, g.order, START + 1, g.scratch, &d, &t), OG_OK);
    assert_true(t);
    return t;
}

/* Apply a row. Returns the ticket that it changed; 0: none. */
static og_ticket row(const char *account, const char *json)
{
    struct og_error err = { 0 };
    og_ticket t = 77;
    enum og_status s = og_book_row(g.book, account, json, strlen(json), START + 1000, &t, &err);

    if (s)
        fail_msg("%s: %s", json, err.text);
    return t;
}

/* Assert bp, the position and the working quantities. */
static void is(const char *expected)
{
    const struct og_facts *f = g.book->account[1];
    const struct og_holding *h = og_facts_holding(f, OG_STR("AAPL"));
    char text[100];

    snprintf(text, sizeof text, "%s %s %s", og_money_text(og_facts_account(f)->bp).s,
             h ? og_money_text(h->held_long).s : "0", h ? og_money_text(h->opening_buy_leaves).s : "0");
    assert_string_equal(text, expected);
}

#define REST(id, status, executed, more)                                                               \
    "{\"accountId\":\"L1\",\"clientOrderId\":\"" id "\",\"orderStatus\":\"" status                     \
    "\",\"text\":null,\"executed\":" executed                                                          \
    ",\"orderQuantity\":100,\"symbol\":\"AAPL\",\"tradedSymbol\":\"AAPL\",\"securityType\":\"Stock\"," \
    "\"side\":\"Buy\"" more "}"

static void a_rows_life(void **state)
{
    og_ticket t = reserve("a", "Day");

    (void)state;
    assert_int_equal(row("L1", REST("a", "PendingNew", "0", "")), t);
    is("81000 0 100");
    assert_int_equal(row("L1", REST("a", "PartiallyFilled", "50", ",\"limitPrice\":1900")), 0); /* another order's */
    assert_int_equal(row("L1", REST("a", "New", "0", ",\"limitPrice\":190.0,\"priceStop\":3")), t);
    assert_int_equal(row("L1", REST("a", "PartiallyFilled", "40", ",\"priceAvg\":190")), t);
    is("81000 40 60");
    assert_int_equal(row("L1", REST("a", "PartiallyFilled", "30", ",\"priceAvg\":190")), t); /* late */
    assert_int_equal(row("L1", REST("a", "New", "0", "")), t);
    assert_int_equal(row("L1", REST("a", "PartiallyFilled", "40", ",\"priceAvg\":190")), t);
    is("81000 40 60");
    assert_int_equal(row("l1", REST("a", "Canceled", "40", ",\"priceAvg\":190,\"canceledQuantity\":60")), t);
    is("92400 40 0");
    assert_int_equal(row("L1", REST("a", "New", "0", "")), t); /* an order that ended does not work again */
    is("92400 40 0");
    assert_int_equal(row("L1", REST("a", "Canceled", "50", ",\"priceAvg\":190")), t); /* more had filled than was
                                                                                       * known */
    is("90500 50 0");
}

static void frames_of_both_spellings(void **state)
{
    og_ticket t = reserve("a:b", "Day"), u = reserve("c", "Day");

    (void)state;
    assert_int_equal(
        row("L1",
            "{\"type\":\"x\",\"order\":{\"account\":\"L1\",\"userOrderId\":\"L1:a:b\",\"status\":\"PartiallyFilled\","
            "\"orderStatus\":\"PartiallyFilled\",\"executed\":10,\"lvsQty\":90,\"lastQty\":10,\"priceAvg\":190,"
            "\"cancelledQuantity\":0,\"symbol\":\"AAPL\"}}"),
        t);
    is("62000 10 190");
    assert_int_equal(row(NULL, "{\"userOrderId\":\"L1:c\",\"status\":\"Filled\",\"priceAvg\":180}"), u); /* all of it
                                                                                                          * filled */
    is("63000 110 90");
    assert_int_equal(row("L1", "{\"status\":\"CONNECTED\",\"message\":\"hello\"}"), 0);
    assert_int_equal(row("L1", "{\"id\":\"1\",\"symbol\":\"AAPL\",\"shares\":100,\"side\":\"Long\"}"), 0);
}

static void rows_of_others_move_nothing(void **state)
{
    og_ticket t = reserve("fo1", "Day");

    (void)state;
    assert_int_equal(row("L1", "{\"userOrderId\":\"L2:fo1\",\"orderStatus\":\"Rejected\"}"), 0);
    assert_int_equal(row("L1", "{\"accountId\":\"L2\",\"clientOrderId\":\"fo1\",\"orderStatus\":\"Rejected\"}"), 0);
    assert_int_equal(row(NULL, "{\"accountId\":\"L2\",\"clientOrderId\":\"fo1\",\"orderStatus\":\"Rejected\"}"), 0);
    assert_int_equal(row("L2", "{\"clientOrderId\":\"fo1\",\"orderStatus\":\"Rejected\"}"), 0);
    assert_int_equal(row("L1", "{\"account\":\"L1\",\"userOrderId\":\"L2:fo1\",\"orderStatus\":\"Rejected\"}"), 0);
    assert_int_equal(row("L1", "{\"userOrderId\":\"L1:x\",\"clientOrderId\":\"fo1\",\"orderStatus\":\"Rejected\"}"), 0);
    assert_int_equal(row("L1", REST("fo", "Rejected", "0", "")), 0);
    assert_int_equal(row("L1", REST("fo12", "Rejected", "0", "")), 0);
    assert_int_equal(row("L1", "{\"clientOrderId\":\"fo1\",\"orderStatus\":\"Rejected\",\"orderQuantity\":99}"), 0);
    assert_int_equal(row("L1", "{\"clientOrderId\":\"fo1\",\"orderStatus\":\"Rejected\",\"symbol\":\"MSFT\"}"), 0);
    assert_int_equal(row("L1", "{\"clientOrderId\":\"fo1\",\"orderStatus\":\"Rejected\",\"side\":\"SellShort\"}"), 0);
    is("81000 0 100");
    assert_int_equal(row("L1", "{\"clientOrderId\":\"fo1\",\"orderStatus\":\"Rejected\",\"text\":null}"), t);
    is("100000 0 0");
    assert_int_equal(row("L1", "{\"clientOrderId\":\"fo1\",\"orderStatus\":\"Rejected\",\"text\":null}"), 0);
}

static void a_rewritten_id(void **state)
{
    og_ticket t = reserve("v1", "Day"), u = reserve("v2", "Day"), own = reserve("v2INVALID", "Day");

    (void)state;
    assert_int_equal(row("L1", REST("v1INVALID", "New", "0", "")), 0); /* an id is rewritten only on a Rejected row */
    assert_int_equal(row("L1", REST("v1INVALID", "Canceled", "0", "")), 0);
    assert_int_equal(row("L1", REST("v2INVALID", "Rejected", "0", "")), own); /* an order was sent under the rewritten
                                                                               * id: the row is that order's */
    assert_int_equal(row("L1", REST("v2INVALID", "Rejected", "0", "")), 0);   /* the same row again: the order is
                                                                               * rejected already */
    assert_int_equal(row("L1", REST("v1INVALIDx", "Rejected", "0", "")), 0);
    assert_int_equal(row("L1", REST("INVALID", "Rejected", "0", "")), 0);
    is("62000 0 200");
    assert_int_equal(row("L1", REST("v1INVALID", "Rejected", "0", "")), t);
    is("81000 0 100");
    assert_int_equal(row("L1", REST("v2", "PendingNew", "0", "")), u);
    assert_int_equal(row("L1", REST("v2INVALIDINVALID", "Rejected", "0", "")), 0);
    t = reserve("v3", "Day");
    assert_int_equal(row("L1", REST("v3", "New", "0", "")), t);
    assert_int_equal(row("L1", REST("v3INVALID", "Rejected", "0", "")), 0); /* the broker has shown the order under its
                                                                             * own id */
    is("62000 0 200");
}

static void what_is_rejected_for_reuse_is_another(void **state)
{
    og_ticket t = reserve("a", "Day");

    (void)state;
    assert_int_equal(row("L1", REST("a", "New", "0", "")), t);
    assert_int_equal(row("L1", "{\"clientOrderId\":\"a\",\"orderStatus\":\"Rejected\",\"text\":\"R114: duplicate\"}"),
                     0);
    is("81000 0 100");
}

static void the_days_end(void **state)
{
    og_ticket day = reserve("d", "Day"), gtc = reserve("g", "GoodTillCancel");

    (void)state;
    assert_int_equal(row("L1", REST("g", "DoneForDay", "0", "")), gtc);
    is("62000 0 200");
    assert_int_equal(row("L1", REST("d", "DoneForDay", "0", "")), day);
    is("81000 0 100");
    assert_int_equal(row("L1", REST("g", "Suspended", "0", "")), gtc); /* a status that the service does not document */
    is("81000 0 100");
    assert_int_equal(row("L1", REST("g", "Expired", "0", "")), gtc);
    is("100000 0 0");
}

static void nonsense_changes_nothing(void **state)
{
    static const char *const bad[] = { "", "[]", "[{}]", "1", "null", "{", "{\"a\":1,\"a\":2}" };
    og_ticket t = reserve("a", "Day");
    struct og_error err = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        og_ticket moved = 7;

        assert_int_equal(og_book_row(g.book, "L1", bad[i], strlen(bad[i]), START, &moved, &err), OG_ESYNTAX);
        assert_int_equal(moved, 0);
    }
    assert_int_equal(og_book_row(g.book, "L1", REST("a", "PartiallyFilled", "101", ""),
                                 strlen(REST("a", "PartiallyFilled", "101", "")), START, &t, &err),
                     OG_EINVAL);
    assert_int_equal(row("L1", "{}"), 0);
    is("81000 0 100");
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(a_rows_life),
        T(frames_of_both_spellings),
        T(rows_of_others_move_nothing),
        T(a_rewritten_id),
        T(what_is_rejected_for_reuse_is_another),
        T(the_days_end),
        T(nonsense_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
