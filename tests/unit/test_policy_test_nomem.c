/*
 * Every allocation of reading and running a test file fails once, in turn: the status is "out of memory", nothing
 * leaks, and nothing passes that should fail.
 */
#include "nomem.h"
#include "policy_test/policy_test.h"
#include "unit.h"

static const char yaml[] =
    "ordergate-test: 1\n"
    "policy: default\n"
    "at: 2026-01-15T10:00:00-05:00\n"
    "facts: {accountId: L1, quotes: {AAPL: {bid: 189.98, ask: 190.02, last: 190}}}\n"
    "order: {securityType: Stock, symbol: AAPL, side: Buy, openClose: Open, orderType: Limit, orderQuantity: 100,\n"
    "        timeInForce: Day, limitPrice: 190, clientOrderId: t1, route: SMART}\n"
    "cases:\n"
    "  - name: fails\n"
    "    order: {symbol: BRK/B}\n"
    "    waivers: {rule: order-notional, clientOrderId: t1, until: 11:00}\n"
    "    expect: {verdict: accept, reasons: [], predicts: R78, findings: [{reason: symbol-pattern, message_matches: "
    "x}]}\n  - name: rows\n"
    "    table: {columns: [name, facts.quotes.AAPL.bid, order.legs, reasons], rows: [[a, 1, ~, [market-holiday]], [b, "
    "2, [], []]]}\n  - name: steps\n"
    "    account: L1\n"
    "    sequence:\n"
    "      - {order: {clientOrderId: s1}, then: filled}\n"
    "      - {quote: {symbol: AAPL, last: 1}, order: {clientOrderId: s1}, expect: accept}\n"
    "  - name: nothing\n"
    "    request: {op: cancel, clientOrderId: c1}\n";

static void count(void *with, const struct og_policy_test_result *result)
{
    size_t *failed = with;

    *failed += result->outcome != OG_TEST_PASSED;
}

static enum og_status once(size_t *failed)
{
    struct og_policy_test_options options = { .update = OG_TEST_UPDATE_ALL, .coverage = og_policy_coverage_new(true) };
    struct og_policy_test *test;
    struct og_error err = { 0 };
    struct og_buf b;
    enum og_status status = og_policy_test_read(yaml, sizeof yaml - 1, "x_test.yaml", &test, NULL, NULL, &err);

    *failed = 0;
    if (!status && options.coverage) {
        status = og_policy_test_run(test, &options, count, failed, &err);
        og_buf_init(&b, 0);
        og_test_write_edited(test, &b);
        status = b.bad ? OG_ENOMEM : status;
        og_buf_clear(&b);
    } else if (!status) {
        status = OG_ENOMEM;
    }
    og_policy_coverage_free(options.coverage);
    og_policy_test_free(test);
    return status;
}

static void running_a_test(void **state)
{
    size_t failed, short_failed;
    long n = 1;

    (void)state;
    assert_int_equal(once(&failed), OG_OK);
    assert_int_equal(failed, 4);
    for (;; n++) {
        enum og_status status;

        nomem_at(n);
        status = once(&short_failed);
        if (!nomem_hit())
            break;
        /* a lookup that can do without memory gives the same result; everything else reports that memory ran out */
        assert_true(status == OG_ENOMEM || (status == OG_OK && short_failed == failed));
    }
    assert_true(n > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(running_a_test),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
