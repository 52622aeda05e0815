/*
 * Orders that buy use the cash that secures written puts: while they work, and after they filled until the account is
 * read again.
 */
#include "gate.h"

#define PUT "AAPL260116P00150000"
#define HELD(traded, security, side, shares)                                                                  \
    "{\"symbol\":\"AAPL\",\"tradedSymbol\":\"" traded "\",\"securityType\":\"" security "\",\"side\":\"" side \
    "\",\"shares\":" shares ",\"priceAvg\":2}"
#define CASH       "\"account\":{\"account\":\"L1\",\"bp\":100000,\"availableCash\":100000}"
#define SHORT_CALL "\"positions\":[" HELD(CALL, "Option", "Short", "10") "]"
#define BUY_PUT(id, oc, quantity, limit)                                                       \
    "{\"securityType\":\"Option\",\"symbol\":\"" PUT "\",\"side\":\"Buy\",\"openClose\":\"" oc \
    "\",\"orderType\":\"Limit\",\"orderQuantity\":" quantity ",\"limitPrice\":" limit          \
    ",\"timeInForce\":\"Day\",\"clientOrderId\":\"" id "\"}"
#define VERTICAL(id, first, second)                                                                               \
    "{\"securityType\":\"Mleg\",\"symbol\":\"AAPL\",\"orderType\":\"Limit\",\"orderQuantity\":2,"                 \
    "\"limitPrice\":2,\"timeInForce\":\"Day\",\"clientOrderId\":\"" id "\",\"legs\":[{\"symbol\":\"" CALL         \
    "\",\"side\":\"" first "\",\"ratio\":1,\"openClose\":\"Close\"},{\"symbol\":\"" CALL2 "\",\"side\":\"" second \
    "\",\"ratio\":1,\"openClose\":\"Close\"}]}"

static void pays(const struct gate *g, int64_t dollars)
{
    assert_int_equal((int64_t)og_facts_totals(facts(g))->buying, dollars * 100);
}

static struct gate holding(const char *positions)
{
    struct gate g = open_gate();
    char rest[1900];

    snprintf(rest, sizeof rest, CASH ",\"orders\":[],%s", positions);
    apply_at(&g, 0, rest);
    return g;
}

static void an_opening_buy_that_filled_counts_until_the_account_is_read(void **state)
{
    struct gate g = holding("\"positions\":[]");
    og_ticket t = reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));

    (void)state;
    pays(&g, 19000);
    assert_int_equal(fill(&g, t, 40, "190", 2), OG_OK);
    pays(&g, 19000);
    assert_int_equal(fill(&g, t, 100, "190", 3), OG_OK);
    pays(&g, 19000);
    apply_at(&g, 10000, "\"positions\":[" HELD("AAPL", "Stock", "Long", "100") "]");
    pays(&g, 19000); /* the cash is as it was before the fills */
    apply_at(&g, 20000, CASH);
    pays(&g, 0);
    close_gate(&g);
}

static void a_close_that_filled_counts_until_the_account_is_read(void **state)
{
    struct gate g = holding(SHORT_CALL);
    og_ticket t = reserve(&g, 1, OPTION("c", "Buy", "Close", "10", "50"));

    (void)state;
    pays(&g, 50000);
    assert_int_equal(fill(&g, t, 4, "50", 2), OG_OK);
    pays(&g, 50000);
    apply_at(&g, 10000, "\"positions\":[" HELD(CALL, "Option", "Short", "6") "]");
    pays(&g, 50000);
    assert_int_equal(fill(&g, t, 10, "50", 11000), OG_OK);
    apply_at(&g, 20000, "\"positions\":[]");
    pays(&g, 50000);
    apply_at(&g, 30000, CASH);
    pays(&g, 0);
    close_gate(&g);
}

static void a_canceled_rest_pays_nothing(void **state)
{
    struct gate g = holding(SHORT_CALL);
    og_ticket t = reserve(&g, 1, OPTION("c", "Buy", "Close", "10", "50"));

    (void)state;
    assert_int_equal(fill(&g, t, 4, "50", 2), OG_OK);
    og_ticket_release(g.book, t);
    pays(&g, 20000);
    apply_at(&g, 10000, CASH ",\"orders\":[],\"positions\":[" HELD(CALL, "Option", "Short", "6") "]");
    pays(&g, 0);
    t = reserve(&g, 11000, OPTION("d", "Buy", "Close", "6", "50"));
    og_ticket_release(g.book, t);
    pays(&g, 0);
    close_gate(&g);
}

/* Without an account there is no cash to wait for: the reservation ends with the positions that show its fills. */
static void a_close_does_not_wait_for_an_account_that_nobody_reads(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    apply_at(&g, 0, "\"orders\":[]," SHORT_CALL);
    t = reserve(&g, 1, OPTION("c", "Buy", "Close", "10", "50"));
    assert_int_equal(fill(&g, t, 10, "50", 2), OG_OK);
    pays(&g, 50000);
    apply_at(&g, 10000, "\"positions\":[]");
    pays(&g, 0);
    close_gate(&g);
}

static void the_strikes_that_a_close_frees_pay_for_it(void **state)
{
    struct gate g = holding("\"positions\":[" HELD(PUT, "Option", "Short", "2") "]");
    og_ticket t = reserve(&g, 1, BUY_PUT("c", "Close", "2", "9"));

    (void)state;
    pays(&g, 0);
    assert_int_equal((int64_t)og_facts_totals(facts(&g))->puts_lose, 3000000);
    assert_int_equal(fill(&g, t, 1, "9", 2), OG_OK);
    pays(&g, 900); /* the strike of that put is available again, and its price is paid */
    assert_int_equal((int64_t)og_facts_totals(facts(&g))->puts_lose, 1500000);
    assert_int_equal(fill(&g, t, 2, "9", 3), OG_OK);
    pays(&g, 1800);
    apply_at(&g, 10000, CASH ",\"orders\":[],\"positions\":[]");
    pays(&g, 0);
    close_gate(&g);
}

static void beside_long_puts_a_close_may_free_less(void **state)
{
    struct gate g = holding(
        "\"positions\":[" HELD(PUT, "Option", "Short", "2") "," HELD("AAPL260116P00145000", "Option", "Long", "2") "]");
    og_ticket t = reserve(&g, 1, BUY_PUT("c", "Close", "2", "9"));

    (void)state;
    pays(&g, 1800);
    og_ticket_release(g.book, t);
    pays(&g, 0);
    close_gate(&g);
}

static void a_spread_that_closes_pays_its_debit(void **state)
{
    struct gate g =
        holding("\"positions\":[" HELD(CALL, "Option", "Short", "2") "," HELD(CALL2, "Option", "Long", "2") "]");
    og_ticket t = reserve(&g, 1, VERTICAL("m", "Buy", "Sell"));

    (void)state;
    pays(&g, 400);
    assert_int_equal(fill(&g, t, 2, "2", 2), OG_OK);
    pays(&g, 400);
    apply_at(&g, 10000,
             CASH ",\"orders\":[],\"positions\":[" HELD(CALL, "Option", "Long", "2") "," HELD(CALL2, "Option", "Short",
                                                                                              "2") "]");
    pays(&g, 0);
    (void)reserve(&g, 11000, VERTICAL("n", "Sell", "Buy")); /* for a credit */
    pays(&g, 0);
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_opening_buy_that_filled_counts_until_the_account_is_read),
        cmocka_unit_test(a_close_that_filled_counts_until_the_account_is_read),
        cmocka_unit_test(a_canceled_rest_pays_nothing),
        cmocka_unit_test(a_close_does_not_wait_for_an_account_that_nobody_reads),
        cmocka_unit_test(the_strikes_that_a_close_frees_pay_for_it),
        cmocka_unit_test(beside_long_puts_a_close_may_free_less),
        cmocka_unit_test(a_spread_that_closes_pays_its_debit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
