/*
 * An order that was packed and unpacked has the same terms, and usual orders take few bytes.  Arbitrary orders:
 * fuzz/fuzz_order.c.
 */
#include "order/order.h"
#include "unit.h"

static struct og_order *order, *again;

/* The values that are read of a packed order without unpacking it are those of the order. Returns false if it is packed
 * as JSON. */
static bool peeked(const char *packed)
{
    struct og_order o;

    if (!og_order_peek(&o, packed))
        return false;
    assert_int_equal(o.security, order->security);
    assert_int_equal(o.side, order->side);
    assert_int_equal(o.open_close, order->open_close);
    assert_int_equal(o.type, order->type);
    assert_int_equal(o.quantity, order->quantity);
    assert_int_equal(og_money_cmp(o.limit, order->limit), 0);
    assert_int_equal(og_money_cmp(o.stop, order->stop), 0);
    assert_true(og_str_eq(o.symbol, order->symbol) && og_str_eq(o.client_id, order->client_id));
    assert_int_equal(o.legs_kept, order->legs_kept);
    for (int i = 0; i < o.legs_kept; i++) {
        assert_true(og_str_eq(o.leg[i].symbol, order->leg[i].symbol));
        assert_int_equal(o.leg[i].side, order->leg[i].side);
        assert_int_equal(o.leg[i].open_close, order->leg[i].open_close);
        assert_int_equal(o.leg[i].ratio, order->leg[i].ratio);
    }
    return true;
}

static size_t kept(const char *line)
{
    struct og_buf b, first, second;
    size_t len;

    og_buf_init(&b, 0);
    og_buf_init(&first, 0);
    og_buf_init(&second, 0);
    assert_int_equal(og_order_read(order, line, strlen(line)), OG_OK);
    assert_true(og_order_pack(order, &b));
    assert_int_equal(og_order_unpack(again, b.s, b.len), OG_OK);
    assert_true(og_order_write(order, true, &first));
    assert_true(og_order_write(again, true, &second));
    assert_string_equal(second.s, first.s);
    assert_int_equal(peeked(b.s), (*b.s & ~0x20) == 'F');
    len = b.len;
    og_buf_clear(&b);
    og_buf_clear(&first);
    og_buf_clear(&second);
    return len;
}

static void plain_orders_are_few_bytes(void **state)
{
    (void)state;
    assert_in_range(kept("{\"clientOrderId\":\"a-1\",\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\","
                         "\"openClose\":\"Open\",\"orderType\":\"Limit\",\"limitPrice\":190.01,\"orderQuantity\":100,"
                         "\"timeInForce\":\"Day\",\"route\":\"SMART\",\"accountId\":\"A1\"}"),
                    1, 40);
    assert_in_range(
        kept("{\"clientOrderId\":\"a-2\",\"securityType\":\"Mleg\",\"symbol\":\"META\",\"orderType\":\"Limit\","
             "\"limitPrice\":-0.2,\"orderQuantity\":31,\"timeInForce\":\"Day\",\"legs\":["
             "{\"symbol\":\"META260123P00609000\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"Open\"},"
             "{\"symbol\":\"META260123P00611000\",\"side\":\"Buy\",\"ratio\":2,\"openClose\":\"Open\"}]}"),
        1, 90);
}

static void odd_ones_keep_all_they_say(void **state)
{
    (void)state;
    kept("{}");
    kept("{\"symbol\":\"\"}");
    kept("{\"symbol\":\"A\\u0041\\n\",\"orderQuantity\":1.5,\"limitPrice\":-99999999999999999,\"stopPrice\":0."
         "000000000000000001}");
    kept("{\"orderQuantity\":1e2,\"limitPrice\":0,\"replaces\":\"a-1\"}");
    kept("{\"securityType\":\"Stock\",\"legs\":[]}");
    kept("{\"securityType\":\"Mleg\",\"legs\":[{\"symbol\":\"AAPL\",\"ratio\":100},{\"side\":\"Buy\"}]}");
}

static int set_up(void **state)
{
    (void)state;
    order = og_order_new();
    again = og_order_new();
    return order && again ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    og_order_free(order);
    og_order_free(again);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_orders_are_few_bytes),
        cmocka_unit_test(odd_ones_keep_all_they_say),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
