/*
 * A basket when memory runs out: at every allocation in turn, nothing is reserved and no decision accepts, and the same
 * basket is accepted afterwards; a line that cannot be read leaves an empty basket.
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
#define STOCK(symbol, id)                                                                                             \
    "{\"securityType\":\"Stock\",\"symbol\":\"" symbol "\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":"    \
    "\"Limit\",\"limitPrice\":10,\"orderQuantity\":5,\"timeInForce\":\"Day\",\"accountId\":\"L1\",\"clientOrderId\":" \
    "\"" id "\"}"

static const char line[] =
    "{\"op\":\"basket\",\"orders\":[" STOCK("F", "a") "," STOCK("KO", "b") "," STOCK("F", "c") "]}";

static struct og_book *book_new(void)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\nunsure: warn\nrules:\n  client-order-id: refuse\n"
                               "  order-rate: {level: refuse, a_day: 3}\n";
    struct og_policy *policy;
    struct og_book *book;

    assert_int_equal(og_policy_read(yaml, sizeof yaml - 1, "t", &policy, NULL, NULL, NULL), OG_OK);
    assert_int_equal(og_book_new(policy, &book), OG_OK);
    assert_int_equal(og_book_halt_source(book, "", NULL), OG_OK);
    return book;
}

static void test_reading(void **state)
{
    struct og_basket *b;
    enum og_status s;
    bool hit;
    long n = 0;

    (void)state;
    do {
        b = og_basket_new();
        nomem_at(++n);
        s = og_basket_read(b, line, sizeof line - 1);
        hit = nomem_hit();
        assert_int_equal(s, hit ? OG_ENOMEM : OG_OK);
        assert_int_equal(og_basket_count(b), hit ? 0 : 3);
        assert_int_equal(og_basket_read(b, line, sizeof line - 1), OG_OK);
        assert_int_equal(og_basket_count(b), 3);
        og_basket_free(b);
    } while (hit);
    assert_true(n > 6);
}

static void test_reserving(void **state)
{
    struct og_basket *b = og_basket_new();
    struct og_scratch *scratch[3] = { og_scratch_new(), og_scratch_new(), og_scratch_new() };
    struct og_decision d[3];
    og_ticket ticket[3];
    enum og_status s;
    bool hit;
    long n = 0;

    (void)state;
    assert_int_equal(og_basket_read(b, line, sizeof line - 1), OG_OK);
    do {
        struct og_book *book = book_new();

        nomem_at(++n);
        s = og_reserve_basket(book, og_basket_orders(b), 3, NOON, scratch, d, ticket);
        hit = nomem_hit();
        assert_true(s == OG_OK || hit); /* if only memory prepared for later could not be allocated, the call
                                         * succeeds */
        for (int i = 0; i < 3; i++)
            assert_true(d[i].accepted == (s == OG_OK) && (ticket[i] != 0) == (s == OG_OK));
        if (s) { /* a refused basket leaves neither ids nor counts of sent orders behind */
            assert_int_equal(s, OG_ENOMEM);
            assert_int_equal(og_reserve_basket(book, og_basket_orders(b), 3, NOON, scratch, d, ticket), OG_OK);
            assert_true(d[0].accepted && ticket[0] == 1 && ticket[2] == 3);
        }
        og_book_free(book);
    } while (hit);
    assert_true(n > 10);
    for (int i = 0; i < 3; i++)
        og_scratch_free(scratch[i]);
    og_basket_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_reading), cmocka_unit_test(test_reserving) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
