/*
 * Evaluating allocates nothing: expressions of every kind, those that fail or lack facts, patterns that match or
 * give up, messages; over stock and over spreads.
 */
#include "../bench/custom.h"
#include "count_alloc.h"
#include "expr_case.h"
#include "unit.h"

static const char *const texts[] = {
    "order.action == \"Short\" && order.limitPrice >= 5.0",
    "!(order.symbol in [\"AMC\", \"GME\"]) || order.notional / 3.0 > 1.5",
    "order.symbol in [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", \"GME\"]",
    "order.symbol.matches(\"^(GME|AMC)$\") && order.symbol.matches(\"(?i)g.e\")",
    "(order.symbol + \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\").matches(\"(a+)+$\")",
    "order.legs.all(l, l.right == \"Put\" && l.expiry > session.date && l.strike * 100 > 5)",
    "[order.symbol, \"x\"].exists_one(s, s.size() == 3) && string(order.limitPrice) + \"a\" == \"4.995a\"",
    "now.getHours() >= 9 && now.getDayOfWeek(\"UTC\") < 6 && now - duration(\"1h\") < now",
    "account.equity > book.gross && position.quantity + 5 > 0 && quote.mid > 1.0",
    "order.stopPrice / 0.5 > 1.0 || order.route == \"SMART\"",
    "counters.ordersToday < 5 && counters.dayPnl > -100 && borrow.easy",
    "int(string(order.orderQuantity)) == 100 ? session.open : has(order.stopPrice)",
    "string(now).startsWith(\"2026\") && string(quote.age).endsWith(\"s\")",
};

static void evaluate(const char *order, const char *facts)
{
    static const char message[] = "{order.symbol} at {order.limitPrice}: {account.equity} {string(now)} {session.date}";
    const struct og_expr *e[COUNT(texts)];
    const struct og_expr_message *m;
    struct og_expr_diagnostic fault;
    struct expr_case here;
    struct og_expr_why why;
    char said[200];
    long before;

    expr_case_open(&here, order, facts);
    for (size_t i = 0; i < COUNT(texts); i++) {
        e[i] = og_expr_compile(og_str_of(texts[i]), OG_EXPR_BOOL, NULL, &here.arena, &here.patterns, &fault);
        if (!e[i])
            fail_msg("%s: %s", texts[i], fault.text);
    }
    m = og_expr_message_compile(og_str_of(message), NULL, &here.arena, &here.patterns, &fault);
    assert_non_null(m);
    before = calls;
    for (int round = 0; round < 100; round++) {
        struct og_buf b;

        for (size_t i = 0; i < COUNT(texts); i++)
            if (og_expr_truth(e[i], &here.is, here.room, &why) == OG_TRUTH_UNKNOWN) {
                og_buf_init_fixed(&b, said, sizeof said);
                og_expr_why_text(&why, &here.is, &b);
            }
        og_buf_init_fixed(&b, said, sizeof said);
        og_expr_message_render(m, &here.is, here.room, &b);
    }
    assert_int_equal(calls - before, 0);
    before = calls;
    expr_case_close(&here);
    assert_true(calls > before); /* the allocations are counted */
}

static void test_evaluating(void **state)
{
    static const char facts[] =
        "{\"asOf\":\"2026-01-15T14:59:58Z\",\"accountId\":\"L1\",\"account\":{\"equity\":5000,\"bp\":100},"
        "\"positions\":[],"
        "\"orders\":[],\"quotes\":{\"GME\":{\"bid\":5,\"ask\":5.01}},\"borrow\":{\"GME\":true},\"pnl\":{\"dayPnl\":5}}";

    (void)state;
    count_calls();
    evaluate(EXPR_ORDER, facts);
    evaluate(EXPR_SPREAD, facts);
    evaluate(EXPR_ORDER, NULL);
    evaluate("{", NULL);
}

/* The 200 rules of the benchmark (tests/bench/expr.c), decided by the engine, over orders that pass and others. */
static void test_a_policy_of_200_rules(void **state)
{
    static const char *const others[] = { EXPR_ORDER, EXPR_SPREAD, "{\"symbol\":5}" };
    static char yaml[CUSTOM_YAML];
    struct og_scratch *scratch = og_scratch_new();
    struct og_order *order = og_order_new();
    struct og_policy *policy = NULL;
    struct og_book *book = NULL;
    long before, findings = 0;
    int64_t now = 0;

    (void)state;
    assert_true(scratch && order && og_time_read("2026-01-15T15:00:00Z", 20, &now));
    assert_int_equal(og_policy_read(yaml, custom_policy(yaml, "live", CUSTOM_RULES), "t", &policy, NULL, NULL, NULL),
                     OG_OK);
    assert_int_equal(og_book_new(policy, &book), OG_OK);
    for (int known = 0; known < 2; known++) {
        if (known)
            assert_int_equal(og_book_apply(book, NULL, custom_facts, sizeof custom_facts - 1, "facts", NULL), OG_OK);
        for (size_t i = 0; i < COUNT(custom_orders) + COUNT(others); i++) {
            const char *line = i < COUNT(custom_orders) ? custom_orders[i] : others[i - COUNT(custom_orders)];
            struct og_decision d = { 0 };

            assert_int_equal(og_order_read(order, line, strlen(line)), OG_OK);
            before = calls;
            for (int round = 0; round < 10; round++)
                og_check(book, order, now, scratch, &d);
            assert_int_equal(calls - before, 0);
            findings += d.count;
        }
    }
    assert_true(findings > 100); /* an unknown value makes a finding */
    og_scratch_free(scratch);
    og_order_free(order);
    og_book_free(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_evaluating),
                                        cmocka_unit_test(test_a_policy_of_200_rules) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
