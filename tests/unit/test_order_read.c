/*
 * The order reader: what it rejects, what it keeps exactly, what it writes back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "order/order.h"
#include "text/json.h"

static struct og_order *order;

static int set_up(void **state)
{
    (void)state;
    order = og_order_new();
    return order ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    og_order_free(order);
    return 0;
}

static void read_text(const char *s)
{
    assert_int_equal(og_order_read(order, s, strlen(s)), OG_OK);
}

static void check_fault(const char *bytes, size_t len, enum og_order_fault fault)
{
    assert_int_equal(og_order_read(order, bytes, len), OG_OK);
    if (order->fault != fault)
        print_message("for %.*s: fault %d (%s)\n", (int)len, bytes, (int)order->fault,
                      order->fault_text ? order->fault_text : "");
    assert_int_equal(order->fault, fault);
}

static void refuses_what_is_no_order(void **state)
{
    static const struct {
        const char *bytes;
        enum og_order_fault fault;
    } cases[] = {
        { "", OG_FAULT_NOT_JSON },
        { "{", OG_FAULT_NOT_JSON },
        { "{}x", OG_FAULT_NOT_JSON },
        { "{} {}", OG_FAULT_NOT_JSON },
        { "{\"symbol\":\"A\",}", OG_FAULT_NOT_JSON },
        { "{,\"symbol\":\"A\"}", OG_FAULT_NOT_JSON },
        { "{\"legs\":[{,\"ratio\":1}]}", OG_FAULT_NOT_JSON },
        { "{'symbol':\"A\"}", OG_FAULT_NOT_JSON },
        { "{\"symbol\":NaN}", OG_FAULT_NOT_JSON },
        { "{\"limitPrice\":01}", OG_FAULT_NOT_JSON },
        { "{\"limitPrice\":+1}", OG_FAULT_NOT_JSON },
        { "{\"limitPrice\":.5}", OG_FAULT_NOT_JSON },
        { "{\"limitPrice\":1.}", OG_FAULT_NOT_JSON },
        { "{\"limitPrice\":0x10}", OG_FAULT_NOT_JSON },
        { "{\"symbol\":\"a\tb\"}", OG_FAULT_NOT_JSON },
        { "{\"symbol\":\"\\ud800\"}", OG_FAULT_NOT_JSON },
        { "{\"symbol\":\"\\udc00\\ud800\"}", OG_FAULT_NOT_JSON },
        { "{\"symbol\":\"\\u0000\"}", OG_FAULT_NOT_JSON },
        { "{\"symbol\":\"\xff\"}", OG_FAULT_NOT_JSON },
        { "{\"symbol\":\"\xc0\x80\"}", OG_FAULT_NOT_JSON },
        { "[]", OG_FAULT_NOT_OBJECT },
        { "[{}]", OG_FAULT_NOT_OBJECT },
        { "\"x\"", OG_FAULT_NOT_OBJECT },
        { "1", OG_FAULT_NOT_OBJECT },
        { "null", OG_FAULT_NOT_OBJECT },
        { "{\"symbol\":\"A\",\"symbol\":\"A\"}", OG_FAULT_DUPLICATE_KEY },
        { "{\"symbol\":\"A\",\"s\\u0079mbol\":\"B\"}", OG_FAULT_DUPLICATE_KEY },
        { "{\"x\":1,\"x\":2}", OG_FAULT_DUPLICATE_KEY },
        { "{\"x\":{\"a\":1,\"a\":2}}", OG_FAULT_DUPLICATE_KEY },
        { "{\"orderId\":1,\"orderId\":2}", OG_FAULT_DUPLICATE_KEY },
        { "{\"legs\":[{\"ratio\":1,\"ratio\":1}]}", OG_FAULT_DUPLICATE_KEY },
        { "{\"op\":\"replace\"}", OG_FAULT_OP },
        { "{\"op\":7}", OG_FAULT_OP },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_fault(cases[i].bytes, strlen(cases[i].bytes), cases[i].fault);
    check_fault("{\"symbol\":\"A\0\"}", 14, OG_FAULT_NOT_JSON);
}

/* Assert that the order reader rejects a line exactly where the JSON reader alone rejects it, unless it has an error of
 * its own. */
static void agrees_with_json(const char *line, size_t len)
{
    struct og_json json;
    char spill[1024];
    enum og_json_kind kind;

    og_json_init(&json, line, len, spill, sizeof spill);
    do
        kind = og_json_next(&json);
    while (kind != OG_JSON_END && kind != OG_JSON_FAULT);
    assert_int_equal(og_order_read(order, line, len), OG_OK);
    if (order->fault == OG_FAULT_NOT_JSON || (kind == OG_JSON_FAULT && order->fault == OG_FAULT_NONE)) {
        if (kind != OG_JSON_FAULT || order->fault == OG_FAULT_NONE || order->fault_at != json.fault_at)
            print_message("for %.*s\n", (int)len, line);
        assert_int_equal(kind, OG_JSON_FAULT);
        assert_int_equal(order->fault, OG_FAULT_NOT_JSON);
        assert_int_equal(order->fault_at, json.fault_at);
        assert_string_equal(order->fault_text, json.fault);
    }
}

/* Do as agrees_with_json() for the line with `gone` bytes at `at` replaced by `put`. */
static void agrees_changed(const char *line, size_t at, size_t gone, const char *put, size_t puts)
{
    char text[512];
    size_t left = strlen(line + at + gone);

    memcpy(text, line, at);
    memcpy(text + at, put, puts);
    memcpy(text + at + puts, line + at + gone, left);
    agrees_with_json(text, at + puts + left);
}

/* Usual lines take a fast path of the reader: with any byte removed, changed or added it is as strict as the JSON
 * reader. */
static void is_strict_at_every_byte(void **state)
{
    static const char bytes[] = "\0\t\n \"\\,:{}[]-+.0e1x\x7f\x80\xc3\xa9";
    static const char *const lines[] = {
        "{\"clientOrderId\":\"b-1\",\"securityType\":\"Stock\", \"symbol\": \"AAPL\",\"side\":\"Sell\","
        "\"openClose\":\"Close\",\"orderQuantity\":109,\"orderType\":\"StopLimit\",\"stopPrice\":-508.42,"
        "\"limitPrice\":0,\"timeInForce\":\"Day\",\"route\":\"SMART\",\"accountId\":\"L1\",\"replaces\":\"b-0\"}",
        "{\"symbol\":\"SPY\",\"limitPrice\":12e-1,\"legs\":[{\"symbol\":\"SPY260220C00600000\",\"side\":\"Buy\","
        "\"ratio\":1,\"openClose\":\"Open\"},{\"symbol\":\"SPY\", \"ratio\": 2.0}],\"route\":\"SMARTM\","
        "\"x\":[{\"y\":null},true,\"\\u00e9\\n\"],\"op\":\"order\",\"side\":\"\xc3\xa9\"}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        size_t len = strlen(lines[i]);

        agrees_with_json(lines[i], len);
        assert_int_equal(order->fault, OG_FAULT_NONE);
        for (size_t at = 0; at <= len; at++) {
            size_t one = at < len;

            agrees_with_json(lines[i], at);
            agrees_changed(lines[i], at, one, "", 0);
            for (size_t b = 0; b < sizeof bytes - 1; b++) {
                agrees_changed(lines[i], at, 0, &bytes[b], 1);
                agrees_changed(lines[i], at, one, &bytes[b], 1);
            }
        }
    }
}

static void refuses_depth_over_32(void **state)
{
    char text[200] = "{\"x\":";
    size_t n = strlen(text);

    (void)state;
    for (int i = 0; i < 31; i++)
        text[n++] = '[';
    for (int i = 0; i < 31; i++)
        text[n++] = ']';
    text[n] = '}';
    check_fault(text, n + 1, OG_FAULT_NONE);
    memmove(text + 6, text + 5, n + 1 - 5);
    text[5] = '[';
    text[n + 1] = ']';
    text[n + 2] = '}';
    check_fault(text, n + 3, OG_FAULT_NOT_JSON);
}

static void refuses_a_line_over_1_mib(void **state)
{
    size_t most = OG_LINE_MOST;
    char *line = malloc(most + 1);

    (void)state;
    assert_non_null(line);
    memset(line, ' ', most + 1);
    line[0] = '{';
    line[1] = '}';
    check_fault(line, most, OG_FAULT_NONE);
    check_fault(line, most + 1, OG_FAULT_LINE_TOO_LONG);
    free(line);
}

static void keeps_numbers_exact(void **state)
{
    static const struct {
        const char *json;
        int64_t coef;
        int32_t scale;
    } cases[] = {
        { "1.00005", 100005, 5 },
        { "1e2", 100, 0 },
        { "100.0", 100, 0 },
        { "0.12345678901234567", 12345678901234567, 17 },
        { "1234567890.1234567", 12345678901234567, 7 },
        { "-0", 0, 0 },
        { "-0.00", 0, 0 },
        { "187.20", 1872, 1 },
        { "-0.05", -5, 2 },
        { "1234567.1234567", 12345671234567, 7 },
        { "12345678.12345678", 1234567812345678, 8 },
        { "99999990", 99999990, 0 },
        { "1E-5", 1, 5 },
        { "0e999999999999", 0, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[128];

        snprintf(line, sizeof line, "{\"limitPrice\":%s}", cases[i].json);
        read_text(line);
        assert_int_equal(order->field[OG_KEY_LIMIT_PRICE].status, OG_VALID);
        assert_int_equal(order->limit.coef, cases[i].coef);
        assert_int_equal(order->limit.scale, cases[i].scale);
    }
}

static void never_overflows(void **state)
{
    static const struct {
        const char *json;
        enum og_field_status status;
    } cases[] = {
        { "1e400", OG_TOO_LARGE },
        { "99999999999999999999", OG_TOO_LARGE },
        { "-1e99999999999999999999", OG_TOO_LARGE },
        { "1e-400", OG_TOO_FINE },
        { "1.0000000000000000001", OG_TOO_FINE },
        { "0.00000000000000000000000000001", OG_TOO_FINE },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[128];

        snprintf(line, sizeof line, "{\"stopPrice\":%s,\"orderQuantity\":%s}", cases[i].json, cases[i].json);
        read_text(line);
        assert_int_equal(order->field[OG_KEY_STOP_PRICE].status, cases[i].status);
        assert_int_equal(order->quantity, 0);
    }
}

static void keeps_what_was_given(void **state)
{
    (void)state;
    read_text("{\"securityType\":\"stock\",\"symbol\":7,\"side\":\"SellShort\",\"orderQuantity\":\"100\","
              "\"orderId\":\"x\","
              "\"Symbol\":\"A\",\"openClose\":\"open\",\"legs\":{},\"op\":\"order\",\"accountId\":\"L1\"}");
    assert_int_equal(order->fault, OG_FAULT_NONE);
    assert_int_equal(order->field[OG_KEY_SECURITY_TYPE].status, OG_WRONG_VALUE);
    assert_string_equal(order->field[OG_KEY_SYMBOL].json_type, "integer");
    assert_int_equal(order->field[OG_KEY_SIDE].status, OG_WRONG_VALUE);
    assert_string_equal(order->field[OG_KEY_SIDE].text.s, "SellShort");
    assert_int_equal(order->field[OG_KEY_ORDER_QUANTITY].status, OG_WRONG_TYPE);
    assert_int_equal(order->field[OG_KEY_OPEN_CLOSE].status, OG_WRONG_VALUE);
    assert_string_equal(order->field[OG_KEY_LEGS].json_type, "object");
    assert_true(order->has_order_id);
    assert_int_equal(order->unknown_count, 1);
    assert_true(og_str_is(order->unknown[0].name, "Symbol"));
    assert_string_equal(og_order_account(order), "L1");
}

/* Each key is recognised, in plain and in escaped spelling, and no similar name is. */
static void knows_every_key(void **state)
{
    (void)state;
    for (int k = 0; k < OG_KEYS; k++) {
        const char *name = og_key_names[k];
        char line[128];

        snprintf(line, sizeof line, "{\"%s\":null}", name);
        read_text(line);
        assert_int_equal(order->field[k].status, OG_WRONG_TYPE);
        assert_int_equal(order->unknown_count, 0);
        snprintf(line, sizeof line, "{\"\\u%04x%s\":null}", (unsigned)name[0], name + 1);
        read_text(line);
        assert_int_equal(order->field[k].status, OG_WRONG_TYPE);
        for (size_t i = 0; i < strlen(name); i++) {
            snprintf(line, sizeof line, "{\"%s\":\"x\"}", name);
            line[2 + i] ^= 1;
            read_text(line);
            assert_int_equal(order->unknown_count, 1);
        }
        snprintf(line, sizeof line, "{\"%.20s\\\"\":\"x\"}", name);
        read_text(line);
        assert_int_equal(order->unknown_count, 1);
    }
    for (int k = 0; k < OG_LEG_KEYS; k++) {
        char line[128];

        snprintf(line, sizeof line, "{\"legs\":[{\"%s\":null}]}", og_leg_key_names[k]);
        read_text(line);
        assert_int_equal(order->leg[0].field[k].status, OG_WRONG_TYPE);
        assert_int_equal(order->unknown_count, 0);
    }
}

static void key_has(enum og_key key, const char *value, bool valid)
{
    char line[64];

    snprintf(line, sizeof line, "{\"%s\":\"%s\"}", og_key_names[key], value);
    read_text(line);
    assert_int_equal(order->fault, OG_FAULT_NONE);
    assert_int_equal(order->field[key].status, valid ? OG_VALID : OG_WRONG_VALUE);
    assert_int_equal(order->plain, valid);
    assert_string_equal(order->field[key].text.s, value);
}

/* Each value of the key's enum is recognised, in plain and in escaped spelling, and no similar value is. */
static void knows_every_value(enum og_key key, const char *(*name_of)(int), int (*value)(void))
{
    for (int v = 1; name_of(v)[0]; v++) {
        const char *name = name_of(v);
        char text[32], line[64];

        key_has(key, name, true);
        assert_int_equal(value(), v);
        snprintf(text, sizeof text, "%sx", name);
        key_has(key, text, false);
        for (size_t i = 0; i < strlen(name); i++) {
            snprintf(text, sizeof text, "%s", name);
            text[i] ^= 1;
            key_has(key, text, false);
            assert_int_equal(value(), 0);
        }
        snprintf(line, sizeof line, "{\"%s\":\"\\u%04x%s\"}", og_key_names[key], (unsigned)name[0], name + 1);
        read_text(line);
        assert_int_equal(value(), v);
    }
}

static const char *security_name(int v)
{
    return og_security_name((enum og_security)v);
}
static const char *side_name(int v)
{
    return og_side_name((enum og_side)v);
}
static const char *open_close_name(int v)
{
    return og_open_close_name((enum og_open_close)v);
}
static const char *type_name(int v)
{
    return og_order_type_name((enum og_order_type)v);
}
static const char *tif_name(int v)
{
    return og_tif_name((enum og_tif)v);
}
static int security(void)
{
    return (int)order->security;
}
static int side(void)
{
    return (int)order->side;
}
static int open_close(void)
{
    return (int)order->open_close;
}
static int type(void)
{
    return (int)order->type;
}
static int tif(void)
{
    return (int)order->tif;
}

static void knows_every_value_of_every_enum(void **state)
{
    (void)state;
    knows_every_value(OG_KEY_SECURITY_TYPE, security_name, security);
    knows_every_value(OG_KEY_SIDE, side_name, side);
    knows_every_value(OG_KEY_OPEN_CLOSE, open_close_name, open_close);
    knows_every_value(OG_KEY_ORDER_TYPE, type_name, type);
    knows_every_value(OG_KEY_TIME_IN_FORCE, tif_name, tif);
}

static void unescapes_into_its_own_memory(void **state)
{
    (void)state;
    read_text("{\"symbol\":\"A\\u0041\\n\",\"route\":\"S\\/M\",\"clientOrderId\":\"\\ud83d\\ude00\"}");
    assert_string_equal(order->symbol.s, "AA\n");
    assert_int_equal(order->symbol.len, 3);
    assert_string_equal(order->route.s, "S/M");
    assert_string_equal(order->client_id.s, "\xf0\x9f\x98\x80");
}

static void body_is(const char *line, const char *expected)
{
    char to[1024];
    size_t len;

    read_text(line);
    assert_int_equal(og_order_body(order, to, sizeof to, &len), OG_OK);
    assert_string_equal(to, expected);
    assert_int_equal(len, strlen(expected));
}

static void writes_what_it_decoded(void **state)
{
    (void)state;
    body_is("{ \"limitPrice\" : 1.50e2, \"accountId\":\"L1\", \"extra\":[1,2], \"symbol\":\"AAPL\", "
            "\"orderQuantity\":1e2,\"securityType\":\"Stock\",\"side\":\"Buy\" }",
            "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"orderQuantity\":100,"
            "\"limitPrice\":150}");
    body_is("{\"securityType\":\"Mleg\",\"symbol\":\"SPY\",\"legs\":[{\"ratio\":1,\"symbol\":\"SPY260220C00600000\","
            "\"openClose\":\"Open\",\"side\":\"Buy\"}]}",
            "{\"securityType\":\"Mleg\",\"symbol\":\"SPY\",\"legs\":[{\"symbol\":\"SPY260220C00600000\","
            "\"side\":\"Buy\",\"ratio\":1,\"openClose\":\"Open\"}]}");
    body_is("{\"securityType\":\"Stock\",\"legs\":[]}", "{\"securityType\":\"Stock\"}");
}

static void does_not_write_what_it_cannot_mean(void **state)
{
    static const char *const lines[] = { "{\"side\":\"SellShort\"}", "{\"orderQuantity\":\"1\"}",
                                         "{\"limitPrice\":1e400}", "[]", "{\"op\":\"quote\"}" };
    char to[256];
    size_t len;

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        read_text(lines[i]);
        assert_int_equal(og_order_body(order, to, sizeof to, &len), OG_EINVAL);
        assert_int_equal(len, 0);
    }
    read_text("{\"symbol\":\"AAPL\"}");
    assert_int_equal(og_order_body(order, to, 5, &len), OG_EINVAL);
    assert_int_equal(len, strlen("{\"symbol\":\"AAPL\"}"));
}

static void orders_from_c_equal_orders_from_json(void **state)
{
    char made[1024], given[1024];
    size_t len;

    (void)state;
    assert_int_equal(og_order_set_security(order, OG_MLEG), OG_OK);
    assert_int_equal(og_order_set_symbol(order, "SPY"), OG_OK);
    assert_int_equal(og_order_set_type(order, OG_LIMIT), OG_OK);
    assert_int_equal(og_order_set_quantity(order, 2), OG_OK);
    assert_int_equal(og_order_set_tif(order, OG_DAY), OG_OK);
    assert_int_equal(og_order_set_limit(order, (struct og_money){ 125, 2 }), OG_OK);
    assert_int_equal(og_order_set_client_id(order, "c1"), OG_OK);
    assert_int_equal(og_order_set_account(order, "L1"), OG_OK);
    assert_int_equal(og_order_set_leg(order, 0, "SPY260220C00600000", OG_BUY, 1, OG_OPEN), OG_OK);
    assert_int_equal(og_order_set_leg(order, 1, "SPY260220C00610000", OG_SELL, 1, OG_OPEN), OG_OK);
    assert_int_equal(og_order_set_leg(order, 3, "SPY260220C00610000", OG_SELL, 1, OG_OPEN), OG_EINVAL);
    assert_int_equal(og_order_line(order, made, sizeof made, &len), OG_OK);
    read_text(made);
    assert_int_equal(og_order_line(order, given, sizeof given, &len), OG_OK);
    assert_string_equal(made, given);
    assert_int_equal(order->leg_count, 2);
    assert_true(order->leg[1].occ.is);
    assert_int_equal(order->leg[1].occ.strike, 610000);
}

static void a_contract_is_one_of_a_known_security(void **state)
{
    (void)state;
    read_text("{\"symbol\":\"SPY260220C00600000\"}");
    assert_false(order->occ.is);
    og_order_clear(order);
    assert_int_equal(og_order_set_symbol(order, "SPY260220C00600000"), OG_OK);
    assert_false(order->occ.is);
    assert_int_equal(og_order_set_security(order, OG_OPTION), OG_OK);
    assert_true(order->occ.is);
    assert_int_equal(og_order_set_symbol(order, "SPY"), OG_OK);
    assert_false(order->occ.is);
}

static void prices_from_c_are_in_normal_form(void **state)
{
    char line[256];
    size_t len;

    (void)state;
    assert_int_equal(og_order_set_limit(order, (struct og_money){ 19000, 2 }), OG_OK);
    assert_int_equal(og_order_set_stop(order, (struct og_money){ -1250, 3 }), OG_OK);
    assert_int_equal(order->limit.coef, 190);
    assert_int_equal(order->limit.scale, 0);
    assert_int_equal(order->stop.coef, -125);
    assert_int_equal(order->stop.scale, 2);
    assert_int_equal(og_order_line(order, line, sizeof line, &len), OG_OK);
    assert_string_equal(line, "{\"limitPrice\":190,\"stopPrice\":-1.25}");
    assert_int_equal(og_order_set_limit(order, (struct og_money){ 1, 19 }), OG_EINVAL);
    assert_int_equal(og_order_set_stop(order, (struct og_money){ 1, -1 }), OG_EINVAL);
}

static void setters_refuse_what_is_outside_the_enums(void **state)
{
    (void)state;
    assert_int_equal(og_order_set_side(order, (enum og_side)9), OG_EINVAL);
    assert_int_equal(og_order_set_tif(order, (enum og_tif)9), OG_EINVAL);
    assert_int_equal(og_order_set_leg(order, 8, "A", OG_BUY, 1, OG_OPEN), OG_EINVAL);
    assert_int_equal(og_order_set_leg(order, 0, NULL, OG_BUY, 1, OG_OPEN), OG_EINVAL);
}

static void occ_symbols_are_parsed_from_the_right(void **state)
{
    static const struct {
        const char *symbol, *root;
        char type;
        int expiry;
        int64_t strike;
        bool exists;
    } cases[] = {
        { "AAPL260116C00150000", "AAPL", 'C', 20260116, 150000, true },
        { "F260116P00007500", "F", 'P', 20260116, 7500, true },
        { "AAPL1260116C00150000", "AAPL1", 'C', 20260116, 150000, true },
        { "BRKB260230C00000000", "BRKB", 'C', 20260230, 0, false },
        { "ABCDEF000229C99999999", "ABCDEF", 'C', 20000229, 99999999, true },
    };
    static const char *const none[] = {
        "260116C00150000",    "ABCDEFG260116C00150000", "AAPL260116c00150000", "AAPL26O116C00150000", "AAPL", "",
        "AAPL260116X00150000"
    };
    struct og_occ occ;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        og_occ_read(og_str_of(cases[i].symbol), &occ);
        assert_true(occ.is);
        assert_true(og_str_is(occ.root, cases[i].root));
        assert_int_equal(occ.type, cases[i].type);
        assert_int_equal(occ.expiry, cases[i].expiry);
        assert_int_equal(occ.strike, cases[i].strike);
        assert_int_equal(occ.date_exists, cases[i].exists);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        og_occ_read(og_str_of(none[i]), &occ);
        assert_false(occ.is);
    }
}

static void more_legs_than_are_kept_are_counted(void **state)
{
    (void)state;
    read_text("{\"legs\":[1,{},2,{\"x\":1},3,4,5,6,7,{\"ratio\":2}]}");
    assert_int_equal(order->leg_count, 10);
    assert_int_equal(order->legs_kept, OG_LEGS_KEPT);
    assert_false(order->leg[0].is_object);
    assert_string_equal(order->leg[0].json_type, "integer");
    assert_true(order->leg[1].is_object);
}

/* Every byte at every place of symbols of every length, compared with checking each byte alone. */
static void bytes_of_symbols(void **state)
{
    char text[48];

    (void)state;
    for (size_t len = 1; len <= sizeof text; len++)
        for (size_t at = 0; at < len; at++)
            for (int byte = 0; byte < 256; byte++) {
                bool lower = byte >= 'a' && byte <= 'z', upper = byte >= 'A' && byte <= 'Z';
                bool other =
                    !lower && !upper && !(byte >= '0' && byte <= '9') && byte != '.' && byte != '_' && byte != '-';
                bool spelled = byte == '_' || byte == '-' || (byte == '.' && (len > 15 || at == 0 || at == len - 1));

                memset(text, 'A' + (int)(len % 26), sizeof text);
                text[at] = (char)byte;
                assert_int_equal(og_symbol_bytes((struct og_str){ text, len }), (lower ? OG_BYTE_LOWER : 0) |
                                                                                    (other ? OG_BYTE_OTHER : 0) |
                                                                                    (spelled ? OG_BYTE_SPELLING : 0));
                assert_int_equal(og_symbol_fits((struct og_str){ text, len }), !other);
                assert_int_equal(og_symbol_fits_without((struct og_str){ text, len }, 'V'),
                                 !other && !memchr(text, 'V', len));
            }
    assert_int_equal(og_symbol_bytes((struct og_str){ NULL, 0 }), 0);
    assert_false(og_symbol_fits((struct og_str){ NULL, 0 }));
    assert_false(og_symbol_fits_without((struct og_str){ NULL, 0 }, 'V'));
}

/* Every byte at every place of an option symbol: 14 of them are digits. */
static void digits_of_options(void **state)
{
    struct og_occ occ;

    (void)state;
    for (int at = 1; at < 16; at++)
        for (int byte = 0; byte < 256; byte++) {
            char text[] = "A471229P12345678";
            int64_t expiry = 0, strike = 0;
            bool is = at == 7 ? byte == 'C' || byte == 'P' : byte >= '0' && byte <= '9';

            text[at] = (char)byte;
            og_occ_read((struct og_str){ text, 16 }, &occ);
            assert_int_equal(occ.is, is);
            for (int i = 1; is && i < 16; i++) {
                int64_t *n = i < 7 ? &expiry : &strike;

                if (i != 7)
                    *n = *n * 10 + (text[i] - '0');
            }
            assert_int_equal(occ.expiry, is ? 20000000 + expiry : 0);
            assert_int_equal(occ.strike, strike);
        }
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_of_symbols),
        cmocka_unit_test(digits_of_options),
        T(refuses_what_is_no_order),
        T(is_strict_at_every_byte),
        T(refuses_depth_over_32),
        T(refuses_a_line_over_1_mib),
        T(keeps_numbers_exact),
        T(never_overflows),
        T(keeps_what_was_given),
        T(knows_every_key),
        T(knows_every_value_of_every_enum),
        T(unescapes_into_its_own_memory),
        T(writes_what_it_decoded),
        T(does_not_write_what_it_cannot_mean),
        T(orders_from_c_equal_orders_from_json),
        T(a_contract_is_one_of_a_known_security),
        T(prices_from_c_are_in_normal_form),
        T(setters_refuse_what_is_outside_the_enums),
        T(occ_symbols_are_parsed_from_the_right),
        T(more_legs_than_are_kept_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
