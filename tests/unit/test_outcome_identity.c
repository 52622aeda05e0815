/*
 * Which rows cannot belong to the order that was posted and which may, however the broker spells them.
 */
#include "outcome/identity.h"
#include "text/doc.h"
#include "unit.h"

#define STOCK \
    "\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Sell\",\"openClose\":\"Open\",\"orderQuantity\":10,"
#define OPTION                                                                                              \
    "{\"securityType\":\"Option\",\"symbol\":\"AAPL260220C00190000\",\"side\":\"Buy\",\"orderQuantity\":1," \
    "\"orderType\":\"Limit\",\"limitPrice\":2.5}"
#define SPREAD                                                                                                     \
    "{\"securityType\":\"Mleg\",\"symbol\":\"SPY\",\"side\":\"Buy\",\"orderQuantity\":2,\"orderType\":\"Market\"," \
    "\"legs\":[]}"
#define LIMIT  "{" STOCK "\"orderType\":\"Limit\",\"limitPrice\":150.10}"
#define MARKET "{" STOCK "\"orderType\":\"Market\"}"
#define STOP   "{" STOCK "\"orderType\":\"StopLimit\",\"limitPrice\":150,\"stopPrice\":151}"

static const struct {
    const char *body, *row, *why; /* row: its members after the status */
} cases[] = {
    /* the same terms in both shapes, spelled as the service's document shows them */
    { LIMIT,
      ",\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"tradedSymbol\":\"AAPL\",\"side\":\"Sell\","
      "\"orderQuantity\":10,\"limitPrice\":150.1,\"priceStop\":0",
      "" },
    { LIMIT, ",\"userOrderId\":\"PAPER0001:o\",\"side\":\"SellShort\",\"orderQuantity\":10.0,\"limitPrice\":150.1",
      "" },
    { OPTION,
      ",\"securityType\":\"Option\",\"symbol\":\"AAPL\",\"tradedSymbol\":\"AAPL260220C00190000\","
      "\"side\":\"Buy\",\"orderQuantity\":1,\"limitPrice\":2.50",
      "" },
    { STOP, ",\"limitPrice\":150,\"priceStop\":151", "" },
    /* values that prove nothing */
    { LIMIT, "", "" },
    { LIMIT, ",\"symbol\":\"\",\"side\":\"Unknown\",\"limitPrice\":0,\"openClose\":\"Unknown\",\"securityType\":null",
      "" },
    { MARKET, ",\"limitPrice\":190.01,\"priceStop\":3", "" },
    { OPTION, ",\"tradedSymbol\":null,\"symbol\":\"AAPL\"", "" },
    { SPREAD, ",\"securityType\":\"MLEG\",\"symbol\":\"SPY\",\"side\":\"Sell\",\"limitPrice\":1.2,\"orderQuantity\":2",
      "" },
    { "", ",\"limitPrice\":1", "" },
    { "[1]", ",\"limitPrice\":1", "" },
    /* another */
    { LIMIT, ",\"limitPrice\":1", "limitPrice is 1, ours is 150.1" },
    { LIMIT, ",\"orderQuantity\":11,\"limitPrice\":150.1", "orderQuantity is 11, ours is 10" },
    { MARKET, ",\"side\":\"Buy\"", "side is Buy, ours is Sell" },
    { MARKET, ",\"symbol\":\"MSFT\"", "symbol is MSFT, ours is AAPL" },
    { MARKET, ",\"securityType\":\"Option\"", "securityType is Option, ours is Stock" },
    { STOP, ",\"limitPrice\":150,\"priceStop\":152", "stopPrice is 152, ours is 151" },
    { OPTION, ",\"symbol\":\"AAPL\",\"tradedSymbol\":\"AAPL260220P00190000\"",
      "symbol is AAPL260220P00190000, ours is AAPL260220C00190000" },
    { SPREAD, ",\"securityType\":\"MLEG\",\"orderQuantity\":3", "orderQuantity is 3, ours is 2" },
};

static void each_case(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct og_order_row row;
        struct og_buf text, why;
        cJSON *doc = NULL;
        bool is;

        og_buf_init(&text, 0);
        og_buf_init(&why, 0);
        og_buf_format(&text, "{\"clientOrderId\":\"o\",\"orderStatus\":\"New\"%s}", cases[i].row);
        assert_int_equal(og_doc_read(text.s, text.len, "row", &doc, NULL), OG_OK);
        assert_true(og_order_row_read(doc, &row));
        is = og_is_namesake(og_str_of(cases[i].body), &row, &why);
        if (is != (cases[i].why[0] != '\0') || strcmp(why.len > 0 ? why.s : "", cases[i].why) != 0)
            fail_msg("%s and %s: %d, %s", cases[i].body, cases[i].row, is, why.len > 0 ? why.s : "");
        cJSON_Delete(doc);
        og_buf_clear(&text);
        og_buf_clear(&why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_case) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
