/*
 * Decisions and orders written into storage of every size: the whole text or nothing, and nothing beyond the
 * storage.
 */
#include <stdio.h>

#include "base/appender.h"
#include "base/money.h"
#include "order/order.h"
#include "ordergate/ordergate.h"
#include "unit.h"

#define AT     INT64_C(1768489200250000000) /* 2026-01-15T15:00:00.250Z */
#define DIGEST "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

#define GUARD     64
#define UNTOUCHED 0x5A

/* Returns the text, NUL-terminated in the caller's storage; asserts that every smaller storage is rejected with a
 * sufficient size. */
static char *in_every_size(enum og_status (*write)(const void *, char *, size_t, size_t *), const void *what)
{
    size_t full = 0, len;
    char *text = malloc(1 << 16), *storage;

    assert_non_null(text);
    assert_int_equal(write(what, text, 1 << 16, &full), OG_OK);
    assert_int_equal(strlen(text), full);
    storage = malloc(full + 128 + GUARD);
    assert_non_null(storage);
    for (size_t size = 0; size < full + 128; size++) {
        memset(storage, UNTOUCHED, full + 128 + GUARD);
        len = SIZE_MAX;
        if (size <= full) {
            assert_int_equal(write(what, storage, size, &len), OG_EINVAL);
            assert_true(len >= size);
            assert_int_not_equal(len, 0);
        } else {
            assert_int_equal(write(what, storage, size, &len), OG_OK);
            assert_int_equal(len, full);
            assert_string_equal(storage, text);
        }
        for (size_t i = size; i < full + 128 + GUARD; i++)
            if (storage[i] != UNTOUCHED)
                fail_msg("of size %zu, byte %zu was written", size, i);
    }
    free(storage);
    return text;
}

/* --- decisions ---------------------------------------------------------------------------------------------------- */

struct told {
    const struct og_decision *d;
    const struct og_source *source;
    bool members; /* without braces */
};

static enum og_status write_decision(const void *what, char *to, size_t size, size_t *len)
{
    const struct told *t = what;

    return t->members ? og_decision_write_members(t->d, to, size, len)
                      : og_decision_write(t->d, t->source, to, size, len);
}

static void decision_is(const struct og_decision *d, const struct og_source *source, const char *want)
{
    struct told whole = { d, source, false }, members = { d, NULL, true };
    char *text = in_every_size(write_decision, &whole), *inner = in_every_size(write_decision, &members);
    size_t len = strlen(text), inside = strlen(inner);

    assert_string_equal(text, want);
    assert_true(len >= inside + 2); /* the members are the end of the object */
    assert_memory_equal(text + len - 1 - inside, inner, inside);
    free(text);
    free(inner);
}

static void the_usual(void **state)
{
    static const struct og_source source = { 20000, "orders.ndjson" };
    struct og_decision d = { .accepted = true,
                             .predicts = { .channel = OG_CHANNEL_ACCEPTED },
                             .at = AT,
                             .policy = "live@" DIGEST,
                             .facts = DIGEST,
                             .account_id = "LIVE0001",
                             .client_order_id = "bench-00000000",
                             .readable = true };

    (void)state;
    decision_is(
        &d, &source,
        "{\"file\":\"orders.ndjson\",\"line\":20000,\"clientOrderId\":\"bench-00000000\",\"accountId\":\"LIVE0001\","
        "\"verdict\":\"accept\",\"predicts\":{\"channel\":\"accepted\"},\"findings\":[],\"policy\":\"live@" DIGEST "\","
        "\"facts\":\"" DIGEST "\",\"at\":\"2026-01-15T15:00:00.250Z\"}");
}

static void what_is_not_known(void **state)
{
    static const struct og_source line = { INT64_MAX, NULL };
    struct og_decision d = {
        .policy = "p", .facts = "", .account_id = "", .client_order_id = "", .at = OG_TIME_UNKNOWN, .readable = true
    };

    (void)state;
    decision_is(&d, NULL,
                "{\"clientOrderId\":null,\"accountId\":null,\"verdict\":\"refuse\",\"predicts\":null,\"findings\":[],"
                "\"policy\":\"p\",\"facts\":null,\"at\":\"unknown\"}");
    d.account_id = "A";
    d.readable = false; /* the fields of an unreadable line are not written */
    d.op = "cancel";
    decision_is(&d, &line,
                "{\"line\":9223372036854775807,\"op\":\"cancel\",\"clientOrderId\":null,\"accountId\":null,"
                "\"verdict\":\"refuse\",\"predicts\":null,\"findings\":[],\"policy\":\"p\",\"facts\":null,"
                "\"at\":\"unknown\"}");
}

/* A decision that has every member that a decision can have, with texts that must be escaped. */
static void everything(void **state)
{
    static const struct og_finding findings[] = {
        { .rule = "order-notional",
          .reason = "order-notional-above",
          .level = OG_LEVEL_WARN,
          .field = "/limitPrice",
          .message = "he said \"no\"\n\\ \x01 \xC3\xBC \xFF",
          .waived_by = "a\"nn",
          .waived_because = "\t",
          .waived_until = AT - 250000000 },
        { .rule = "buying-power",
          .reason = "buying-power-short",
          .level = OG_LEVEL_REFUSE,
          .unsure = true,
          .field = "",
          .message = "0123456789abcdef0123456789abcde",
          .predicts = { OG_CHANNEL_REJECTED_OR_ASYNC, OG_STATED, "R78", { "R78", "R\"9", NULL }, "no \x7F money" } },
    };
    static const struct og_strategy_info strategy = {
        .name = "iron-condor", .direction = "credit", .has_max_loss = true, .max_loss = { 385, 0 }, .max_gain = { 0, 0 }
    };
    static const struct og_margin_info margin = { .known = true,
                                                  .bound = true,
                                                  .required = { -15, 1 },
                                                  .gross = { 123, 3 },
                                                  .proceeds = { INT64_MAX, 2 },
                                                  .has_stock = true,
                                                  .initial = { 1, 2 },
                                                  .maintenance = { 0, 0 },
                                                  .has_overnight = true,
                                                  .overnight = { 5, 18 },
                                                  .model = "payoff",
                                                  .why = "needs \"x\"",
                                                  .needs = "AAPL" };
    static const struct og_suggestion suggest = { .what = OG_SUGGEST_LIMIT, .price = { 12345, 2 } };
    static const struct og_source source = { 1, "a \"b\".ndjson" };
    struct og_decision d = { .predicts = { .channel = OG_CHANNEL_HTTP_400, .text = "line\r\n" },
                             .findings = findings,
                             .count = 2,
                             .cut = true,
                             .shadow = findings + 1,
                             .shadow_count = 1,
                             .shadow_cut = true,
                             .at = AT,
                             .policy = "p",
                             .facts = "f",
                             .account_id = "\x80",
                             .client_order_id = "id\"",
                             .strategy = &strategy,
                             .margin = &margin,
                             .op = "x",
                             .suggest = &suggest,
                             .readable = true };

    (void)state;
#define SECOND                                                                                                     \
    "{\"rule\":\"buying-power\",\"reason\":\"buying-power-short\",\"level\":\"refuse\",\"unsure\":true,\"field\":" \
    "\"\","                                                                                                        \
    "\"message\":\"0123456789abcdef0123456789abcde\",\"predicts\":{\"channel\":\"rejected-or-async\",\"code\":"    \
    "\"R78\","                                                                                                     \
    "\"codes\":[\"R78\",\"R\\\"9\"],\"text\":\"no \x7F money\",\"certainty\":\"stated\"}}"
    decision_is(
        &d, &source,
        "{\"file\":\"a \\\"b\\\".ndjson\",\"line\":1,\"op\":\"x\",\"clientOrderId\":\"id\\\"\","
        "\"accountId\":\"\xEF\xBF\xBD\",\"verdict\":\"refuse\","
        "\"predicts\":{\"channel\":\"http-400\",\"code\":null,\"text\":\"line\\r\\n\"},"
        "\"strategy\":{\"name\":\"iron-condor\",\"direction\":\"credit\",\"maxLoss\":385.00,\"maxGain\":null},"
        "\"margin\":{\"required\":-1.50,\"available\":null,\"model\":\"payoff\",\"gross\":0.123,"
        "\"proceeds\":92233720368547758.07,\"overnight\":0.000000000000000005,\"initial\":0.01,\"maintenance\":0.00,"
        "\"bound\":true,\"why\":\"needs \\\"x\\\"\",\"needs\":\"AAPL\"},\"suggest\":{\"limitPrice\":123.45},"
        "\"findings\":[{\"rule\":\"order-notional\",\"reason\":\"order-notional-above\",\"level\":\"warn\","
        "\"field\":\"/limitPrice\",\"message\":\"he said \\\"no\\\"\\n\\\\ \\u0001 \xC3\xBC \xEF\xBF\xBD\","
        "\"waived\":{\"by\":\"a\\\"nn\",\"reason\":\"\\t\",\"until\":\"2026-01-15T15:00:00Z\"},\"predicts\":null}"
        "," SECOND "],\"findingsCut\":true,\"shadow\":[" SECOND "],\"shadowCut\":true,"
        "\"policy\":\"p\",\"facts\":\"f\",\"at\":\"2026-01-15T15:00:00.250Z\"}");
}

static void each_suggestion(void **state)
{
    static const struct {
        struct og_suggestion s;
        const char *want;
    } cases[] = {
        { { .what = OG_SUGGEST_NONE }, "" },
        { { .what = OG_SUGGEST_QUANTITY, .quantity = 7 }, ",\"suggest\":{\"orderQuantity\":7}" },
        { { .what = OG_SUGGEST_STOP, .price = { 1, 1 } }, ",\"suggest\":{\"stopPrice\":0.1}" },
        { { .what = OG_SUGGEST_AT, .at = 0 }, ",\"suggest\":{\"at\":\"1970-01-01T00:00:00Z\"}" },
        { { .what = OG_SUGGEST_REPLACES, .replaces = "a\"1" }, ",\"suggest\":{\"replaces\":\"a\\\"1\"}" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct og_decision d = { .policy = "p", .facts = "", .suggest = &cases[i].s, .at = 0 };
        char want[256];

        snprintf(
            want, sizeof want,
            "{\"clientOrderId\":null,\"accountId\":null,\"verdict\":\"refuse\",\"predicts\":null%s,\"findings\":[],"
            "\"policy\":\"p\",\"facts\":null,\"at\":\"1970-01-01T00:00:00Z\"}",
            cases[i].want);
        decision_is(&d, NULL, want);
    }
}

/* Each channel and certainty is written by its published name. */
static void each_prediction(void **state)
{
    (void)state;
    for (int channel = OG_CHANNEL_ACCEPTED; channel <= OG_CHANNEL_NO_EFFECT; channel++) {
        for (int certainty = OG_CERTAINTY_NONE; certainty <= OG_READING; certainty++) {
            struct og_decision d = { .policy = "p",
                                     .facts = "",
                                     .at = 0,
                                     .predicts = { .channel = (enum og_channel)channel,
                                                   .certainty = (enum og_certainty)certainty } };
            char want[512];

            snprintf(want, sizeof want,
                     "{\"clientOrderId\":null,\"accountId\":null,\"verdict\":\"refuse\",\"predicts\":{\"channel\":\"%"
                     "s\"%s%s%s%s},"
                     "\"findings\":[],\"policy\":\"p\",\"facts\":null,\"at\":\"1970-01-01T00:00:00Z\"}",
                     og_channel_name((enum og_channel)channel),
                     channel == OG_CHANNEL_ACCEPTED ? "" : ",\"code\":null,\"text\":null",
                     certainty ? ",\"certainty\":\"" : "", og_certainty_name((enum og_certainty)certainty),
                     certainty ? "\"" : "");
            decision_is(&d, NULL, want);
        }
    }
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

static enum og_status write_line(const void *what, char *to, size_t size, size_t *len)
{
    return og_order_line(what, to, size, len);
}

static enum og_status write_body(const void *what, char *to, size_t size, size_t *len)
{
    return og_order_body(what, to, size, len);
}

static struct og_order *order_of(const char *line)
{
    struct og_order *o = og_order_new();

    assert_non_null(o);
    assert_int_equal(og_order_read(o, line, strlen(line)), OG_OK);
    return o;
}

static const struct {
    const char *line, *written; /* the part after the bar belongs to the line, but not to the body */
} orders[] = {
    { "{}", "{}" },
    { "{\"accountId\":\"A\"}", "|{\"accountId\":\"A\"}" },
    { "{\"replaces\":\"x\", \"symbol\":\"\"}", "{\"symbol\":\"\"|,\"replaces\":\"x\"}" },
    { "{\"route\":\"SMART\",\"limitPrice\":1.50,\"orderQuantity\":1e2,\"symbol\":\"AAPL\",\"accountId\":\"LIVE0001\","
      "\"side\":\"Buy\","
      "\"stopPrice\":-0.000000000000000001,\"clientOrderId\":\"0123456789abcdefg\",\"securityType\":\"Stock\","
      "\"timeInForce\":\"Day\","
      "\"orderType\":\"StopLimit\",\"openClose\":\"Open\",\"legs\":[]}",
      "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":"
      "\"StopLimit\","
      "\"orderQuantity\":100,\"timeInForce\":\"Day\",\"limitPrice\":1.5,\"stopPrice\":-0.000000000000000001,"
      "\"clientOrderId\":\"0123456789abcdefg\",\"route\":\"SMART\"|,\"accountId\":\"LIVE0001\"}" },
    { "{\"symbol\":\"\\u0041\\u0001\\\"\xC3\xBC\\u00e9\\/\",\"clientOrderId\":\"a\x7F\xE2\x82\xAC\",\"unknown\":[{}]}",
      "{\"symbol\":\"A\\u0001\\\"\xC3\xBC\xC3\xA9/\",\"clientOrderId\":\"a\x7F\xE2\x82\xAC\"}" },
    { "{\"securityType\":\"Mleg\",\"legs\":[{\"ratio\":1,\"symbol\":\"AAPL260116C00200000\",\"side\":\"Buy\","
      "\"openClose\":\"Open\"},{},"
      "{\"openClose\":\"Close\",\"side\":\"Sell\",\"symbol\":\"\\t\",\"ratio\":2.5}],\"replaces\":\"x\"}",
      "{\"securityType\":\"Mleg\",\"legs\":[{\"symbol\":\"AAPL260116C00200000\",\"side\":\"Buy\",\"ratio\":1,"
      "\"openClose\":\"Open\"},{},"
      "{\"symbol\":\"\\t\",\"side\":\"Sell\",\"ratio\":2.5,\"openClose\":\"Close\"}]|,\"replaces\":\"x\"}" },
    { "{\"legs\":[]}", "{\"legs\":[]}" },
};

/* Set the line and the body: the body is the part before the bar, with a closing brace added. */
static void split(const char *written, char *line, char *body)
{
    const char *bar = strchr(written, '|');
    size_t before = bar ? (size_t)(bar - written) : strlen(written);

    memcpy(line, written, before);
    strcpy(line + before, bar ? bar + 1 : "");
    memcpy(body, written, before);
    strcpy(body + before, !bar ? "" : before ? "}" : "{}");
}

static void orders_in_every_size(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(orders); i++) {
        struct og_order *o = order_of(orders[i].line);
        char line[1024], body[1024], *text;

        split(orders[i].written, line, body);
        text = in_every_size(write_line, o);
        assert_string_equal(text, line);
        free(text);
        text = in_every_size(write_body, o);
        assert_string_equal(text, body);
        free(text);
        og_order_free(o);
    }
}

/* An order is appended to a buffer with a limit: wholly, or the buffer fails and its earlier contents are unchanged. */
static void orders_into_buffers_with_a_limit(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(orders); i++) {
        struct og_order *o = order_of(orders[i].line);
        char line[1024], body[1024];
        size_t full;

        split(orders[i].written, line, body);
        full = strlen(line) + 3;
        for (size_t most = 3; most < full + 300; most++) {
            struct og_buf b;
            bool written;

            og_buf_init(&b, most);
            og_buf_text(&b, "abc");
            written = og_order_write(o, true, &b);
            assert_int_equal(written, most >= full);
            assert_int_equal(b.bad, !written);
            assert_memory_equal(b.s, "abc", 3);
            assert_int_equal(b.s[b.len], '\0');
            if (written)
                assert_string_equal(b.s + 3, line);
            og_buf_clear(&b);
        }
        og_order_free(o);
    }
}

/* An order that is made in C has the same body as one that is read from a line. */
static void an_order_from_c(void **state)
{
    struct og_order *o = og_order_new();
    char *text;

    (void)state;
    assert_non_null(o);
    assert_int_equal(og_order_set_security(o, OG_STOCK), OG_OK);
    assert_int_equal(og_order_set_symbol(o, "A\"B"), OG_OK);
    assert_int_equal(og_order_set_side(o, OG_BUY), OG_OK);
    assert_int_equal(og_order_set_account(o, "LIVE0001"), OG_OK);
    text = in_every_size(write_line, o);
    assert_string_equal(
        text, "{\"securityType\":\"Stock\",\"symbol\":\"A\\\"B\",\"side\":\"Buy\",\"accountId\":\"LIVE0001\"}");
    free(text);
    og_order_free(o);
}

static void orders_that_cannot_be_written(void **state)
{
    static const char *const lines[] = {
        "[]",
        "{\"side\":\"Up\"}",
        "{\"symbol\":1}",
        "{\"orderQuantity\":\"1\"}",
        "{\"limitPrice\":1e99}",
        "{\"legs\":{}}",
        "{\"legs\":[1]}",
        "{\"legs\":[{\"ratio\":\"1\"}]}",
        "{\"legs\":[{},{},{},{},{},{},{},{},{}]}",
        "{\"symbol\":\"A\",\"route\":2}",
        "{\"symbol\":\"A\",\"replaces\":\"\"}",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct og_order *o = order_of(lines[i]);

        for (size_t size = 0; size < 100; size++) {
            char storage[100 + GUARD];
            size_t len = SIZE_MAX;

            memset(storage, UNTOUCHED, sizeof storage);
            assert_int_equal(og_order_line(o, storage, size, &len), OG_EINVAL);
            assert_int_equal(len, 0);
            for (size_t k = size; k < sizeof storage; k++)
                assert_int_equal(storage[k], UNTOUCHED);
        }
        og_order_free(o);
    }
}

/* --- appenders ---------------------------------------------------------------------------------------------------- */

static void numbers_of_every_length(void **state)
{
    (void)state;
    for (int scale = 0; scale <= 18; scale++) {
        uint64_t n = 0;

        for (int digit = 0; digit < 19; digit++) {
            char want[64], digits[64], text[OG_MONEY_ROOM + 1];
            int count, whole;

            n = n * 10 + (uint64_t)(digit * 7 + 1) % 10;
            count = snprintf(digits, sizeof digits, "%0*llu", scale + 1, (unsigned long long)n);
            whole = count - scale;
            snprintf(want, sizeof want, "%.*s%s%s", whole, digits, scale ? "." : "", digits + whole);
            text[og_money_put(text, (struct og_money){ (int64_t)n, scale })] = '\0';
            assert_string_equal(text, want);
            memmove(want + 1, want, strlen(want) + 1);
            want[0] = '-';
            text[og_money_put(text, (struct og_money){ -(int64_t)n, scale })] = '\0';
            assert_string_equal(text, want);
        }
    }
}

/* An appender that ran out of room writes nothing more, not even a text that is short enough. */
static void a_pen_stops(void **state)
{
    char storage[8];
    struct og_appender p = og_appender_over(storage, sizeof storage);
    size_t len = 9;

    (void)state;
    p = OG_APPEND(p, "1234567");
    assert_true(og_appender_end(p, storage, sizeof storage, &len));
    assert_int_equal(len, 7);
    assert_string_equal(storage, "1234567");
    p = og_append_text(OG_APPEND(OG_APPEND(og_appender_over(storage, sizeof storage), "12345678"), "1"), "");
    p = og_append_json_str(og_append_money(og_append_time(p, 0), og_money_from(1)), OG_STR("a\n"));
    assert_false(og_appender_end(p, storage, sizeof storage, &len));
    assert_int_equal(len, 0);
    assert_string_equal(storage, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_usual),
        cmocka_unit_test(what_is_not_known),
        cmocka_unit_test(everything),
        cmocka_unit_test(each_suggestion),
        cmocka_unit_test(each_prediction),
        cmocka_unit_test(orders_in_every_size),
        cmocka_unit_test(orders_into_buffers_with_a_limit),
        cmocka_unit_test(an_order_from_c),
        cmocka_unit_test(orders_that_cannot_be_written),
        cmocka_unit_test(numbers_of_every_length),
        cmocka_unit_test(a_pen_stops),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
