/*
 * Orders that are decided before the facts of their account are known count for that account once its facts come,
 * exactly once.
 */
#include "gate.h"

#define FOR(account, id, quantity)                                                                                     \
    "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Limit\"," \
    "\"orderQuantity\":" quantity ",\"limitPrice\":100,\"timeInForce\":\"Day\",\"clientOrderId\":\"" id "\""           \
    ",\"accountId\":\"" account "\"}"
#define ROW(id)                                                                                                      \
    "{\"clientOrderId\":\"" id "\",\"orderStatus\":\"New\",\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":" \
    "\"Buy\",\"openClose\":\"Open\",\"orderQuantity\":10,\"executed\":0,\"leavesQuantity\":10,\"limitPrice\":100}"

static const struct og_facts *of(const struct gate *g, const char *account)
{
    const size_t at = og_book_find(g->book, og_str_of(account));

    assert_true(at < g->book->accounts);
    return g->book->account[at];
}

static void works(const struct gate *g, const char *account, const char *shares)
{
    const struct og_holding *h = og_facts_holding(of(g, account), OG_STR("AAPL"));

    assert_string_equal(h ? og_money_text(h->opening_buy_leaves).s : "none", shares);
}

static void bp_of(const struct gate *g, const char *account, const char *expected)
{
    assert_string_equal(og_money_text(og_facts_account(of(g, account))->bp).s, expected);
}

static void what_is_decided_first_is_of_its_account(void **state)
{
    struct gate g = open_gate();

    (void)state;
    (void)reserve(&g, 0, FOR("L1", "o1", "10"));
    apply_at(&g, 100, NOTHING);
    works(&g, "L1", "10");
    bp_of(&g, "L1", "99000");
    assert_int_equal(og_facts_sent(of(&g, "L1"), OG_TODAY, START, 20260115), 1);
    assert_int_not_equal(og_facts_id(of(&g, "L1"), OG_STR("o1")), OG_ID_FREE);
    close_gate(&g);
}

static void each_account_has_its_own(void **state)
{
    struct gate g = open_gate();

    (void)state;
    (void)reserve(&g, 0, FOR("L1", "o1", "10"));
    (void)reserve(&g, 1, FOR("L2", "o2", "20"));
    apply_at(&g, 100, NOTHING);
    apply(&g, "{\"accountId\":\"L2\",\"account\":{\"account\":\"L2\",\"bp\":50000},\"positions\":[],\"orders\":[]}");
    works(&g, "L1", "10");
    works(&g, "L2", "20");
    bp_of(&g, "L1", "99000");
    bp_of(&g, "L2", "48000");
    close_gate(&g);
}

/* Facts that name no account apply to every account until that account has facts of its own. The orders that were
 * counted in them then move to the account's facts. */
static void facts_without_a_name_give_it_up(void **state)
{
    struct gate g = open_gate();

    (void)state;
    apply(&g, "{\"account\":{\"bp\":100000},\"positions\":[],\"orders\":[]}");
    (void)reserve(&g, 0, FOR("L1", "o1", "10"));
    (void)reserve(&g, 1, FOR("L2", "o2", "20"));
    works(&g, "", "30");
    apply_at(&g, 100, NOTHING);
    works(&g, "L1", "10");
    works(&g, "", "20");
    bp_of(&g, "L1", "99000");
    bp_of(&g, "", "98000");
    assert_int_equal(og_facts_sent(of(&g, "L1"), OG_TODAY, START, 20260115), 1);
    close_gate(&g);
}

/* If the list of orders is loaded when the account is added, it contains the order already: the order counts once, by
 * its ticket or by its row. */
static void a_row_that_waits_for_it_counts_once(void **state)
{
    struct gate g = open_gate();

    (void)state;
    apply(&g, "{\"account\":{\"bp\":100000},\"positions\":[],\"orders\":[]}");
    og_ticket_sent(g.book, reserve(&g, 0, FOR("L1", "o1", "10")), START + MS);
    apply_at(&g, 5000, BP("99000") ",\"positions\":[],\"orders\":[" ROW("o1") "]");
    works(&g, "L1", "10");
    bp_of(&g, "L1", "99000");
    assert_null(og_facts_holding(of(&g, ""), OG_STR("AAPL")));
    close_gate(&g);
}

static void it_moves_on_where_it_is(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    t = reserve(&g, 0, FOR("L1", "o1", "10"));
    og_ticket_sent(g.book, t, START + MS);
    apply_at(&g, 100, NOTHING);
    assert_int_equal(fill(&g, t, 4, "90", 200), OG_OK);
    works(&g, "L1",
          "10"); /* positions may include the four shares: these still count as working, and cannot be sold yet */
    og_ticket_release(g.book, t);
    apply_at(&g, 5000,
             BP("99640") ",\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":4,\"priceAvg\":90}],"
                         "\"orders\":[]");
    works(&g, "L1", "0");
    bp_of(&g, "L1", "99640");
    close_gate(&g);
}

/* Without a quote, and before its account is known, a buy stop or a short sale reserves at least what its stop price
 * says. */
static void own_prices_count_without_an_account(void **state)
{
    static const char *const lines[] = {
        "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":"
        "\"Stop\","
        "\"orderQuantity\":10,\"stopPrice\":100,\"timeInForce\":\"Day\",\"clientOrderId\":\"o1\",\"accountId\":\"L1\"}",
        "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Sell\",\"openClose\":\"Open\",\"orderType\":"
        "\"Stop\","
        "\"orderQuantity\":10,\"stopPrice\":100,\"timeInForce\":\"Day\",\"clientOrderId\":\"o1\",\"accountId\":\"L1\"}",
        "{\"securityType\":\"Option\",\"symbol\":\"" CALL "\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":"
        "\"Stop\",\"orderQuantity\":1,\"stopPrice\":10,\"timeInForce\":\"Day\",\"clientOrderId\":\"o1\",\"accountId\":"
        "\"L1\"}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct gate g = open_gate();

        (void)reserve(&g, 0, lines[i]);
        apply_at(&g, 100, NOTHING);
        if (og_money_cmp(og_facts_account(of(&g, "L1"))->bp, usd("99000")) > 0)
            fail_msg("%s takes too little: %s", lines[i], og_money_text(og_facts_account(of(&g, "L1"))->bp).s);
        close_gate(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_decided_first_is_of_its_account),
        cmocka_unit_test(each_account_has_its_own),
        cmocka_unit_test(facts_without_a_name_give_it_up),
        cmocka_unit_test(a_row_that_waits_for_it_counts_once),
        cmocka_unit_test(it_moves_on_where_it_is),
        cmocka_unit_test(own_prices_count_without_an_account),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
