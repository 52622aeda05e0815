/*
 * The service's documents byte for byte, written here from the document and not by an encoder; also state names and
 * codes.
 */
#include "ordergate/time.h"
#include "unit.h"
#include "wire/documents.h"
#include "wire/write.h"

static struct og_money money(const char *text)
{
    struct og_money m;

    if (!og_money_read(text, strlen(text), &m))
        fail_msg("'%s' is no number", text);
    return m;
}

static void state_names_go_both_ways(void **state)
{
    static const char *const names[] = { "PendingNew", "Accepted", "New",      "PartiallyFilled", "PendingCancel",
                                         "Filled",     "Canceled", "Rejected", "DoneForDay",      "Expired" };
    size_t i;

    (void)state;
    for (i = 0; i < COUNT(names); i++) {
        assert_int_equal(og_order_status_of(og_str_of(names[i])), i + 1);
        assert_string_equal(og_order_status_name((enum og_order_status)(i + 1)), names[i]);
    }
    assert_int_equal(og_order_status_of(OG_STR("filled")), OG_ST_UNKNOWN);
    assert_int_equal(og_order_status_of(OG_STR("")), OG_ST_UNKNOWN);
    assert_int_equal(og_order_status_of(OG_STR("Suspended")), OG_ST_UNKNOWN);
    assert_string_equal(og_order_status_name((enum og_order_status)99), "");
}

static void codes_stand_alone(void **state)
{
    static const struct {
        const char *text, *code;
    } cases[] = {
        { "R118: Stop price", "R118" },
        { "R145", "R145" },
        { "rejected (R54)", "R54" },
        { "XR54 R24: x", "R24" },
        { "R14a R7", "R7" },
        { "R", "" },
        { "", "" },
        { "no code", "" },
        { "R 54", "" },
        { "r54", "" },
        { "_R54", "" },
        { "R54_", "" },
        { "11 No shares", "" },
        { "RR54,R130;", "R130" },
    };
    size_t i;

    (void)state;
    for (i = 0; i < COUNT(cases); i++)
        assert_str(og_reject_code(og_str_of(cases[i].text)), cases[i].code);
    assert_null(og_reject_code((struct og_str){ NULL, 0 }).s);
}

static void stamps(void **state)
{
    int64_t ns;

    (void)state;
    assert_true(og_time_read("2026-07-15T04:05:06.123456789Z", 30, &ns));
    assert_string_equal(og_wire_time_utc(ns).s, "2026-07-15T04:05:06.1234567+00:00");
    assert_string_equal(og_wire_time_eastern(ns).s, "2026-07-15T00:05:06.1234567-04:00");
    assert_string_equal(og_wire_time_http(ns).s, "Wed, 15 Jul 2026 04:05:06 GMT");
    assert_string_equal(og_wire_time_http(0).s, "Thu, 01 Jan 1970 00:00:00 GMT");
    assert_string_equal(og_wire_time_eastern(0).s, "1969-12-31T19:00:00.0000000-05:00");
}

static struct og_order_row a_row(void)
{
    return (struct og_order_row){
        .account_id = OG_STR("ACC:1"),
        .client_order_id = OG_STR("a\"b"),
        .status_text = OG_STR("Rejected"),
        .text = OG_STR("R145: Negative or invalid price"),
        .executed = money("40"),
        .canceled = money("60"),
        .quantity = money("100"),
        .last_price = money("1.5"),
        .last_quantity = money("40"),
        .limit_price = money("1.2345"),
        .price_avg = money("1.5"),
        .peg_offset_type = OG_STR("None"),
        .open_close = OG_STR("Open"),
        .order_type = OG_STR("Limit"),
        .security_type = OG_STR("Stock"),
        .side = OG_STR("Buy"),
        .symbol = OG_STR("BRK.B"),
        .time_in_force = OG_STR("Day"),
        .route = OG_STR("<no value>"),
        .start_time = OG_STR("s"),
        .last_updated = OG_STR("u"),
    };
}

#define MIDDLE(display)                                                                                               \
    "\"limitPrice\":1.2345,\"priceStop\":0,\"priceAvg\":1.5,\"" display "\":0,\"pegDifference\":0,"                   \
    "\"pegOffsetType\":\"None\",\"maintenanceRequirement\":0,\"marginRequirement\":0,\"openClose\":\"Open\","         \
    "\"orderType\":\"Limit\",\"securityType\":\"Stock\",\"side\":\"Buy\",\"symbol\":\"BRK.B\",\"tradedSymbol\":null," \
    "\"strikePrice\":0,\"timeInForce\":\"Day\",\"route\":\"<no value>\",\"startTime\":\"s\",\"lastUpdated\":\"u\","

static void clean_shape(void **state)
{
    struct og_order_row row = a_row();
    struct og_buf b;

    (void)state;
    og_buf_init(&b, 0);
    og_order_row_write_clean(&b, &row);
    assert_string_equal(b.s,
                        "{\"accountId\":\"ACC:1\",\"clientOrderId\":\"a\\\"b\",\"orderStatus\":\"Rejected\","
                        "\"text\":\"R145: Negative or invalid price\",\"executed\":40,\"leavesQuantity\":0,"
                        "\"canceledQuantity\":60,\"orderQuantity\":100,\"lastPrice\":1.5,\"lastQuantity\":40," MIDDLE(
                            "maxDisplayQuantity") "\"legCount\":0,\"legs\":null}");
    og_buf_clear(&b);
}

static void websocket_shape(void **state)
{
    struct og_order_row row = a_row();
    struct og_buf b;

    (void)state;
    row.text = (struct og_str){ NULL, 0 };
    row.leg_count = row.legs = 1;
    row.leg[0] = (struct og_leg_row){ .symbol = OG_STR("AAPL260220C00190000"),
                                      .side = OG_STR("Sell"),
                                      .open_close = OG_STR("Close"),
                                      .qty = money("2"),
                                      .avg_px = money("0.05") };
    row.account_type = OG_STR("Live");
    row.mleg_id = OG_STR("9007199254740993");
    row.start_time_et = OG_STR("e");
    row.source_system = OG_STR("x");
    og_buf_init(&b, 0);
    og_order_row_write_websocket(&b, &row);
    assert_string_equal(
        b.s, "{\"account\":\"ACC:1\",\"userOrderId\":\"ACC:1:a\\\"b\",\"orderStatus\":\"Rejected\","
             "\"status\":\"Rejected\","
             "\"text\":null,\"executed\":40,\"leavesQuantity\":0,\"lvsQty\":0,\"cancelledQuantity\":60,"
             "\"orderQuantity\":100,\"lastPrice\":1.5,\"lastQty\":40," MIDDLE(
                 "maxDisplayQty") "\"legCount\":1,\"legs\":[{\"index\":0,\"symbol\":\"AAPL260220C00190000\",\"side\":"
                                  "\"Sell\",\"qty\":2,"
                                  "\"lvsQty\":0,"
                                  "\"lastQty\":0,\"lastPx\":0,\"avgPx\":0.05,\"cxlQty\":0,\"openClose\":\"Close\"}],"
                                  "\"accountType\":\"Live\","
                                  "\"condition\":null,\"legIndex\":0,\"mlegID\":9007199254740993,\"startTimeET\":\"e\","
                                  "\"sourceSystem\":\"x\"}");
    og_buf_clear(&b);
}

static void routes(void **state)
{
    static const char *const types[] = { "Stock", "Option", NULL }, *const tifs[] = { "Day", NULL };
    static const struct og_route_info row = { "PAPER", types, tifs, tifs + 1, true };
    struct og_buf b;

    (void)state;
    og_buf_init(&b, 0);
    og_document_write(&b, OG_DOCUMENT_ROUTE, &row);
    assert_string_equal(b.s,
                        "{\"routeName\":\"PAPER\",\"securityTypes\":[\"Stock\",\"Option\"],\"timesInForce\":[\"Day\"],"
                        "\"orderTypes\":[],\"useDisplayQty\":true}");
    og_buf_clear(&b);
}

/* A writer checks for errors only at the end: a buffer that was full stays failed, and nothing was written beyond
 * it. */
static void full_buffers(void **state)
{
    struct og_order_row row = a_row();
    char room[1200];
    struct og_buf b;
    size_t size;

    (void)state;
    for (size = 1; size < sizeof(room); size++) {
        memset(room, 'x', sizeof(room));
        og_buf_init_fixed(&b, room, size);
        og_order_row_write_websocket(&b, &row);
        assert_int_equal(room[size], 'x');
        if (!b.bad)
            break;
    }
    assert_in_range(size, 600, sizeof(room) - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_names_go_both_ways),
        cmocka_unit_test(codes_stand_alone),
        cmocka_unit_test(stamps),
        cmocka_unit_test(clean_shape),
        cmocka_unit_test(websocket_shape),
        cmocka_unit_test(routes),
        cmocka_unit_test(full_buffers),
    };

    return cmocka_run_group_tests_name("wire_write", tests, NULL, NULL);
}
