/*
 * Positions and orders summed by traded symbol: both shapes of rows, every status, spreads, used ids, contracts of a
 * root.
 */
#include <stdio.h>

#include "facts_doc.h"

#define CALL "AAPL260116C00150000"
#define PUT  "AAPL260116P00007500"

static void test_positions(void **state)
{
    struct og_facts *f =
        facts_of("{\"positions\":["
                 "{\"accountId\":\"LIVE0001\",\"positionId\":\"1\",\"symbol\":\"AAPL\",\"tradedSymbol\":null,"
                 "\"securityType\":\"Stock\","
                 "\"side\":\"Long\",\"shares\":10.5},"
                 "{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":0.12345678901234567},"
                 "{\"symbol\":\"AAPL\",\"side\":\"Short\",\"shares\":-4},"
                 "{\"symbol\":\"AAPL\",\"tradedSymbol\":\"" CALL
                 "\",\"securityType\":\"Option\",\"side\":\"Short\",\"shares\":-3},"
                 "{\"symbol\":\"" PUT "\",\"securityType\":\"Option\",\"side\":\"Short\",\"shares\":3.0},"
                 "{\"symbol\":\"MSFT\",\"side\":\"Long\",\"shares\":0.0,\"securityType\":null}]}");
    const struct og_holding *h = og_facts_holding(f, OG_STR("AAPL"));
    struct og_money m;

    (void)state;
    assert_money(h->held_long, "10.62345678901234567");
    assert_money(h->held_short, "4");
    assert_int_equal(h->lots, 3);
    assert_int_equal(h->working, 0);
    assert_false(h->occ.is);
    assert_str(h->traded, "AAPL");
    h = og_facts_holding(f, OG_STR(CALL));
    assert_money(h->held_short, "3");
    assert_money(h->held_long, "0");
    assert_true(h->occ.is);
    assert_int_equal(h->occ.type, 'C');
    assert_str(h->occ.root, "AAPL");
    h = og_facts_holding(f, OG_STR(PUT));
    assert_money(h->held_short, "3");
    assert_null(og_facts_holding(f, OG_STR("MSFT"))); /* a closed position is not kept */
    assert_true(og_facts_put_reserve(f, 0, &m));
    assert_money(m, "2250"); /* 3 x 100 x 7.5 */
    take(f, "{\"positions\":[]}");
    assert_null(og_facts_holding(f, OG_STR("AAPL")));
    assert_null(og_facts_contracts(f, OG_STR("AAPL")));
    assert_true(og_facts_put_reserve(f, 0, &m));
    assert_money(m, "0");
    og_facts_free(f);
}

static void test_contracts_of_a_root(void **state)
{
    struct og_facts *f = facts_of("{\"positions\":[{\"symbol\":\"" CALL "\",\"side\":\"Long\",\"shares\":1},"
                                  "{\"symbol\":\"" PUT "\",\"side\":\"Long\",\"shares\":2},"
                                  "{\"symbol\":\"MSFT260116C00150000\",\"side\":\"Long\",\"shares\":4},"
                                  "{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":8}]}");
    struct og_money sum = { 0, 0 };

    (void)state;
    for (const struct og_holding *h = og_facts_contracts(f, OG_STR("AAPL")); h; h = h->next_of_root)
        assert_true(og_money_add(sum, h->held_long, &sum));
    assert_money(sum, "3");
    assert_null(og_facts_contracts(f, OG_STR("MSFT"))->next_of_root);
    assert_null(og_facts_contracts(f, OG_STR("AAP")));
    og_facts_free(f);
}

/* Check a row with this status and time in force: how many orders certainly work, and how many may. */
static void check_status(const char *status, const char *tif, int certain, int maybe, enum og_id_use use)
{
    char json[512];
    struct og_facts *f;
    const struct og_holding *h;

    snprintf(json, sizeof json,
             "{\"orders\":[{\"accountId\":\"LIVE0001\",\"clientOrderId\":\"id\",\"orderStatus\":\"%s\",\"timeInForce\":"
             "\"%s\","
             "\"symbol\":\"AAPL\",\"tradedSymbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Buy\",\"openClose\":"
             "\"Open\","
             "\"leavesQuantity\":5}]}",
             status, tif);
    f = facts_of(json);
    h = og_facts_holding(f, OG_STR("AAPL"));
    assert_int_equal(h ? h->opening_buys : 0, certain);
    assert_int_equal(h ? h->opening_buys_maybe : 0, maybe);
    assert_int_equal(h ? h->working : 0, certain + maybe);
    assert_int_equal(og_facts_id(f, OG_STR("id")), use);
    og_facts_free(f);
}

static void test_statuses(void **state)
{
    (void)state;
    check_status("New", "Day", 1, 0, OG_ID_ACCEPTED);
    check_status("PendingNew", "Day", 1, 0, OG_ID_ACCEPTED);
    check_status("Accepted", "Day", 1, 0, OG_ID_ACCEPTED);
    check_status("PartiallyFilled", "Day", 1, 0, OG_ID_ACCEPTED);
    check_status("PendingCancel", "Day", 0, 1, OG_ID_ACCEPTED);
    check_status("DoneForDay", "Day", 0, 0, OG_ID_ACCEPTED);
    check_status("DoneForDay", "Day_Plus", 0, 0, OG_ID_ACCEPTED);
    check_status("DoneForDay", "GoodTillCancel", 0, 1, OG_ID_ACCEPTED);
    check_status("DoneForDay", "GTC_Plus", 0, 1, OG_ID_ACCEPTED);
    check_status("Suspended", "Day", 0, 1, OG_ID_ACCEPTED); /* an order with an undocumented status may fill */
    check_status("new", "Day", 0, 1, OG_ID_ACCEPTED);
    check_status("Filled", "Day", 0, 0, OG_ID_ACCEPTED);
    check_status("Canceled", "Day", 0, 0, OG_ID_ACCEPTED);
    check_status("Expired", "Day", 0, 0, OG_ID_ACCEPTED);
    check_status("Rejected", "Day", 0, 0, OG_ID_REJECTED);
}

#define ROW(more) "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"GME\"," more "}]}"

static const struct og_holding *gme(struct og_facts *f, const char *json)
{
    const struct og_holding *h;

    take(f, json);
    h = og_facts_holding(f, OG_STR("GME"));
    assert_non_null(h);
    assert_int_equal(h->working, 1);
    return h;
}

static void test_directions_and_leaves(void **state)
{
    struct og_facts *f = facts_of(NULL);
    const struct og_holding *h;

    (void)state;
    h = gme(f, ROW("\"side\":\"SellShort\",\"openClose\":\"Close\",\"leavesQuantity\":7"));
    assert_int_equal(h->opening_sells, 1);
    assert_money(h->opening_sell_leaves, "7");
    assert_money(h->closing_sells, "0");
    h = gme(f, ROW("\"side\":\"Sell\",\"openClose\":\"Open\",\"leavesQuantity\":7.5"));
    assert_int_equal(h->opening_sells, 1);
    assert_money(h->opening_sell_leaves, "7.5");
    h = gme(f, ROW("\"side\":\"Sell\",\"openClose\":\"Close\",\"leavesQuantity\":7"));
    assert_int_equal(h->opening_sells + h->opening_sells_maybe, 0);
    assert_money(h->closing_sells, "7");
    assert_money(h->opening_sell_leaves, "0");
    h = gme(f, ROW("\"side\":\"Buy\",\"openClose\":\"Close\",\"leavesQuantity\":7"));
    assert_int_equal(h->opening_buys + h->opening_buys_maybe, 0);
    assert_money(h->closing_buys, "7");
    /* unknown openClose: it may open, and it may close what is held */
    h = gme(f, ROW("\"side\":\"Sell\",\"openClose\":\"Unknown\",\"leavesQuantity\":7"));
    assert_int_equal(h->opening_sells, 0);
    assert_int_equal(h->opening_sells_maybe, 1);
    assert_money(h->closing_sells, "7");
    assert_money(h->opening_sell_leaves, "7");
    h = gme(f, ROW("\"side\":\"Buy\",\"openClose\":null,\"leavesQuantity\":7"));
    assert_int_equal(h->opening_buys_maybe, 1);
    assert_money(h->closing_buys, "7");
    /* the unfilled quantity, under either of its names, or computed */
    assert_money(gme(f, ROW("\"side\":\"SellShort\",\"lvsQty\":3"))->opening_sell_leaves, "3");
    assert_money(gme(f, ROW("\"side\":\"SellShort\",\"lvsQty\":3,\"leavesQuantity\":2"))->opening_sell_leaves, "2");
    assert_money(gme(f, ROW("\"side\":\"SellShort\",\"orderQuantity\":10,\"executed\":3,\"canceledQuantity\":2"))
                     ->opening_sell_leaves,
                 "5");
    assert_money(
        gme(f, ROW("\"side\":\"SellShort\",\"orderQuantity\":10,\"cancelledQuantity\":2"))->opening_sell_leaves, "8");
    /* an opening buy closes nothing, so its size may be missing */
    assert_int_equal(gme(f, ROW("\"side\":\"Buy\",\"openClose\":\"Open\""))->opening_buys, 1);
    og_facts_free(f);
}

/* Load what the broker answered, which may have rows of other accounts. */
static struct og_facts *answered(const char *json)
{
    struct og_facts *f = facts_of(NULL);
    cJSON *doc = doc_of(json);

    assert_int_equal(og_facts_load_answers(f, doc, "the broker's documents", NULL), OG_OK);
    cJSON_Delete(doc);
    return f;
}

/* The WebSocket shape has the same contents under other keys; the keys may also be mixed. */
static void test_websocket_shape(void **state)
{
    struct og_facts *f = answered(
        "{\"orders\":{\"orders\":[{\"account\":\"live0001\",\"userOrderId\":\"LIVE0001:a:b\",\"status\":\"New\","
        "\"symbol\":\"AAPL\","
        "\"tradedSymbol\":\"AAPL\",\"side\":\"Sell\",\"openClose\":\"Close\",\"lvsQty\":9,\"securityType\":\"Stock\"},"
        "{\"userOrderId\":\"OTHER:c\",\"orderStatus\":\"New\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":"
        "\"Open\",\"lvsQty\":9},"
        "{\"userOrderId\":\"bare\",\"orderStatus\":\"Filled\",\"status\":\"New\"},"
        "{\"clientOrderId\":\"clean\",\"userOrderId\":\"LIVE0001:ws\",\"orderStatus\":\"Rejected\",\"text\":\"R78: "
        "no\"},"
        "{\"accountId\":\"OTHER\",\"clientOrderId\":\"far\",\"orderStatus\":\"Rejected\"},"
        "{\"orderStatus\":\"Rejected\",\"clientOrderId\":null,\"symbol\":null,\"side\":\"\"}]}}");
    const struct og_holding *h = og_facts_holding(f, OG_STR("AAPL"));

    (void)state;
    assert_int_equal(h->working, 1); /* an order of another account is not counted */
    assert_money(h->closing_sells, "9");
    assert_int_equal(og_facts_id(f, OG_STR("a:b")), OG_ID_ACCEPTED);
    assert_int_equal(og_facts_id(f, OG_STR("c")), OG_ID_OTHER_ACCOUNT);
    assert_int_equal(og_facts_id(f, OG_STR("bare")), OG_ID_ACCEPTED);
    assert_int_equal(og_facts_id(f, OG_STR("clean")), OG_ID_REJECTED);
    assert_int_equal(og_facts_id(f, OG_STR("ws")), OG_ID_FREE);
    assert_int_equal(og_facts_id(f, OG_STR("far")), OG_ID_OTHER_ACCOUNT);
    assert_false(og_facts_known(f, OG_FACT_USED_IDS, &(int64_t){ 0 })); /* the list of used ids is not complete */
    og_facts_free(f);
}

static void test_options_working(void **state)
{
    struct og_facts *f = facts_of(
        "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"AAPL\",\"tradedSymbol\":\"" PUT
        "\",\"securityType\":\"Option\","
        "\"side\":\"Sell\",\"openClose\":\"Open\",\"leavesQuantity\":2},"
        "{\"orderStatus\":\"New\",\"symbol\":\"AAPL\",\"tradedSymbol\":\"" CALL "\",\"securityType\":\"Option\","
        "\"side\":\"Sell\",\"openClose\":\"Open\",\"leavesQuantity\":1.0}],"
        "\"positions\":[{\"symbol\":\"" PUT "\",\"side\":\"Short\",\"shares\":1},{\"symbol\":\"AAPL260116P00000001\","
        "\"side\":\"Short\",\"shares\":1}]}");
    struct og_money m;

    (void)state;
    assert_money(og_facts_holding(f, OG_STR(PUT))->opening_sell_leaves, "2");
    assert_int_equal(og_facts_holding(f, OG_STR(PUT))->opening_sells, 1);
    assert_null(og_facts_holding(f, OG_STR("AAPL")));
    assert_true(og_facts_put_reserve(f, 0, &m));
    assert_money(m, "2250.1"); /* written calls need no cash reserve; strike 0.001 x 100 */
    og_facts_free(f);
}

static void test_spreads(void **state)
{
    struct og_facts *f = facts_of(
        "{\"orders\":[{\"orderStatus\":\"New\",\"clientOrderId\":\"m\",\"securityType\":\"MLEG\",\"symbol\":\"AAPL\","
        "\"tradedSymbol\":\"AAPL\",\"side\":\"Unknown\",\"openClose\":\"Open\",\"legs\":null,\"legCount\":0}]}");
    const struct og_holding *h = og_facts_holding(f, OG_STR("AAPL"));

    (void)state;
    assert_int_equal(h->working, 1);
    assert_int_equal(h->opening_buys + h->opening_sells + h->opening_buys_maybe + h->opening_sells_maybe, 0);
    assert_int_equal(og_facts_id(f, OG_STR("m")), OG_ID_ACCEPTED);
    take(f,
         "{\"orders\":[{\"orderStatus\":\"PartiallyFilled\",\"userOrderId\":\"LIVE0001:m\",\"securityType\":\"MLEG\","
         "\"symbol\":\"AAPL\",\"side\":\"Buy\",\"legs\":["
         "{\"index\":0,\"symbol\":\"" CALL "\",\"side\":\"Sell\",\"qty\":6,\"lvsQty\":4,\"openClose\":\"Close\"},"
         "{\"index\":1,\"symbol\":\"" PUT "\",\"side\":\"Buy\",\"qty\":6,\"cxlQty\":1,\"openClose\":\"Open\"},"
         "{\"index\":2,\"symbol\":\"AAPL\",\"side\":\"Buy\",\"qty\":600,\"openClose\":\"Close\"}]}]}");
    h = og_facts_holding(f, OG_STR("AAPL"));
    assert_int_equal(h->working, 1); /* the stock leg does not count as a second order */
    assert_money(h->closing_buys, "600");
    h = og_facts_holding(f, OG_STR(CALL));
    assert_int_equal(h->working, 1);
    assert_money(h->closing_sells, "4");
    h = og_facts_holding(f, OG_STR(PUT));
    assert_int_equal(h->opening_buys, 0); /* never certain */
    assert_int_equal(h->opening_buys_maybe, 1);
    og_facts_free(f);
}

static void test_id_stays_used_when_its_order_drops_out(void **state)
{
    struct og_facts *f =
        facts_of("{\"orders\":[{\"clientOrderId\":\"a\",\"orderStatus\":\"New\",\"symbol\":\"X\",\"side\":\"Buy\","
                 "\"openClose\":\"Open\"},{\"clientOrderId\":\"p\",\"orderStatus\":\"PendingNew\",\"symbol\":\"X\","
                 "\"side\":\"Buy\",\"openClose\":\"Open\"},{\"clientOrderId\":\"r\",\"orderStatus\":\"Rejected\"}]}");

    (void)state;
    take(f, "{\"orders\":[]}");
    assert_null(og_facts_holding(f, OG_STR("X")));
    assert_int_equal(og_facts_id(f, OG_STR("a")), OG_ID_ACCEPTED);
    assert_int_equal(og_facts_id(f, OG_STR("r")), OG_ID_REJECTED);
    take(f, "{\"orders\":[{\"clientOrderId\":\"a\",\"orderStatus\":\"Rejected\"},{\"clientOrderId\":\"p\","
            "\"orderStatus\":\"Rejected\"},"
            "{\"clientOrderId\":\"r\",\"orderStatus\":\"Filled\"}]}");
    assert_int_equal(og_facts_id(f, OG_STR("a")), OG_ID_ACCEPTED); /* the row that reused the id does not replace the
                                                                    * first order's use */
    assert_int_equal(og_facts_id(f, OG_STR("p")), OG_ID_REJECTED); /* PendingNew, then Rejected: both rows are of one
                                                                    * order */
    assert_int_equal(og_facts_id(f, OG_STR("r")), OG_ID_ACCEPTED);
    og_facts_free(f);
}

static void test_refusals(void **state)
{
    static const char *const cases[][2] = {
        { "{\"positions\":{}}", "positions: expected an array, or an object with \"positions\", saw an object" },
        { "{\"positions\":[1]}", "positions[0]: expected an object, saw 1" },
        { "{\"positions\":[{}]}", "positions[0].symbol: expected a string, saw nothing" },
        { "{\"positions\":[{\"symbol\":5}]}", "positions[0].symbol: expected a string, saw 5" },
        { "{\"positions\":[{\"symbol\":\"A\",\"tradedSymbol\":5}]}",
          "positions[0].tradedSymbol: expected a string, saw 5" },
        { "{\"positions\":[{\"symbol\":\"A\",\"securityType\":5}]}",
          "positions[0].securityType: expected a string, saw 5" },
        { "{\"positions\":[{\"symbol\":\"A\",\"securityType\":\"Option\",\"tradedSymbol\":null}]}",
          "positions[0].tradedSymbol: expected the OCC contract of the option, saw null" },
        { "{\"positions\":[{\"symbol\":\"F\",\"securityType\":\"Option\",\"side\":\"Short\",\"shares\":1,"
          "\"tradedSymbol\":\"F     260220C00013000\"}]}",
          "positions[0].tradedSymbol: expected an OCC contract as orders have it, without blanks, saw \"F     "
          "260220C00013000\"" },
        { "{\"positions\":[{\"symbol\":\"A B260220C00013000\",\"side\":\"Long\",\"shares\":1}]}",
          "positions[0].tradedSymbol: expected an OCC contract as orders have it, without blanks, saw nothing" },
        { "{\"positions\":[{\"symbol\":\"A\"}]}", "positions[0].side: expected a string, saw nothing" },
        { "{\"positions\":[{\"symbol\":\"A\",\"side\":\"Buy\",\"shares\":1}]}",
          "positions[0].side: expected \"Long\" or \"Short\", saw \"Buy\"" },
        { "{\"positions\":[{\"symbol\":\"A\",\"side\":\"Long\"}]}",
          "positions[0].shares: expected a number, saw nothing" },
        { "{\"positions\":[{\"symbol\":\"A\",\"side\":\"Long\",\"shares\":1},{\"symbol\":\"A\",\"side\":\"Long\","
          "\"shares\":1},"
          "{\"symbol\":\"A\",\"side\":\"Long\",\"shares\":\"ten\"}]}",
          "positions[2].shares: expected a number, saw \"ten\"" },
        { "{\"positions\":{\"positions\":[{\"symbol\":\"A\",\"side\":\"Long\",\"shares\":true}]}}",
          "positions.positions[0].shares: expected a number, saw true" },
        { "{\"positions\":[{\"symbol\":\"A\",\"side\":\"Long\",\"shares\":1e30}]}",
          "positions[0].shares: expected a number of at most 18 digits, saw 1e30" },
        { "{\"positions\":[{\"symbol\":\"" CALL "\",\"side\":\"Long\",\"shares\":1.5}]}",
          "positions[0].shares: expected a whole number of contracts, saw 1.5" },
        { "{\"positions\":[{\"accountId\":\"X\",\"symbol\":\"A\",\"side\":\"Long\",\"shares\":1}]}",
          "positions[0].accountId: expected \"LIVE0001\", the account that these facts belong to, saw \"X\"" },
        { "{\"positions\":[{\"account\":\"X\",\"symbol\":\"A\",\"side\":\"Long\",\"shares\":1}]}",
          "positions[0].account: expected \"LIVE0001\", the account that these facts belong to, saw \"X\"" },
        { "{\"positions\":[{\"accountId\":\"LIVE0001\",\"account\":\"X\",\"symbol\":\"A\",\"side\":\"Long\",\"shares\":"
          "1}]}",
          "positions[0].account: expected \"LIVE0001\", the account that these facts belong to, saw \"X\"" },
        { "{\"positions\":[{\"symbol\":\"A\",\"side\":\"Long\",\"shares\":0.00000000000000001},"
          "{\"symbol\":\"A\",\"side\":\"Long\",\"shares\":1e16}]}",
          "positions: the sizes of 'A' add up to more than 18 digits" },
        { "{\"orders\":\"none\"}", "orders: expected an array, or an object with \"orders\", saw \"none\"" },
        { "{\"orders\":[null]}", "orders[0]: expected an object, saw null" },
        { "{\"orders\":[{}]}", "orders[0].orderStatus: expected a string that is not empty, saw nothing" },
        { "{\"orders\":[{\"orderStatus\":true}]}", "orders[0].orderStatus: expected a string, saw true" },
        { "{\"orders\":[{\"status\":1}]}", "orders[0].status: expected a string, saw 1" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"clientOrderId\":7}]}",
          "orders[0].clientOrderId: expected a string, saw 7" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"userOrderId\":7}]}",
          "orders[0].userOrderId: expected a string, saw 7" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"accountId\":7}]}", "orders[0].accountId: expected a string, saw 7" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"account\":7}]}", "orders[0].account: expected a string, saw 7" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"timeInForce\":7}]}",
          "orders[0].timeInForce: expected a string, saw 7" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"securityType\":7}]}",
          "orders[0].securityType: expected a string, saw 7" },
        { "{\"orders\":[{\"orderStatus\":\"New\"}]}", "orders[0].symbol: expected a string, saw nothing" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"A\"}]}",
          "orders[0].side: expected a string, saw nothing" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"A\",\"side\":\"Unknown\"}]}",
          "orders[0].side: expected \"Buy\", \"Sell\" or \"SellShort\", saw \"Unknown\"" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"A\",\"side\":\"Buy\",\"openClose\":3}]}",
          "orders[0].openClose: expected a string, saw 3" },
        { "{\"positions\":[{\"symbol\":\"A\",\"side\":\"Long\",\"shares\":-4}]}",
          "positions[0].shares: expected a number not below 0, as side is \"Long\", saw -4" },
        { "{\"positions\":[{\"symbol\":\"A\",\"side\":\"Short\",\"shares\":-4},{\"symbol\":\"A\",\"side\":\"Long\","
          "\"shares\":-0.5}]}",
          "positions[1].shares: expected a number not below 0, as side is \"Long\", saw -0.5" },
        { "{\"positions\":[{\"symbol\":\"A\",\"tradedSymbol\":\"" PUT
          "\",\"securityType\":\"Option\",\"side\":\"Long\","
          "\"shares\":-2}]}",
          "positions[0].shares: expected a number not below 0, as side is \"Long\", saw -2" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"A\",\"side\":\"Sell\",\"openClose\":\"Close\"}]}",
          "orders[0].orderQuantity: expected a number, saw nothing" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"A\",\"side\":\"Sell\",\"leavesQuantity\":\"1\"}]}",
          "orders[0].leavesQuantity: expected a number, saw \"1\"" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"A\",\"side\":\"Sell\",\"leavesQuantity\":-1}]}",
          "orders[0].leavesQuantity: expected a number that is not negative, saw -1" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"A\",\"side\":\"Sell\",\"lvsQty\":[]}]}",
          "orders[0].lvsQty: expected a number, saw an array" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"A\",\"side\":\"Sell\",\"orderQuantity\":1,\"executed\":"
          "\"\"}]}",
          "orders[0].executed: expected a number, saw \"\"" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"A\",\"side\":\"Sell\",\"orderQuantity\":1,\"executed\":2}"
          "]}",
          "orders[0].orderQuantity: expected at least what is executed and canceled of it, saw 1" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"" PUT "\",\"side\":\"Sell\",\"leavesQuantity\":0.5}]}",
          "orders[0].leavesQuantity: expected a whole number of contracts, saw 0.5" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"A\",\"securityType\":\"Option\",\"side\":\"Buy\"}]}",
          "orders[0].tradedSymbol: expected the OCC contract of the option, saw nothing" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"securityType\":\"MLEG\"}]}",
          "orders[0].symbol: expected a string, saw nothing" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"securityType\":\"MLEG\",\"symbol\":\"A\",\"legs\":{}}]}",
          "orders[0].legs: expected an array or null, saw an object" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"securityType\":\"MLEG\",\"symbol\":\"A\",\"legs\":[5]}]}",
          "orders[0].legs[0]: expected an object, saw 5" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"securityType\":\"MLEG\",\"symbol\":\"A\",\"legs\":[{\"symbol\":"
          "\"" PUT "\","
          "\"side\":\"Sell\",\"openClose\":\"Open\"}]}]}",
          "orders[0].legs[0].qty: expected a number, saw nothing" },
        { "{\"orders\":[{\"orderStatus\":\"New\",\"symbol\":\"A\",\"side\":\"SellShort\",\"leavesQuantity\":0."
          "00000000000000001},"
          "{\"orderStatus\":\"New\",\"symbol\":\"A\",\"side\":\"SellShort\",\"leavesQuantity\":1e16}]}",
          "orders: the sizes of 'A' add up to more than 18 digits" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refused(cases[i][0], cases[i][1]);
}

/* If a working row has nothing left, or quantities that do not add up, the most that may be left counts. */
static void test_rows_that_contradict_themselves(void **state)
{
    static const struct {
        const char *parts, *left; /* "": not known */
    } rows[] = {
        { "\"orderStatus\":\"New\",\"orderQuantity\":100,\"executed\":0,\"leavesQuantity\":0", "100" },
        { "\"orderStatus\":\"PartiallyFilled\",\"orderQuantity\":100,\"executed\":40,\"leavesQuantity\":0", "60" },
        { "\"orderStatus\":\"PartiallyFilled\",\"orderQuantity\":100,\"executed\":40,\"leavesQuantity\":10", "60" },
        { "\"orderStatus\":\"PartiallyFilled\",\"orderQuantity\":100,\"executed\":40,\"leavesQuantity\":90", "90" },
        { "\"orderStatus\":\"Accepted\",\"orderQuantity\":100,\"executed\":100,\"leavesQuantity\":0", "100" },
        { "\"orderStatus\":\"Accepted\",\"orderQuantity\":100,\"executed\":120,\"leavesQuantity\":0", "100" },
        { "\"orderStatus\":\"Accepted\",\"orderQuantity\":100,\"executed\":120,\"leavesQuantity\":30", "30" },
        { "\"orderStatus\":\"PendingCancel\",\"orderQuantity\":100,\"executed\":30,\"canceledQuantity\":70,"
          "\"leavesQuantity\":0",
          "70" },
        { "\"orderStatus\":\"PendingCancel\",\"orderQuantity\":100,\"executed\":30,\"canceledQuantity\":70", "70" },
        { "\"orderStatus\":\"New\",\"orderQuantity\":100,\"lvsQty\":0", "100" },
        { "\"orderStatus\":\"DoneForDay\",\"orderQuantity\":100,\"leavesQuantity\":0", "100" },
        { "\"orderStatus\":\"DoneForDay\",\"orderQuantity\":100,\"leavesQuantity\":100,\"timeInForce\":\"Forever\"",
          "100" },
        { "\"orderStatus\":\"New\",\"leavesQuantity\":0", "" },
        { "\"orderStatus\":\"New\",\"orderQuantity\":0,\"leavesQuantity\":0", "" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char json[512];
        struct og_facts *f;
        const struct og_holding *h;

        snprintf(json, sizeof json,
                 "{\"orders\":[{\"clientOrderId\":\"a1\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\","
                 "\"limitPrice\":10,%s}]}",
                 rows[i].parts);
        f = facts_of(json);
        h = og_facts_holding(f, OG_STR("AAPL"));
        assert_non_null(h);
        assert_int_equal(h->working, 1);
        assert_int_equal(h->unsized, !rows[i].left[0]);
        assert_money(h->opening_buy_leaves, rows[i].left[0] ? rows[i].left : "0");
        og_facts_free(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),       cmocka_unit_test(test_contracts_of_a_root),
        cmocka_unit_test(test_statuses),        cmocka_unit_test(test_directions_and_leaves),
        cmocka_unit_test(test_websocket_shape), cmocka_unit_test(test_options_working),
        cmocka_unit_test(test_spreads),         cmocka_unit_test(test_id_stays_used_when_its_order_drops_out),
        cmocka_unit_test(test_refusals),        cmocka_unit_test(test_rows_that_contradict_themselves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
