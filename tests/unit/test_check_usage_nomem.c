/*
 * og_book_usage() when memory runs out: at every allocation in turn no limit is listed, and all are afterwards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "nomem.h"
#include "ordergate/halt.h"
#include "ordergate/ordergate.h"

#define NOON INT64_C(1768496400000000000)

static int count(void *with, const struct og_usage *usage)
{
    (void)usage;
    ++*(int *)with;
    return 0;
}

static void no_limit_is_listed_by_half(void **state)
{
    static const char
        yaml[] =
            "ordergate: 1\nname: t\nextends: []\nlists: {tech: [F]}\nrules:\n"
            "  open-orders: {level: refuse, in_total: 5, of_symbol: 3}\n"
            "  concentration: {level: refuse, most: 10%, overrides: [{match: {side: Buy}, when: 'true', most: 5%}]}\n"
            "  order-tag: {level: refuse, known: [mm, arb]}\n"
            "  tag-limits: {level: refuse, a_day: 3}\n"
            "  group-limit: {level: refuse, limits: [tech gross 1000]}\n",
        facts[] = "{\"positions\":[{\"symbol\":\"F\",\"side\":\"Long\",\"shares\":1,\"priceAvg\":9},{\"symbol\":\"KO\","
                  "\"side\":\"Long\",\"shares\":1,\"priceAvg\":9}],\"orders\":[]}";
    struct og_policy *policy;
    struct og_book *book;
    enum og_status s;
    long n = 0;
    int rows;
    bool hit;

    (void)state;
    assert_int_equal(og_policy_read(yaml, sizeof yaml - 1, "t", &policy, NULL, NULL, NULL), OG_OK);
    assert_int_equal(og_book_new(policy, &book), OG_OK);
    assert_int_equal(og_book_halt_source(book, "", NULL), OG_OK);
    assert_int_equal(og_book_apply(book, NULL, facts, sizeof facts - 1, NULL, NULL), OG_OK);
    do {
        rows = 0;
        nomem_at(++n);
        s = og_book_usage(book, NULL, NOON, count, &rows);
        hit = nomem_hit();
        assert_int_equal(s, hit ? OG_ENOMEM : OG_OK);
        /* 1 + 2 of open-orders, 2 + 2 of concentration, 2 of tags, 1 of the group */
        assert_int_equal(rows, hit ? 0 : 10);
    } while (hit);
    assert_true(n > 4);
    og_book_free(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(no_limit_is_listed_by_half) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
