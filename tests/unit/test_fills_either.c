/*
 * Fills that positions do not show yet. Of sales that may have closed a position or opened one both are assumed until
 * positions are read again: what may have been written is covered, uncovered and counted as if it were. Those of other
 * programs are seen in the list of orders, and make positions too old.
 */
#include "gate.h"

#define C150 "AAPL260220C00150000"
#define C155 "AAPL260220C00155000"
#define C200 "AAPL260220C00200000"
#define P150 "AAPL260220P00150000"
#define P155 "AAPL260220P00155000"

#define SALE(id, contract, oc, quantity, limit)                                                                 \
    "{\"securityType\":\"Option\",\"symbol\":\"" contract "\",\"side\":\"Sell\"," oc "\"orderType\":\"Limit\"," \
    "\"orderQuantity\":" quantity ",\"limitPrice\":" limit ",\"timeInForce\":\"Day\",\"clientOrderId\":\"" id "\"}"
#define BUY(id, contract, quantity, limit)                                                           \
    "{\"securityType\":\"Option\",\"symbol\":\"" contract                                            \
    "\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Limit\",\"orderQuantity\":" quantity \
    ",\"limitPrice\":" limit ",\"timeInForce\":\"Day\",\"clientOrderId\":\"" id "\"}"
#define OPENS  "\"openClose\":\"Open\","
#define CLOSES "\"openClose\":\"Close\","
#define EITHER ""
#define LONG(contract, quantity)                                                                            \
    "{\"symbol\":\"AAPL\",\"securityType\":\"Option\",\"tradedSymbol\":\"" contract "\",\"side\":\"Long\"," \
    "\"shares\":" quantity ",\"priceAvg\":12}"

static struct gate gate_of(const char *rules, const char *positions)
{
    char yaml[300], facts[900];
    struct og_policy *policy;
    struct og_error err = { 0 };
    struct gate g = { 0 };

    snprintf(yaml, sizeof yaml, "ordergate: 1\nname: t\nextends: []\nunsure: warn\nrules:\n%s", rules);
    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        fail_msg("%s", err.text);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_int_equal(og_book_halt_source(g.book, "", NULL), OG_OK);
    g.scratch = og_scratch_new();
    g.order = og_order_new();
    snprintf(facts, sizeof facts, BP("100000") ",\"orders\":[],\"positions\":[%s]", positions);
    apply_at(&g, 0, facts);
    return g;
}

/* Assert that the order is refused for `reason`; NULL: accepted. */
static void decided(struct gate *g, int ms, const char *line, const char *reason)
{
    struct og_decision d;
    og_ticket t;

    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    assert_int_equal(og_reserve(g->book, g->order, START + ms * MS, g->scratch, &d, &t), OG_OK);
    assert_int_equal(d.accepted, !reason);
    if (!reason)
        return;
    for (int i = 0; i < d.count; i++)
        if (d.findings[i].level == OG_LEVEL_REFUSE && strcmp(d.findings[i].reason, reason) == 0)
            return;
    fail_msg("not refused for %s", reason);
}

/* Calls that may have been written use up the cover of calls that are written next, filled or not. */
static void what_may_be_written_uses_up_cover(void **state)
{
    static const char rules[] = "  order-notional: {level: refuse, most: 9000}\n";

    (void)state;
    for (int filled = 0; filled <= 10; filled += 5) {
        struct gate g = gate_of(rules, LONG(C150, "10") "," LONG(C200, "4"));
        og_ticket t = reserve(&g, 1, SALE("a", C150, EITHER, "10", "0.50"));

        if (filled)
            assert_int_equal(fill(&g, t, filled, "0.50", 2), OG_OK);
        decided(&g, 3, SALE("b", C150, OPENS, "4", "12"), "notional-above-limit"); /* (200 - 150) * 400 - 4800 */
        close_gate(&g);
    }
}

/* A close that sells all that is held makes nobody forget what another fill may have written. */
static void a_close_leaves_what_may_be_written(void **state)
{
    static const char rules[] = "  uncovered-options: {level: refuse, allow: none, puts: any}\n";
    static const struct {
        const char *positions, *close, *either, *cover;
    } worlds[] = {
        { LONG(P150, "2") "," LONG(P155, "8"), SALE("a", P150, CLOSES, "2", "1"), SALE("b", P150, EITHER, "2", "1"),
          SALE("c", P155, CLOSES, "8", "1") },
        { LONG(C155, "2") "," LONG(C150, "8"), SALE("a", C155, CLOSES, "2", "1"), SALE("b", C155, EITHER, "2", "1"),
          SALE("c", C150, CLOSES, "8", "1") },
    };

    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++)
        for (int first = 0; first < 2; first++) {
            struct gate g = gate_of(rules, worlds[i].positions);
            og_ticket t[2];

            t[0] = reserve(&g, 1, worlds[i].close);
            t[1] = reserve(&g, 2, worlds[i].either);
            for (int k = 0; k < 2; k++)
                assert_int_equal(fill(&g, t[k ^ first], 2, "1", 3 + k), OG_OK);
            decided(&g, 5, worlds[i].cover, "option-uncovered");
            close_gate(&g);
        }
}

/* The list shows a fill that is newer than the positions: of an order of this book it is known from reports, of another
 * program's it is not known what it changed, until positions are read again. */
static void a_fill_in_the_list_that_positions_lack(void **state)
{
    static const char rules[] = "  position-limit: {level: refuse, contracts: 9, unsure: refuse}\n";
    static const char row[] =
        "\"orders\":[{\"accountId\":\"L1\",\"clientOrderId\":\"%s\",\"orderStatus\":\"Filled\",\"symbol\":\"" C150
        "\",\"securityType\":\"Option\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderQuantity\":4,\"executed\":4,"
        "\"limitPrice\":1,\"lastUpdated\":\"%s\"}]";
    char list[400];

    (void)state;
    for (int own = 0; own < 2; own++) {
        struct gate g = gate_of(rules, "");
        og_ticket t = reserve(&g, 1, BUY("a", C150, "4", "1"));

        assert_int_equal(fill(&g, t, 4, "1", 2), OG_OK);
        snprintf(list, sizeof list, row, own ? "a" : "another", og_time_text(START + 2 * MS).s);
        apply_at(&g, 3, list);
        decided(&g, 4, BUY("b", C150, "1", "1"), own ? NULL : "position-above-limit");
        decided(&g, 5, SALE("c", C150, CLOSES, "1", "1"), NULL);
        apply_at(&g, 6, "\"positions\":[" LONG(C150, "8") "]");
        decided(&g, 7, BUY("d", C150, "9", "1"), "position-above-limit");
        close_gate(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_may_be_written_uses_up_cover),
        cmocka_unit_test(a_close_leaves_what_may_be_written),
        cmocka_unit_test(a_fill_in_the_list_that_positions_lack),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
