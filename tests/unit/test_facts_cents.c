/*
 * og_cents_of(): the value of a row in cents, rounded up; computed in 64 bits if they suffice, otherwise in 128.
 */
#include "facts/facts.h"
#include "unit.h"

__extension__ typedef __int128 wide;

#define MOST INT64_C(1000000000000000000) /* greatest value of one row */

static uint64_t seed = 20261123;

static uint64_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static struct og_money random_money(void)
{
    struct og_money m = { (int64_t)(next() >> next() % 64), (int)(next() % 19) };

    m.coef = next() % 4 || m.coef == INT64_MIN ? m.coef : -m.coef;
    return m;
}

static int64_t by_hand(struct og_money shares, struct og_money price, int scale)
{
    wide cents = (wide)shares.coef * price.coef, whole;

    cents = cents < 0 ? -cents : cents;
    for (; scale < 0 && cents <= MOST; scale++)
        cents *= 10;
    whole = cents;
    for (int i = 0; i < scale; i++)
        whole /= 10;
    for (int i = 0; i < scale && cents; i++) { /* a part of a cent counts as a whole one */
        if (cents % 10) {
            whole++;
            break;
        }
        cents /= 10;
    }
    return whole <= MOST ? (int64_t)whole : -1;
}

static void rounds_up(void **state)
{
    const struct og_money one = { 1, 0 };

    (void)state;
    assert_int_equal(og_cents_of(one, (struct og_money){ 18998, 2 }, false), 18998);
    assert_int_equal(og_cents_of(one, (struct og_money){ 1, 6 }, false), 1);
    assert_int_equal(og_cents_of(one, (struct og_money){ 10001, 4 }, false), 101);
    assert_int_equal(og_cents_of(one, (struct og_money){ -10001, 4 }, false), 101);
    assert_int_equal(og_cents_of((struct og_money){ 3, 0 }, (struct og_money){ 5, 2 }, true), 1500);
    assert_int_equal(og_cents_of((struct og_money){ MOST, 0 }, (struct og_money){ 1, 2 }, false), MOST);
    assert_int_equal(og_cents_of((struct og_money){ MOST, 0 }, (struct og_money){ 11, 3 }, false), -1);
}

static void as_by_hand(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; i++) {
        const struct og_money shares = random_money(), price = random_money();
        const int scale = shares.scale + price.scale - 2;

        assert_int_equal(og_cents_of(shares, price, false), by_hand(shares, price, scale));
        assert_int_equal(og_cents_of(shares, price, true), by_hand(shares, price, scale - 2));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_up),
        cmocka_unit_test(as_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
