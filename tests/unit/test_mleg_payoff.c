/*
 * The worst and best result of every shape: by hand, and compared with trying every price of the underlying.
 */
#include <limits.h>
#include <stdio.h>

#include "mleg/payoff.h"
#include "unit.h"

static struct og_order *order;

static int set_up(void **state)
{
    (void)state;
    order = og_order_new();
    return order ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    og_order_free(order);
    return 0;
}

/* Legs are "+C100 -C110": a side, a type (S: 100 shares), a strike in dollars, and "*2" for a ratio of 2. */
static void put_legs(struct og_buf *b, const char *legs, bool closing)
{
    for (const char *p = legs; *p;) {
        char *end, type = p[1];
        const char *side = *p == '+' ? "Buy" : "Sell";
        long strike = strtol(p + 2, &end, 10), ratio = type == 'S' ? 100 : 1;

        if (*end == '*')
            ratio = strtol(end + 1, &end, 10);
        og_buf_text(b, p == legs ? "{\"symbol\":\"" : ",{\"symbol\":\"");
        if (type == 'S')
            og_buf_text(b, "SPY");
        else
            og_buf_format(b, "SPY260220%c%08ld", type, strike * 1000);
        og_buf_format(b, "\",\"side\":\"%s\",\"ratio\":%ld,\"openClose\":\"%s\"}", side, ratio,
                      closing ? "Close" : "Open");
        p = end + (*end == ' ');
    }
}

static void read_order(const char *legs, const char *rest, bool closing, struct og_mleg *m)
{
    struct og_buf b;

    og_buf_init(&b, 0);
    og_buf_text(&b, "{\"securityType\":\"Mleg\",\"symbol\":\"SPY\",\"timeInForce\":\"Day\",\"legs\":[");
    put_legs(&b, legs, closing);
    og_buf_format(&b, "],%s}", rest);
    assert_int_equal(og_order_read(order, b.s, b.len), OG_OK);
    og_buf_clear(&b);
    og_mleg_of(order, m);
    assert_int_equal(m->fault, OG_MLEG_FINE);
}

static void compare(const char *legs, const char *what, bool has, struct og_money found, const char *expected)
{
    if ((has ? strcmp(og_money_text(found).s, expected) : strcmp("-", expected)) != 0)
        print_message("%s: %s\n", legs, what);
    assert_string_equal(has ? og_money_text(found).s : "-", expected);
}

static void results_by_hand(void **state)
{
    static const struct {
        const char *legs, *limit, *quantity;
        bool closing;
        const char *worst, *best; /* "-": unbounded */
    } rows[] = {
        { "+P95 -P100 -C110 +C115", "1.6", "1", false, "-340", "160" },
        { "+P95 -P100 -C110 +C115", "1.6", "10", false, "-3400", "1600" },
        { "-P95 +P100 +C110 -C115", "1.6", "1", false, "-160", "340" },
        { "-P95 +P100 +C110 -C115", "1.6", "1", true, "-160", "340" },
        { "+P90 -P100 -C110 +C115", "1.6", "1", false, "-840", "160" },
        { "+P95 -P100 -C100 +C105", "3.1", "1", false, "-190", "310" },
        { "+C100 -C110", "4", "1", false, "-400", "600" },
        { "-C100 +C110", "4", "1", false, "-600", "400" },
        { "-P100 +P110", "4", "1", false, "-400", "600" },
        { "+P100 -P110", "4.0125", "3", false, "-1796.25", "1203.75" },
        { "+C100 -C110", "10.01", "1", false, "-1001", "-1" }, /* a certain loss */
        { "+C100 +P100", "7", "2", false, "-1400", "-" },
        { "-C100 -P100", "7", "2", false, "-", "1400" },
        { "+P90 +C110", "3", "1", false, "-300", "-" },
        { "-P90 -C110", "3", "1", false, "-", "300" },
        { "+C90 -C100*2 +C110", "2", "1", false, "-200", "800" },
        { "-P90 +P100*2 -P110", "2", "1", false, "-800", "200" },
        { "+C90 -C100 -C110 +C120", "3", "1", false, "-300", "700" },
        { "+C90 -C95 -C110 +C120", "3", "1", false, "-800", "200" },
        { "+S0 -C110", "98", "1", false, "-9800", "1200" },
        { "-S0 +C110", "98", "1", true, "-1200", "9800" },
        { "+S0 +P90", "103", "1", false, "-1300", "-" },
        { "-S0 -P90", "103", "1", true, "-", "1300" },
        { "+S0 -C90", "85.38", "1", false, "-8538", "462" }, /* docs/margin.md: Regulation T wants 4,619 */
        { "+S0 +P95", "102", "1", false, "-700", "-" },      /* Regulation T wants 5,200 of this one */
        { "+C100 -C110", "4", "1000000", false, "-400000000", "600000000" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct og_mleg m;
        struct og_mleg_payoff r;
        char rest[128];

        snprintf(rest, sizeof rest, "\"orderType\":\"Limit\",\"limitPrice\":%s,\"orderQuantity\":%s", rows[i].limit,
                 rows[i].quantity);
        read_order(rows[i].legs, rest, rows[i].closing, &m);
        og_mleg_payoff_of(order, &m, &r);
        compare(rows[i].legs, "worst", r.has_worst, r.worst, rows[i].worst);
        compare(rows[i].legs, "best", r.has_best, r.best, rows[i].best);
    }
}

/* The result in cents of an order of one unit with the underlying at that price, computed without the code under
 * test. */
static long cents_at(const char *legs, long price, long limit_cents, bool debit)
{
    long sum = debit ? -100 * limit_cents : 100 * limit_cents;

    for (const char *p = legs; *p;) {
        char *end, type = p[1];
        long sign = *p == '+' ? 1 : -1, strike = strtol(p + 2, &end, 10), ratio = 1, pays;

        if (*end == '*')
            ratio = strtol(end + 1, &end, 10);
        pays = type == 'S' ? price : type == 'C' ? price - strike : strike - price;
        sum += sign * ratio * 100 * 100 * (pays > 0 ? pays : 0);
        p = end + (*end == ' ');
    }
    return sum;
}

static void results_by_trying_every_price(void **state)
{
    static const char *const shapes[] = {
        "+C100 -C110",
        "-P100 +P115",
        "+C90 -C100*2 +C110",
        "+P90 -P100 -P107 +P120",
        "+P90 -P100 -C100 +C130",
        "+P40 -P100 -C103 +C110",
        "-C90 +C100 +C110 -C120",
        "+S0 -C110",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++)
        for (long limit = 1; limit < 3000; limit += 137) {
            struct og_mleg m;
            struct og_mleg_payoff r;
            struct og_money worst = { 0, 0 }, best = { 0, 0 };
            char rest[128];
            long least = LONG_MAX, most = LONG_MIN;

            snprintf(rest, sizeof rest, "\"orderType\":\"StopLimit\",\"limitPrice\":%ld.%02ld,\"orderQuantity\":1",
                     limit / 100, limit % 100);
            read_order(shapes[i], rest, false, &m);
            og_mleg_payoff_of(order, &m, &r);
            for (long price = 0; price <= 300; price++) {
                long cents = cents_at(shapes[i], price, limit, m.net == OG_DEBIT);

                least = cents < least ? cents : least;
                most = cents > most ? cents : most;
            }
            assert_true(r.has_worst && r.has_best);
            assert_true(og_money_times(r.worst, 100, &worst) && og_money_times(r.best, 100, &best));
            assert_int_equal(og_money_cmp(worst, og_money_from(least)), 0);
            assert_int_equal(og_money_cmp(best, og_money_from(most)), 0);
        }
}

static void what_has_no_price_has_no_result(void **state)
{
    static const struct {
        const char *legs, *rest;
    } rows[] = {
        { "+C100 -C110", "\"orderType\":\"Market\",\"limitPrice\":4,\"orderQuantity\":1" },
        { "+C100 -C110", "\"orderType\":\"Limit\",\"orderQuantity\":1" },
        { "+C100 -C110", "\"orderType\":\"Limit\",\"limitPrice\":0,\"orderQuantity\":1" },
        { "+C100 -C110", "\"orderType\":\"Limit\",\"limitPrice\":\"4\",\"orderQuantity\":1" },
        { "+C100 -C110", "\"orderType\":\"Limit\",\"limitPrice\":4,\"orderQuantity\":0" },
        { "+C90 -C100*2 +C115", "\"orderType\":\"Limit\",\"limitPrice\":4,\"orderQuantity\":1" }, /* not known whether
                                                                                                   * it is a debit or a
                                                                                                   * credit */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct og_mleg m;
        struct og_mleg_payoff r;

        read_order(rows[i].legs, rows[i].rest, false, &m);
        og_mleg_payoff_of(order, &m, &r);
        assert_false(r.has_worst || r.has_best);
    }
}

static void no_shape_has_no_result(void **state)
{
    struct og_mleg m;
    struct og_mleg_payoff r;
    struct og_buf b;

    (void)state;
    og_buf_init(&b, 0);
    og_buf_text(&b, "{\"securityType\":\"Mleg\",\"symbol\":\"SPY\",\"orderType\":\"Limit\",\"limitPrice\":1,"
                    "\"orderQuantity\":1,\"legs\":[");
    for (int i = 0; i < 20; i++) /* more legs than the order stores */
        og_buf_text(&b, i ? ",{}" : "{}");
    og_buf_text(&b, "]}");
    assert_int_equal(og_order_read(order, b.s, b.len), OG_OK);
    og_buf_clear(&b);
    og_mleg_of(order, &m);
    og_mleg_payoff_of(order, &m, &r);
    assert_false(r.has_worst || r.has_best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_by_hand),
        cmocka_unit_test(results_by_trying_every_price),
        cmocka_unit_test(what_has_no_price_has_no_result),
        cmocka_unit_test(no_shape_has_no_result),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
