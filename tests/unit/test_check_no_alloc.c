/*
 * Checking a decoded order allocates nothing, nor does reading a line into an order that was used before.  Every
 * call of the allocator in the process counts, including those by libc and PCRE2.
 */
#include "../bench/corpus.h"
#include "count_alloc.h"
#include "ordergate/ordergate.h"
#include "unit.h"

enum { ORDERS = 4000 };

struct gate {
    struct corpus corpus;
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order[ORDERS];
    int64_t now;
};

static enum og_status read_line(const struct gate *g, struct og_order *o, size_t i)
{
    return og_order_read(o, g->corpus.bytes + g->corpus.start[i], g->corpus.start[i + 1] - g->corpus.start[i] - 1);
}

static int set_up(void **state)
{
    static struct gate gate;
    static const char yaml[] =
        "ordergate: 1\nname: patterned\nextends: [live]\nrules:\n  price-collar:\n    overrides:\n"
        "      - {when: counters.dayPnl > 0.0, away: 9%}\n      - match: {symbol: \"^(SPY|QQQ|N.*)$\"}\n        away: "
        "7%\n  order-rate: {level: refuse, a_second: 100, a_minute: 100, a_day: 100}\n"
        "  repeated-order: {level: refuse, by: direction, most: 8000}\n"
        "  traded-limit: {level: warn, notional: 1000, shares: 100, window_contracts: 10, underlying_notional: 1000,\n"
        "    underlying_window_shares: 100}\n"
        "  exposure: {level: warn, gross: 100000, short: 100000}\n  concentration: {level: warn, most: 10%}\n"
        "  group-limit: {level: warn, limits: [big net 1000, big gross 1%, big positions 1, big orders 1]}\n"
        "  weighted-exposure: {level: warn, limits: [beta net 1000, beta gross 1%, some gross 1]}\n"
        "  position-limit: {level: warn, shares: 500, contracts: 10}\n  open-orders: {level: warn, in_total: 3}\n"
        "  option-contracts: {in_total: 100000}\n  self-cross: warn\n  uncovered-options: {level: warn, allow: none}\n"
        "  allowed-symbols: {level: warn, barred: [SPY]}\n  time-window: {level: warn, windows: [09:30-16:00]}\n"
        "  short-sales: {level: warn, allow: easy, least_price: 5}\n  expiry-day: {level: warn}\n"
        "  price-floor: {level: warn, stock: 20}\n  volume-share: warn\n  day-loss: {level: warn, unsure: warn, most: "
        "1}\n"
        "custom:\n"
        "  - {id: own, when: 'order.symbol.matches(\"^A\") || order.legs.exists(l, l.ratio > 3)',\n"
        "     require: order.orderQuantity < 1000000 && !(order.symbol in lists.odd), message: '{order.symbol} "
        "{quote.last}'}\n  - {id: doubtful, require: 'quote.last * 2 > quote.bid && counters.dayPnl > 0.0', mode: "
        "shadow}\n"
        "  - {id: said, require: 'order.orderQuantity != 100', level: info, message: 'of {order.symbol}, at {now}'}\n"
        "lists: {odd: [ODD, EVEN], big: [AAPL, MSFT, SPY, QQQ, NVDA], "
        "beta: [AAPL=1.2, SQQQ=-3, default=1], some: [SPY=1]}\n";
    struct og_policy *policy;
    size_t len;
    char *facts = corpus_facts(&len);

    corpus_make(&gate.corpus, CORPUS_SEED, ORDERS);
    assert_true(og_time_read(CORPUS_CLOCK, strlen(CORPUS_CLOCK), &gate.now));
    assert_int_equal(og_policy_read(yaml, sizeof yaml - 1, "test.yaml", &policy, NULL, NULL, NULL), OG_OK);
    assert_int_equal(og_book_new(policy, &gate.book), OG_OK);
    assert_int_equal(og_book_apply(gate.book, NULL, facts, len, "facts", NULL), OG_OK);
    gate.scratch = og_scratch_new();
    assert_non_null(gate.scratch);
    for (size_t i = 0; i < ORDERS; i++) {
        gate.order[i] = og_order_new();
        assert_non_null(gate.order[i]);
        assert_int_equal(read_line(&gate, gate.order[i], i), OG_OK);
    }
    free(facts);
    count_calls();
    *state = &gate;
    return 0;
}

static int tear_down(void **state)
{
    struct gate *g = *state;

    for (size_t i = 0; i < ORDERS; i++)
        og_order_free(g->order[i]);
    og_scratch_free(g->scratch);
    og_book_free(g->book);
    corpus_free(&g->corpus);
    return 0;
}

static void test_the_count_counts(void **state)
{
    void *volatile p;
    long before = calls;

    (void)state;
    p = malloc(10);
    p = realloc(p, 100000);
    free(p);
    assert_true(calls - before >= 3);
    before = calls;
    og_order_free(og_order_new());
    assert_true(calls - before >= 2);
    before = calls;
    p = strdup("what the C library does inside counts too");
    assert_int_equal(calls - before, 1);
    free(p);
}

static void test_check(void **state)
{
    struct gate *g = *state;
    struct og_decision d;
    long before = calls, accepted = 0, findings = 0;

    for (size_t i = 0; i < ORDERS; i++) {
        og_check(g->book, g->order[i], g->now, g->scratch, &d);
        accepted += d.accepted;
        findings += d.count;
    }
    assert_int_equal(calls - before, 0);
    assert_true(accepted > ORDERS / 2 && accepted < ORDERS && findings > ORDERS / 50); /* orders were accepted, and
                                                                                        * orders were refused */
}

static void test_check_of_lines_that_are_no_orders(void **state)
{
    static const char *const lines[] = { "",    "{", "[]", "{\"symbol\":\"A\",\"symbol\":\"B\"}", "{\"op\":\"what\"}",
                                         "\xFF" };
    struct gate *g = *state;
    struct og_decision d;
    long before;

    for (size_t i = 0; i < COUNT(lines); i++) {
        assert_int_equal(og_order_read(g->order[0], lines[i], strlen(lines[i])), OG_OK);
        before = calls;
        og_check(g->book, g->order[0], g->now, g->scratch, &d);
        assert_int_equal(calls - before, 0);
        assert_false(d.accepted);
    }
    assert_int_equal(read_line(g, g->order[0], 0), OG_OK);
}

/* After the first few orders, reading into the same og_order allocates nothing (ordergate/order.h). */
static void test_reading_again(void **state)
{
    struct gate *g = *state;
    struct og_order *o = og_order_new();
    long before;

    assert_non_null(o);
    for (size_t i = 0; i < ORDERS; i++)
        assert_int_equal(read_line(g, o, i), OG_OK);
    before = calls;
    for (size_t i = 0; i < ORDERS; i++)
        if (read_line(g, o, i) != OG_OK)
            fail_msg("line %zu", i);
    assert_int_equal(calls - before, 0);
    og_order_free(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_count_counts),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_check_of_lines_that_are_no_orders),
        cmocka_unit_test(test_reading_again),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
