/*
 * Where an upper bound suffices as an answer, an amount that is exact anyway is not marked as a bound, whatever the
 * fees are.
 */
#include "facts_doc.h"
#include "margin/margin.h"

#define HELD(strike, side)                                                                                         \
    "{\"symbol\":\"AAPL\",\"tradedSymbol\":\"AAPL261218C" strike "\",\"securityType\":\"Option\",\"side\":\"" side \
    "\",\"shares\":9}"
#define LONGS \
    HELD("00100000", "Long") "," HELD("00110000", "Long") "," HELD("00120000", "Long") "," HELD("00130000", "Long")
#define POSITIONS(all) "{\"account\":{\"bp\":100000},\"positions\":{\"positions\":[" all "]}}"
#define VERTICAL(first, second)                                                                                       \
    "{\"symbol\":\"AAPL\",\"securityType\":\"Mleg\",\"orderType\":\"Limit\",\"limitPrice\":1.50,\"orderQuantity\":2," \
    "\"timeInForce\":\"Day\",\"legs\":[{\"symbol\":\"AAPL261218C00100000\",\"side\":\"" first "\",\"ratio\":1,"       \
    "\"openClose\":\"Open\"},{\"symbol\":\"AAPL261218C00105000\",\"side\":\"" second "\",\"ratio\":1,"                \
    "\"openClose\":\"Open\"}]}"
#define DEBIT  VERTICAL("Buy", "Sell")
#define CREDIT VERTICAL("Sell", "Buy")

static const struct {
    const char *held, *order, *fee, *required;
    bool bounded;
} cases[] = {
    { POSITIONS(LONGS "," HELD("00140000", "Long")), DEBIT, "0", "300", false },
    { POSITIONS(LONGS "," HELD("00140000", "Long")), DEBIT, "0.65", "302.6", false },
    { POSITIONS(LONGS "," HELD("00140000", "Short")), DEBIT, "0", "300", true }, /* its short may pair with longs of
                                                                                  * other orders */
    { POSITIONS(LONGS "," HELD("00140000", "Short")), DEBIT, "0.65", "302.6", true },
    { POSITIONS(LONGS "," HELD("00140000", "Long")), CREDIT, "0", "700", true }, /* longs of other orders may cover
                                                                                  * it */
    { POSITIONS(LONGS "," HELD("00140000", "Long")), CREDIT, "0.65", "702.6", true },
};

static void what_is_exact_is_not_called_a_bound(void **state)
{
    struct og_margin_settings settings = { .long_dated = 10000,
                                           .rates = { .rate = 2000, .index_rate = 1500, .floor = 1000 } };
    struct og_margin_inputs *room = og_margin_room_new();

    (void)state;
    assert_non_null(room);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct og_facts *facts = facts_of(cases[i].held);
        struct og_order *order = order_of(cases[i].order);
        struct og_mleg mleg;
        struct og_mleg_payoff result;
        struct og_own_worth worth = { 0 };
        struct og_margin_question q = { .room = room,
                                        .order = order,
                                        .mleg = &mleg,
                                        .result = &result,
                                        .facts = facts,
                                        .worth = &worth,
                                        .settings = &settings,
                                        .date = 20260115 };
        struct og_margin m, exact;

        og_mleg_of(order, &mleg);
        og_mleg_payoff_of(order, &mleg, &result);
        settings.fee_per_contract = money(cases[i].fee);
        og_margin_of(&q, &m);
        assert_int_equal(m.state, OG_MARGIN_KNOWN);
        assert_money(m.required, cases[i].required);
        assert_int_equal(m.bounded, cases[i].bounded);
        q.exact = true;
        og_margin_of(&q, &exact);
        assert_false(exact.bounded);
        if (!m.bounded) {
            assert_int_equal(exact.model, m.model);
            assert_money(exact.required, cases[i].required);
        }
        og_order_free(order);
        og_facts_free(facts);
    }
    og_margin_room_free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(what_is_exact_is_not_called_a_bound) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
