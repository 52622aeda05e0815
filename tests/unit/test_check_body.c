/*
 * The decision predicts the body of a 400: all lines of the schema, or a line for each leg, or one message.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "check/check.h"
#include "ordergate/ordergate.h"

static struct og_book *book;
static struct og_scratch *scratch;
static struct og_order *order;

static int set_up(void **state)
{
    static const char yaml[] = "ordergate: 1\nname: body\nextends: [default]\n";
    struct og_policy *policy = NULL;

    (void)state;
    if (og_policy_read(yaml, sizeof yaml - 1, "body", &policy, NULL, NULL, NULL) != OG_OK)
        return -1;
    scratch = og_scratch_new();
    order = og_order_new();
    return og_book_new(policy, &book) == OG_OK && scratch && order ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    og_book_free(book);
    og_scratch_free(scratch);
    og_order_free(order);
    return 0;
}

static void predicts(const char *line, enum og_certainty certainty, const char *text)
{
    struct og_decision d;

    assert_int_equal(og_order_read(order, line, strlen(line)), OG_OK);
    og_check(book, order, INT64_C(1768489200) * OG_NS_PER_S, scratch, &d);
    assert_false(d.accepted);
    assert_int_equal(d.predicts.channel, OG_CHANNEL_HTTP_400);
    assert_int_equal(d.predicts.certainty, certainty);
    if (text)
        assert_string_equal(d.predicts.text, text);
    else
        assert_null(d.predicts.text);
}

#define ENVELOPE \
    "{\"securityType\":\"Mleg\",\"symbol\":\"AAPL\",\"orderType\":\"Limit\",\"timeInForce\":\"Day\",\"limitPrice\":1,"
#define CALL(strike, side, ratio) \
    "{\"symbol\":\"AAPL260116C00" strike "000\",\"side\":\"" side "\",\"ratio\":" ratio ",\"openClose\":\"Open\"}"

static void all_lines_of_the_schema(void **state)
{
    (void)state;
    predicts("{\"securityType\":\"Stock\",\"symbol\":\"A "
             "B\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Market\",\"orderQuantity\":0}",
             OG_STATED,
             "- (root): timeInForce is required\n- symbol: Does not match pattern '^[a-zA-Z0-9._-]+$'\n"
             "- orderQuantity: Must be greater than or equal to 1");
}

static void all_lines_of_the_legs(void **state)
{
    (void)state;
    predicts(ENVELOPE "\"orderQuantity\":1,\"legs\":[" CALL("150", "buy", "0") "," CALL("160", "Sell", "101") "]}",
             OG_STATED,
             "- legs.0.side: legs.0.side must be one of the following: \"Buy\", \"Sell\"\n"
             "- legs.0.ratio: Must be greater than or equal to 1\n- legs.1.ratio: Must be less than or equal to 100");
}

static void the_schema_hides_the_legs(void **state)
{
    (void)state;
    predicts(ENVELOPE "\"orderQuantity\":1.5,\"legs\":[" CALL("150", "buy", "0") "," CALL("160", "Sell", "101") "]}",
             OG_STATED, "- orderQuantity: Invalid type. Expected: integer, given: number");
}

static void the_count_hides_the_form_of_the_legs(void **state)
{
    (void)state;
    predicts(ENVELOPE "\"orderQuantity\":1,\"legs\":[" CALL("150", "buy", "0") "]}", OG_STATED,
             "Too few legs, invalid order.");
}

static void expiries_ratios_and_shape_have_one_message(void **state)
{
    (void)state;
    predicts(ENVELOPE "\"orderQuantity\":1,\"legs\":[" CALL("150", "Buy", "2") "," CALL("160", "Sell", "2") "]}",
             OG_STATED, "Invalid order, leg ratios cannot have a common devisor.");
    predicts(ENVELOPE "\"orderQuantity\":1,\"legs\":[" CALL("150", "Buy", "1") "," CALL("160", "Sell", "2") "]}",
             OG_STATED, NULL);
}

static void a_message_not_shown_has_no_text(void **state)
{
    (void)state;
    predicts(ENVELOPE "\"orderQuantity\":1,\"side\":\"Buy\",\"legs\":[" CALL("150", "Buy", "1") "," CALL("160", "Sell",
                                                                                                         "1") "]}",
             OG_STATED, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lines_of_the_schema),
        cmocka_unit_test(all_lines_of_the_legs),
        cmocka_unit_test(the_schema_hides_the_legs),
        cmocka_unit_test(the_count_hides_the_form_of_the_legs),
        cmocka_unit_test(expiries_ratios_and_shape_have_one_message),
        cmocka_unit_test(a_message_not_shown_has_no_text),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
