/*
 * How the client reads the service's bytes (tests/wire, written by hand from the document).
 */
#include <stdio.h>

#include "text/doc.h"
#include "unit.h"
#include "wire/frame.h"
#include "wire/read.h"

static char room[65536];

static size_t load(const char *name)
{
    char path[512];
    size_t len;
    FILE *f;

    snprintf(path, sizeof(path), "%s/wire/%s", OG_TESTS, name);
    if ((f = fopen(path, "rb")) == NULL) {
        fail_msg("cannot open %s", path);
        return 0;
    }
    len = fread(room, 1, sizeof(room), f);
    fclose(f);
    return len;
}

static cJSON *order(const char *name, struct og_order_row *row)
{
    cJSON *doc = NULL;

    assert_int_equal(og_doc_read(room, load(name), name, &doc, NULL), OG_OK);
    assert_true(og_wire_order(doc, row));
    return doc;
}

static void assert_money(struct og_money m, const char *text)
{
    assert_string_equal(og_money_text(m).s, text);
}

static void clean_shape(void **state)
{
    struct og_order_row row;
    cJSON *doc = order("order-clean.json", &row);

    (void)state;
    assert_str(row.account_id, "LIVE0001");
    assert_str(row.client_order_id, "a:3");
    assert_int_equal(row.status, OG_ST_PARTIALLY_FILLED);
    assert_false(row.websocket_shape);
    assert_null(row.text.s);
    assert_money(row.executed, "4");
    assert_money(row.leaves, "6");
    assert_money(row.price_avg, "190.005");
    assert_str(row.side, "SellShort");
    assert_str(row.route, "<no value>");
    assert_int_equal(row.legs, 0);
    cJSON_Delete(doc);
}

static void websocket_shape(void **state)
{
    struct og_order_row row;
    cJSON *doc = order("order-websocket.json", &row);

    (void)state;
    assert_true(row.websocket_shape);
    assert_str(row.account_id, "PAPER0001");
    assert_str(row.client_order_id, "a:3"); /* split only at the first colon */
    assert_int_equal(row.status, OG_ST_FILLED);
    assert_true(row.has_executed && row.has_leaves && row.has_canceled);
    assert_int_equal(og_money_cmp(row.executed, og_money_from(1)), 0);
    assert_money(row.last_price, "-1.25");
    assert_str(row.mleg_id, "9007199254740993"); /* beyond 2^53, exact */
    assert_int_equal(row.legs, 2);
    assert_str(row.leg[1].symbol, "SPY260220C00605000");
    assert_money(row.leg[1].avg_px, "6.25");
    cJSON_Delete(doc);
}

static void part_of_a_row(void **state)
{
    struct og_order_row row;
    cJSON *doc = order("order-early-reject.json", &row);

    (void)state;
    assert_int_equal(row.status, OG_ST_REJECTED);
    assert_str(og_reject_code(row.text), "R145");
    assert_false(row.has_price_avg || row.has_quantity);
    cJSON_Delete(doc);
    doc = order("order-wrapped.json", &row);
    assert_str(row.client_order_id, "p2INVALID");
    assert_int_equal(row.status, OG_ST_PENDING_NEW);
    cJSON_Delete(doc);
}

static void no_order(void **state)
{
    static const char *const texts[] = {
        "{}", "[]", "null", "17", "{\"accounts\":[]}", "{\"clientOrderId\":\"a\"}", "[{\"orderStatus\":\"New\"}]x"
    };
    struct og_order_row row;

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        cJSON *doc = NULL;

        if (og_doc_read(texts[i], strlen(texts[i]), "test", &doc, NULL) == OG_OK)
            assert_false(og_wire_order(doc, &row));
        cJSON_Delete(doc);
    }
}

static void frames(void **state)
{
    static const struct {
        const char *name;
        enum og_frame_kind kind;
        const char *says; /* status of a system message, or id of an order */
    } cases[] = {
        { "frame-hello.json", OG_FRAME_SYSTEM, "PENDING_AUTH" },
        { "frame-failed.json", OG_FRAME_SYSTEM, "FAILED_AUTH" },
        { "frame-meta.json", OG_FRAME_META, "" },
        { "frame-order-clean.json", OG_FRAME_ORDER, "x" },
        { "frame-order-websocket.json", OG_FRAME_ORDER, "x" }, /* the order's own status is not a word of system
                                                                * messages */
        { "frame-position.json", OG_FRAME_POSITION, "" },
        { "frame-pnl-init.json", OG_FRAME_PNL_INIT, "" },
        { "frame-pnl-totals.json", OG_FRAME_PNL_TOTALS, "" },
        { "frame-pnl-position.json", OG_FRAME_PNL_POSITION, "" },
        { "frame-error.json", OG_FRAME_OTHER, "" },
    };
    struct og_frame f;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(og_frame_read(room, load(cases[i].name), &f));
        if (f.kind != cases[i].kind)
            fail_msg("%s is kind %d", cases[i].name, (int)f.kind);
        if (f.kind == OG_FRAME_SYSTEM)
            assert_str(f.status, cases[i].says);
        if (f.kind == OG_FRAME_ORDER)
            assert_str(f.order.client_order_id, cases[i].says);
        if (f.kind == OG_FRAME_META)
            assert_true(f.confirmed);
        og_frame_clear(&f);
    }
    assert_false(og_frame_read("[]", 2, &f));
    assert_false(og_frame_read("{", 1, &f));
    assert_false(og_frame_read("", 0, &f));
}

static void error_bodies(void **state)
{
    static const struct {
        const char *name, *type, *text;
    } cases[] = {
        { "error-schema.txt", "text/plain; charset=utf-8",
          "- symbol: Does not match pattern '^[a-zA-Z0-9._-]+$'; - orderQuantity: Must be less than or equal to "
          "1e+06" },
        { "error-account.json", "application/json; charset=utf-8",
          "PlaceOrderWithResponse: account NOBODY was not found or lacks entitlements" },
        { "error-token.json", "application/json", "Token not provided" },
        { "error-token.json", "text/plain",
          "{\"statusCode\":\"Unauthorized\",\"message\":\"Token not provided\",\"detail\":null}" },
    };
    struct og_buf b;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        og_buf_init(&b, 0);
        og_wire_error_text(cases[i].type, room, load(cases[i].name), &b);
        assert_string_equal(b.s, cases[i].text);
        og_buf_clear(&b);
    }
}

static void borrow(void **state)
{
    cJSON *doc = NULL;
    bool easy = false;

    (void)state;
    assert_int_equal(og_doc_read("{\"isEasyToBorrow\":true}", 23, "test", &doc, NULL), OG_OK);
    assert_true(og_wire_borrow(doc, &easy) && easy);
    cJSON_Delete(doc);
    assert_int_equal(og_doc_read("{\"isEasyToBorrow\":null}", 23, "test", &doc, NULL), OG_OK);
    assert_false(og_wire_borrow(doc, &easy)); /* an error, which does not mean "hard" */
    cJSON_Delete(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_shape), cmocka_unit_test(websocket_shape), cmocka_unit_test(part_of_a_row),
        cmocka_unit_test(no_order),    cmocka_unit_test(frames),          cmocka_unit_test(error_bodies),
        cmocka_unit_test(borrow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
