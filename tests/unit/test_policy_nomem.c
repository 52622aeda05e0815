/*
 * Every allocation of loading a policy fails once, in turn: the status is "out of memory" and nothing leaks.
 *  (Allocations inside libyaml and PCRE2 do not fail.)
 */
#include "nomem.h"
#include "policy/policy.h"
#include "unit.h"

static const char yaml[] = "ordergate: 1\n"
                           "name: x\n"
                           "extends: [live]\n"
                           "rules:\n"
                           "  market-hours: {holidays: [2026-01-01], margin: 1s}\n"
                           "  price-collar:\n"
                           "    overrides: [{match: {symbol: \"^A$\", side: Buy}, away: 1%},\n"
                           "                {when: order.symbol in lists.l, until: 2030-01-01T00:00:00Z, reason: r, "
                           "away: 2%}]\n"
                           "  order-notional: {level: refuse, most: 5, lock: true, overrides: [{when: order.symbol in "
                           "lists.l, most: 1}]}\nlists: {l: [A, B]}\n"
                           "custom:\n"
                           "  - {id: own, when: order.symbol.matches(\"^A\"), require: order.symbol in lists.l, "
                           "message: \"{now}\", help: h}\n"
                           "  - {id: kept, require: order.symbol in lists.l, lock: true}\n";

static void making_a_policy(void **state)
{
    struct og_policy *p;
    long n = 1;

    (void)state;
    for (;; n++) {
        struct og_error err = { 0 };
        enum og_status status;

        nomem_at(n);
        status = og_policy_read(yaml, sizeof yaml - 1, "x.yaml", &p, NULL, NULL, &err);
        if (!nomem_hit()) {
            assert_int_equal(status, OG_OK);
            break;
        }
        assert_int_equal(status, OG_ENOMEM);
        assert_int_equal(err.status, OG_ENOMEM);
        assert_null(p);
    }
    assert_true(n > 10);
    og_policy_free(p);
}

static void telling_faults(void **state)
{
    static const char bad[] =
        "ordergate: 1\nrules: {rout: warn, price-collar: {overrides: [{match: {side: By}}], awy: 1}}\n";
    struct og_policy *p;

    (void)state;
    for (long n = 1;; n++) {
        enum og_status status;
        bool hit;

        nomem_at(n);
        status = og_policy_read(bad, sizeof bad - 1, "x.yaml", &p, NULL, NULL, NULL);
        hit = nomem_hit();
        assert_null(p);
        assert_int_equal(status, hit ? OG_ENOMEM : OG_EPOLICY);
        if (!hit)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(making_a_policy), cmocka_unit_test(telling_faults) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
