/*
 * Every allocation of linting a policy fails once, in turn: the status is "out of memory" and nothing leaks.
 */
#include "nomem.h"
#include "ordergate/lint.h"
#include "unit.h"

static const char yaml[] =
    "ordergate: 1\n"
    "unsure: refuse\n"
    "rules:\n"
    "  allowed-symbols: {level: refuse, allowed: [AAPL, aapl, AAPL]}\n"
    "  order-notional: # ordergate-lint: ignore size-hole - a test\n"
    "    level: refuse\n"
    "    most: 50\n"
    "    overrides: [{match: {symbol: \"A+\"}, most: 100}, {match: {symbol: \"A|AA\"}, most: 700}]\n"
    "custom:\n"
    "  - {id: own, require: order.side == \"Short\"}\n";

static void linting_a_policy(void **state)
{
    static const struct og_lint_options options = { .now = INT64_C(1795186800000000000) };
    struct og_lint_report *report = NULL;
    long n = 1;

    (void)state;
    for (;; n++) {
        struct og_error err = { 0 };
        enum og_status status;

        nomem_at(n);
        status = og_lint_read(yaml, sizeof yaml - 1, "x.yaml", &options, &report, &err);
        if (!nomem_hit()) {
            assert_int_equal(status, OG_OK);
            break;
        }
        if (status == OG_OK) { /* SQLite and others may do without memory that they want */
            og_lint_free(report);
            continue;
        }
        assert_int_equal(status, OG_ENOMEM);
        assert_null(report);
    }
    assert_true(n > 50);
    assert_true(og_lint_count(report) > 3);
    og_lint_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(linting_a_policy) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
