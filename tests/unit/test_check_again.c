/*
 * An accepted order is decided once more, without its own reservation: it is accepted if nothing changed, however
 * tight the limits are. The newest decision determines what it reserves and when it counts.
 */
#include <stdio.h>

#include "ordergate/halt.h"
#include "ordergate/ordergate.h"
#include "unit.h"

#define NOW INT64_C(1768496400000000000) /* 2026-01-15T17:00:00Z */
#define S   OG_NS_PER_S

struct gate {
    struct og_book *book;
    struct og_order *order;
    struct og_scratch *scratch;
    struct og_decision d;
};

static struct og_policy *policy_of(const char *rules)
{
    struct og_error err = { 0 };
    struct og_policy *policy = NULL;
    char yaml[1000];

    snprintf(yaml, sizeof yaml, "ordergate: 1\nname: t\nextends: []\nrules:\n%s", rules);
    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        fail_msg("%s", err.text);
    return policy;
}

static void apply(struct gate *g, const char *at, const char *keys)
{
    struct og_error err = { 0 };
    char facts[1000];

    snprintf(facts, sizeof facts, "{\"asOf\":\"2026-01-15T17:00:%sZ\",\"accountId\":\"P1\",%s}", at, keys);
    if (og_book_apply(g->book, NULL, facts, strlen(facts), "t", &err))
        fail_msg("%s", err.text);
    assert_string_equal(err.text, "");
}

static struct gate open_gate(const char *rules)
{
    struct gate g = { .order = og_order_new(), .scratch = og_scratch_new() };

    assert_int_equal(og_book_new(policy_of(rules), &g.book), OG_OK);
    assert_true(g.order && g.scratch);
    apply(&g, "00", "\"positions\":[],\"orders\":[]");
    return g;
}

static void close_gate(struct gate *g)
{
    og_order_free(g->order);
    og_scratch_free(g->scratch);
    og_book_free(g->book);
}

static og_ticket reserve(struct gate *g, const char *id, int quantity, int64_t at)
{
    og_ticket ticket = 0;
    char line[400];

    snprintf(line, sizeof line,
             "{\"accountId\":\"P1\",\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\","
             "\"openClose\":\"Open\",\"orderType\":\"Market\",\"orderQuantity\":%d,"
             "\"timeInForce\":\"Day\",\"clientOrderId\":\"%s\"}",
             quantity, id);
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    assert_int_equal(og_reserve(g->book, g->order, at, g->scratch, &g->d, &ticket), OG_OK);
    return ticket;
}

static bool passes_again(struct gate *g, og_ticket ticket, int64_t at)
{
    assert_int_equal(og_reserve_again(g->book, ticket, at, g->order, g->scratch, &g->d), OG_OK);
    return g->d.accepted;
}

static void quote(struct gate *g, int price)
{
    struct og_error err = { 0 };
    char line[200];

    snprintf(line, sizeof line, "{\"symbol\":\"AAPL\",\"bid\":%d,\"ask\":%d,\"asOf\":\"2026-01-15T17:00:00Z\"}", price,
             price);
    assert_int_equal(og_book_quote(g->book, line, strlen(line), &err), OG_OK);
}

#define TIGHT                                                             \
    "  position-limit: {level: refuse, shares: 30}\n"                     \
    "  open-orders: {level: refuse, in_total: 2, of_symbol: 2}\n"         \
    "  exposure: {level: refuse, gross: 3000}\n"                          \
    "  order-notional: {most: 3000, slippage: 0%}\n"                      \
    "  order-rate: {level: refuse, a_second: 2, a_minute: 2, a_day: 2}\n" \
    "  repeated-order: {level: refuse, window: 1h}\n"                     \
    "  client-order-id: refuse\n"

static void test_where_nothing_changed(void **state)
{
    struct gate g;
    og_ticket a, b;
    struct og_ticket_info before, after;

    (void)state;
    g = open_gate(TIGHT);
    quote(&g, 100);
    a = reserve(&g, "a", 10, NOW);
    b = reserve(&g, "b", 20, NOW);
    assert_true(a && b);
    assert_int_equal(og_book_tickets(g.book, 0, g.order, &before), a);
    for (int i = 0; i < 3; i++) { /* the first one several times, as if it had to wait again */
        assert_true(passes_again(&g, a, NOW + i));
        assert_string_equal(og_order_client_id(g.order), "a");
        assert_string_equal(g.d.account_id, "P1");
    }
    assert_true(passes_again(&g, b, NOW + 3));
    assert_int_equal(og_book_tickets(g.book, 0, g.order, &after), a);
    assert_int_equal(og_money_cmp(before.reserved, after.reserved), 0);
    assert_int_equal(reserve(&g, "c", 1, NOW + 4), 0); /* no buying power is left */
    og_ticket_release(g.book, a);
    og_ticket_release(g.book, b);
    assert_int_equal(og_reserve_again(g.book, a, NOW, g.order, g.scratch, &g.d), OG_EINVAL);
    assert_false(g.d.accepted);
    close_gate(&g);
}

/* Both orders wait: the first is decided again without the second. Once one of them has been sent, it counts for
 * both. */
static void test_in_the_order_of_their_tickets(void **state)
{
    struct gate g = open_gate("  position-limit: {level: refuse, shares: 100}\n");
    og_ticket a = reserve(&g, "a", 40, NOW), b = reserve(&g, "b", 40, NOW);

    (void)state;
    apply(&g, "01", "\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":50}]");
    assert_false(passes_again(&g, b, NOW + 2 * S));
    assert_true(passes_again(&g, a, NOW + 2 * S));
    assert_false(passes_again(&g, b, NOW + 2 * S));
    og_ticket_stays(g.book, a);
    assert_true(passes_again(&g, a, NOW + 3 * S));
    og_ticket_release(g.book, a);
    assert_true(passes_again(&g, b, NOW + 3 * S));
    assert_false(passes_again(&g, b, NOW + 3 * S) && reserve(&g, "c", 20, NOW + 3 * S));
    close_gate(&g);
}

/* A market order that is decided again reserves what it would cost now, and this amount counts for later decisions. */
static void test_it_takes_what_it_takes_now(void **state)
{
    struct gate g = open_gate("  exposure: {level: refuse, gross: 10000}\n");
    og_ticket a, b;

    (void)state;
    quote(&g, 100);
    a = reserve(&g, "a", 40, NOW);
    quote(&g, 200);
    assert_true(passes_again(&g, a, NOW));
    assert_int_equal(reserve(&g, "b", 15, NOW), 0);
    quote(&g, 300);
    assert_false(passes_again(&g, a, NOW));
    quote(&g, 150);
    assert_true(passes_again(&g, a, NOW));
    b = reserve(&g, "b", 20, NOW);
    assert_true(b);
    og_ticket_release(g.book, a);
    og_ticket_release(g.book, b);
    assert_true(reserve(&g, "c", 60, NOW));
    close_gate(&g);
}

static void test_by_the_policy_in_force(void **state)
{
    struct gate g = open_gate("  order-quantity-limit: {level: refuse, shares: 10}\n");
    og_ticket a = reserve(&g, "a", 10, NOW);

    (void)state;
    og_book_swap_policy(g.book, policy_of("  order-quantity-limit: {level: refuse, shares: 9}\n"));
    assert_false(passes_again(&g, a, NOW));
    og_book_swap_policy(g.book, policy_of("  order-quantity-limit: {level: refuse, shares: 10}\n"));
    assert_true(passes_again(&g, a, NOW));
    og_book_halt(g.book, OG_TRADING_HALTED);
    assert_false(passes_again(&g, a, NOW));
    close_gate(&g);
}

/* The limit is two orders a minute: an order that was decided a minute ago and is sent now counts as sent now. */
static void test_it_counts_when_it_leaves(void **state)
{
    struct gate g = open_gate("  order-rate: {level: refuse, a_minute: 2}\n");
    og_ticket a = reserve(&g, "a", 1, NOW), b = reserve(&g, "b", 2, NOW), c, d;

    (void)state;
    c = reserve(&g, "c", 3, NOW + 61 * S);
    d = reserve(&g, "d", 4, NOW + 61 * S);
    assert_true(a && b && c && d);
    assert_true(passes_again(&g, c, NOW + 62 * S));
    assert_false(passes_again(&g, a, NOW + 62 * S)); /* c was sent, and d counts from its decision on */
    assert_true(passes_again(&g, d, NOW + 63 * S));
    assert_int_equal(reserve(&g, "e", 5, NOW + 64 * S), 0);
    assert_true(passes_again(&g, a, NOW + 124 * S));
    assert_true(passes_again(&g, b, NOW + 125 * S));
    assert_int_equal(reserve(&g, "e", 5, NOW + 126 * S), 0);
    og_ticket_left(g.book, b, NOW + 150 * S);
    og_ticket_left(g.book, b, NOW + 140 * S);
    assert_true(reserve(&g, "f", 6, NOW + 185 * S));
    assert_int_equal(reserve(&g, "g", 7, NOW + 186 * S), 0); /* the two orders that count are b and f */
    assert_true(reserve(&g, "g", 7, NOW + 211 * S));
    close_gate(&g);
}

static void test_an_order_that_the_broker_has(void **state)
{
    struct gate g = open_gate("  order-quantity-limit: {level: refuse, shares: 10}\n");
    og_ticket a = reserve(&g, "a", 10, NOW);

    (void)state;
    og_ticket_sent(g.book, a, NOW);
    assert_int_equal(og_reserve_again(g.book, a, NOW, g.order, g.scratch, &g.d), OG_EINVAL);
    assert_false(g.d.accepted);
    assert_int_equal(og_reserve_again(g.book, a + 1, NOW, g.order, g.scratch, &g.d), OG_EINVAL);
    assert_int_equal(og_reserve_again(g.book, 0, NOW, g.order, g.scratch, &g.d), OG_EINVAL);
    close_gate(&g);
}

#define CLOSE                                                                                                      \
    "{\"accountId\":\"P1\",\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Sell\",\"openClose\":\"%s\"," \
    "\"orderType\":\"Market\",\"orderQuantity\":%d,\"timeInForce\":\"Day\",\"clientOrderId\":\"c\"}"

static bool accepts(struct gate *g, const char *open_close, int quantity, bool read_since)
{
    char line[400];

    snprintf(line, sizeof line, CLOSE, open_close, quantity);
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    og_scratch_read_since(g->scratch, read_since);
    og_check(g->book, g->order, NOW + 60 * S, g->scratch, &g->d);
    return g->d.accepted;
}

#define HOLDS(shares) \
    "\"orders\":[],\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":" shares ",\"priceAvg\":100}]"

/* A close that exceeds old positions is accepted, unless these were read after its line was written. */
static void test_positions_that_were_read_since(void **state)
{
    static const char *const rules[] = {
        "  close-position: refuse\n",
        "  close-position: off\n  position-limit: {level: refuse, shares: 0}\n",
        "  close-position: off\n  order-quantity-limit: {level: refuse, shares: 1}\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        char policy[300];
        struct gate g;
        og_ticket a;

        snprintf(policy, sizeof policy, "%sunsure: refuse\nmax_age: {positions: 10s, orders: 10s}\n", rules[i]);
        g = open_gate(policy);
        apply(&g, "01", HOLDS("50"));
        for (int k = 0; k < 2; k++) { /* the result of one decision is not used for the next one */
            assert_true(accepts(&g, "Close", 51, false) && g.d.reduces);
            assert_false(accepts(&g, "Close", 51, true));
            assert_false(g.d.reduces);
            assert_true(accepts(&g, "Close", 50, true) && g.d.reduces);
            assert_false(accepts(&g, "Open", 51, k == 1) && i > 0);
        }
        assert_true(accepts(&g, "Close", 50, false));
        assert_int_equal(og_reserve(g.book, g.order, NOW + 2 * S, g.scratch, &g.d, &a), OG_OK);
        assert_true(a);
        apply(&g, "03", HOLDS("40"));
        assert_true(passes_again(&g, a, NOW + 60 * S));
        og_scratch_read_since(g.scratch, true);
        assert_false(passes_again(&g, a, NOW + 60 * S));
        close_gate(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where_nothing_changed),          cmocka_unit_test(test_in_the_order_of_their_tickets),
        cmocka_unit_test(test_it_takes_what_it_takes_now),     cmocka_unit_test(test_by_the_policy_in_force),
        cmocka_unit_test(test_it_counts_when_it_leaves),       cmocka_unit_test(test_an_order_that_the_broker_has),
        cmocka_unit_test(test_positions_that_were_read_since),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
