/*
 * Decoding documents to structs: required and optional members, both shapes of an order, lists with and without an
 * envelope.
 */
#include "broker/decode.h"
#include "unit.h"
#include "wire/read.h"

static struct og_arena arena;
static cJSON *doc;

static int set_up(void **state)
{
    (void)state;
    og_arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    og_arena_clear(&arena);
    cJSON_Delete(doc);
    doc = NULL;
    return 0;
}

static const cJSON *read_doc(const char *text)
{
    cJSON_Delete(doc);
    assert_int_equal(og_doc_read(text, strlen(text), "test", &doc, NULL), OG_OK);
    return doc;
}

static void assert_money(struct og_money m, const char *text)
{
    assert_string_equal(og_money_text(m).s, text);
}

static void an_account_of_either_spelling(void **state)
{
    struct og_decode_error fault = { 0 };
    struct og_account_info a = { 0 };

    (void)state;
    assert_true(og_decode_row(OG_DOCUMENT_ACCOUNT,
                              read_doc("{\"account\":\"L1\",\"accountType\":\"Live\",\"availableCash\":-0.5,"
                                       "\"buyingPower\":100000.10,"
                                       "\"equity\":1e2,\"optionTradingLevel\":3,\"unrealized\":7,"
                                       "\"accountStatus\":null}"),
                              &arena, &a, &fault));
    assert_string_equal(a.account, "L1");
    assert_null(a.status);
    assert_money(a.available_cash, "-0.5");
    assert_money(a.buying_power, "100000.1");
    assert_money(a.equity, "100");
    assert_money(a.leverage, "0");
    assert_int_equal(a.option_level, 3);
}

/* The document is rejected if any required field is left out, null, or of another type. */
static void what_must_be_there(void **state)
{
    static const struct {
        enum og_document what;
        const char *keys[8], *values[8];
    } cases[] = {
        { OG_DOCUMENT_ACCOUNT,
          { "account", "accountType", "availableCash", "bp", "equity" },
          { "\"L1\"", "\"Live\"", "1", "2", "3" } },
        { OG_DOCUMENT_PNL, { "accountValue", "dayPnl" }, { "1", "2" } },
        { OG_DOCUMENT_LOT, { "positionId" }, { "\"7\"" } },
        { OG_DOCUMENT_POSITION, { "positionId", "symbol", "shares" }, { "\"7\"", "\"F\"", "1.5" } },
        { OG_DOCUMENT_CLOSED,
          { "positionId", "symbol", "shares", "sharesIn", "sharesOut", "realized" },
          { "9223372036854775807", "\"F\"", "0", "1", "1", "-3" } },
        { OG_DOCUMENT_CASH, { "deposit", "withdraw" }, { "1", "0" } },
        { OG_DOCUMENT_FILL, { "tradeId", "qty", "price" }, { "12345678901234567", "1", "2.5" } },
        { OG_DOCUMENT_LOCATE, { "quoteReqID", "locateStatus", "locatePrice" }, { "\"q\"", "65", "0.01" } },
        { OG_DOCUMENT_INVENTORY, { "symbol", "available" }, { "\"F\"", "100" } },
    };
    static const char *const wrong[] = { NULL, "null", "[]" };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (int without = -1; without < 8 && (without < 0 || cases[i].keys[without] != NULL); without++) {
            for (size_t w = 0; w < COUNT(wrong); w++) {
                struct og_decode_error fault = { 0 };
                union {
                    struct og_account_info account;
                    struct og_pnl_detail pnl;
                    struct og_position_info position;
                    struct og_fill_info fill;
                    struct og_locate_info locate;
                } row;
                struct og_buf b;
                bool ok;

                memset(&row, 0, sizeof(row));
                og_buf_init(&b, 0);
                for (int k = 0; k < 8 && cases[i].keys[k] != NULL; k++)
                    if (k != without || wrong[w] != NULL)
                        og_buf_format(&b, "%c\"%s\":%s", b.len > 0 ? ',' : '{', cases[i].keys[k],
                                      k == without ? wrong[w] : cases[i].values[k]);
                og_buf_text(&b, b.len > 0 ? "}" : "{}");
                ok = og_decode_row(cases[i].what, read_doc(b.s), &arena, &row, &fault);
                if (ok != (without < 0))
                    fail_msg("%s", b.s);
                if (!ok)
                    assert_string_equal(fault.key, cases[i].keys[without]);
                og_buf_clear(&b);
            }
        }
    }
}

static void ids_beyond_doubles(void **state)
{
    struct og_decode_error fault = { 0 };
    const struct og_position_info *row;
    const void *rows;
    size_t count;

    (void)state;
    assert_true(og_decode_rows(OG_DOCUMENT_POSITION,
                               read_doc("[{\"positionId\":9223372036854775807,\"symbol\":\"F\",\"shares\":1},"
                                        "{\"positionId\":\"99999999999999999999\",\"symbol\":\"F\",\"shares\":1}]"),
                               &arena, &rows, &count, &fault));
    row = rows;
    assert_int_equal(count, 2);
    assert_string_equal(row[0].position_id, "9223372036854775807");
    assert_string_equal(row[1].position_id, "99999999999999999999");
    assert_false(og_decode_rows(OG_DOCUMENT_POSITION, read_doc("[{\"positionId\":1,\"symbol\":\"F\",\"shares\":1},{}]"),
                                &arena, &rows, &count, &fault));
    assert_int_equal(fault.row, 2);
    assert_true(og_decode_rows(OG_DOCUMENT_POSITION, read_doc("[]"), &arena, &rows, &count, &fault));
    assert_int_equal(count, 0);
}

static void orders_of_both_shapes(void **state)
{
    struct og_decode_error fault = { 0 };
    struct og_order_info o;

    (void)state;
    assert_true(og_decode_row(OG_DOCUMENT_ORDER,
                              read_doc("{\"userOrderId\":\"L1:a:b\",\"status\":\"Filled\",\"lvsQty\":0,"
                                       "\"cancelledQuantity\":2,"
                                       "\"lastQty\":3,\"executed\":3,\"mlegID\":77,\"text\":\"\","
                                       "\"legs\":[{\"symbol\":\"F\",\"side\":\"Buy\",\"qty\":1,\"avgPx\":2.5}]}"),
                              &arena, &o, &fault));
    assert_string_equal(o.account, "L1");
    assert_string_equal(o.client_order_id, "a:b");
    assert_true(o.terminal && o.has_executed && o.legs == 1);
    assert_money(o.canceled, "2");
    assert_money(o.leg[0].price_avg, "2.5");
    assert_string_equal(o.mleg_id, "77");
    assert_true(og_decode_row(OG_DOCUMENT_ORDER, read_doc("{\"clientOrderId\":\"a\",\"orderStatus\":\"Suspended\"}"),
                              &arena, &o, &fault));
    assert_string_equal(o.status, "Suspended"); /* an unknown status is not final */
    assert_false(o.terminal || o.has_executed);
    assert_null(o.text);
    assert_false(og_decode_row(OG_DOCUMENT_ORDER, read_doc("{\"clientOrderId\":\"a\"}"), &arena, &o, &fault));
    assert_string_equal(fault.key, "orderStatus");
}

static void routes_with_lists(void **state)
{
    struct og_decode_error fault = { 0 };
    const struct og_route_info *r;
    const void *rows;
    size_t count;

    (void)state;
    assert_true(og_decode_rows(OG_DOCUMENT_ROUTE,
                               read_doc("[{\"routeName\":\"SMART\",\"securityTypes\":[\"Stock\",7,\"Option\"],"
                                        "\"timesInForce\":\"Day\"},{\"routeName\":\"X\"}]"),
                               &arena, &rows, &count, &fault));
    r = rows;
    assert_int_equal(count, 2);
    assert_string_equal(r[0].security_types[1], "Option");
    assert_null(r[0].security_types[2]);
    assert_string_equal(r[0].times_in_force[0], "Day");
    assert_null(r[0].order_types[0]);
    assert_null(r[1].security_types[0]);
    assert_false(og_decode_rows(OG_DOCUMENT_ROUTE, read_doc("[{\"name\":\"SMART\"}]"), &arena, &rows, &count, &fault));
    assert_string_equal(fault.key, "routeName");
}

static void words_of_an_error(void **state)
{
    static const struct {
        const char *type, *body, *text;
    } cases[] = {
        { "text/plain; charset=utf-8", "- symbol: bad\n- side: bad\n", "- symbol: bad; - side: bad" },
        { "application/json", "{\"statusCode\":\"BadRequest\",\"message\":\"M\",\"detail\":\"D\"}", "M: D" },
        { "application/json", "{\"message\":\"M\",\"detail\":null}", "M" },
        { "APPLICATION/PROBLEM+JSON",
          "{\"title\":\"T\",\"errors\":{\"Quantity\":[\"one\",\"two\"],\"Symbol\":[\"three\"]}}",
          "T; Quantity: one; Quantity: two; Symbol: three" },
        { "application/json", "not json", "not json" },
        { "text/html", "{\"message\":\"M\"}", "{\"message\":\"M\"}" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct og_buf b;

        og_buf_init(&b, 0);
        og_wire_error_text(cases[i].type, cases[i].body, strlen(cases[i].body), &b);
        assert_string_equal(b.s, cases[i].text);
        og_buf_clear(&b);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_account_of_either_spelling), TEST(what_must_be_there), TEST(ids_beyond_doubles),
        TEST(orders_of_both_shapes),         TEST(routes_with_lists),  TEST(words_of_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
