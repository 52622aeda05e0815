/*
 * Allocations of a diff fail, one at a time: the status is "out of memory", nothing leaks, and no difference is
 * invented.
 */
#include "nomem.h"
#include "ordergate/diff.h"
#include "ordergate/time.h"
#include "unit.h"

static const char before[] = "ordergate: 1\nname: a\nextends: [default]\n"
                             "rules: {order-notional: {level: refuse, most: 5000}, allowed-symbols: {allowed: "
                             "[AAPL]}}\n";
static const char after[] = "ordergate: 1\nname: b\nextends: [default]\n"
                            "rules: {order-notional: {level: refuse, most: 6000}, allowed-symbols: {allowed: [AAPL, "
                            "GME]}}\n";

static struct og_policy *read_policy(const char *yaml, size_t len)
{
    struct og_policy *p = NULL;

    assert_int_equal(og_policy_read(yaml, len, "x.yaml", &p, NULL, NULL, NULL), OG_OK);
    return p;
}

static void count_one(void *with, const struct og_diff_change *change)
{
    assert_non_null(change->order);
    assert_true(change->count > 0 && change->what != OG_DIFF_SAME);
    ++*(int *)with;
}

static enum og_status all_of_it(struct og_policy *const policy[2], int *changes)
{
    static const char line[] = "{\"securityType\":\"Stock\",\"symbol\":\"GME\",\"side\":\"Buy\",\"openClose\":\"Open\","
                               "\"orderType\":"
                               "\"Limit\",\"orderQuantity\":55,\"timeInForce\":\"Day\",\"limitPrice\":100,"
                               "\"route\":\"SMART\"}";
    struct og_diff *diff = NULL;
    enum og_diff_what what;
    enum og_status status = og_diff_new(policy[0], policy[1], &diff);

    if (status == OG_OK)
        status = og_diff_line(diff, line, sizeof line - 1, OG_NS_PER_S, &what, count_one, changes, NULL);
    if (status == OG_OK)
        status = og_diff_generate(diff, 20, 1, OG_NS_PER_S, count_one, changes, NULL);
    og_diff_free(diff);
    return status;
}

static void every_allocation(void **state)
{
    struct og_policy *policy[2] = { read_policy(before, sizeof before - 1), read_policy(after, sizeof after - 1) };
    int tries = 0;

    (void)state;
    for (long n = 1;; n += 1 + n / 16, tries++) { /* later allocations are made in loops, so only some of them are
                                                   * tried */
        int changes = 0;
        enum og_status status;

        nomem_at(n);
        status = all_of_it(policy, &changes);
        if (!nomem_hit()) {
            assert_int_equal(status, OG_OK);
            assert_true(changes > 0);
            break;
        }
        assert_int_equal(status, OG_ENOMEM);
    }
    assert_true(tries > 20);
    og_policy_free(policy[0]);
    og_policy_free(policy[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_allocation) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
