/*
 * og_money: every value that is read and every result is exact, or rejected.
 */
#include <stdio.h>

#include "base/digits.h"
#include "base/money.h"
#include "unit.h"

static struct og_money read(const char *text)
{
    struct og_money m;

    if (!og_money_read(text, strlen(text), &m))
        fail_msg("'%s' was not read", text);
    return m;
}

static void reads_exactly(void **state)
{
    static const struct {
        const char *text;
        int64_t coef;
        int scale;
    } cases[] = {
        { "0", 0, 0 },
        { "-0", 0, 0 },
        { "0.000", 0, 0 },
        { "0e99999999999999999999", 0, 0 },
        { "1", 1, 0 },
        { "-1", -1, 0 },
        { "100", 100, 0 },
        { "100.0", 100, 0 },
        { "1.500", 15, 1 },
        { "1.00005", 100005, 5 },
        { "1e2", 100, 0 },
        { "1E+2", 100, 0 },
        { "1.5e1", 15, 0 },
        { "12e-1", 12, 1 },
        { "120e-1", 12, 0 },
        { "10e-19", 1, 18 },
        { "1e-18", 1, 18 },
        { "1e18", 1000000000000000000, 0 },
        { "9e18", 9000000000000000000, 0 },
        { "0.12345678901234567", 12345678901234567, 17 },
        { "123456789012345.67", 12345678901234567, 2 },
        { "123456789012345678", 123456789012345678, 0 },
        { "0.999999999999999999", 999999999999999999, 18 },
        { "9223372036854775807", INT64_MAX, 0 },
        { "-9223372036854775808", INT64_MIN, 0 },
        { "9.223372036854775807", INT64_MAX, 18 },
        { "-9.223372036854775808", INT64_MIN, 18 },
        { "1.0000000000000000000000000000000000000000", 1, 0 },
        { "0.0000000000000000000000000000000000001e37", 1, 0 },
        { "100000000000000000000000000000000000000e-38", 1, 0 },
        { "1000000000000000000000.5e-3", 0, -1 },
        { "12000000000000000000000e-22", 12, 1 },
        { "0.00000000000000000001200000000000000e20", 12, 1 },
        { "1e-0", 1, 0 },
        { "1e00000000000000000000000000000000000001", 10, 0 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct og_money m;
        bool ok = og_money_read(cases[i].text, strlen(cases[i].text), &m);

        if (cases[i].scale < 0) { /* og_money cannot represent the digits */
            assert_false(ok);
            continue;
        }
        if (!ok || m.coef != cases[i].coef || m.scale != cases[i].scale)
            fail_msg("'%s' was read as %lld, %d (%d)", cases[i].text, (long long)m.coef, (int)m.scale, ok);
    }
}

static void refuses_and_zeroes(void **state)
{
    static const char *const cases[] = {
        "",
        "-",
        "+1",
        "01",
        "-01",
        "00",
        "1.",
        ".5",
        "-.5",
        "1.e2",
        "1e",
        "1e+",
        "1e-",
        "e1",
        "1 ",
        " 1",
        "1x",
        "0x10",
        "1,000",
        "NaN",
        "Infinity",
        "-Infinity",
        "1.2.3",
        "1e1.0",
        "--1",
        "1-",
        "\xEF\xBC\x91",
        /* the grammar is right, but og_money cannot represent the value */
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551616",
        "99999999999999999999",
        "1e19",
        "1e-19",
        "0.0000000000000000001",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "12345678901234567890123",
        "1.2345678901234567891",
        "0.1e-18",
        /* too many digits, and wrong grammar after them */
        "123456789012345678901234567890x",
        "123456789012345678901234567890.",
        "100000000000000000000000000000e",
    };
    struct og_money m;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        m = (struct og_money){ 7, 7 };
        if (og_money_read(cases[i], strlen(cases[i]), &m))
            fail_msg("'%s' was read as %lld, %d", cases[i], (long long)m.coef, (int)m.scale);
        assert_int_equal(m.coef, 0);
        assert_int_equal(m.scale, 0);
    }
    assert_false(og_money_read("1\0", 2, &m));
}

static void reads_no_further_than_told(void **state)
{
    struct og_money m;
    char *exact = malloc(3);

    (void)state;
    memcpy(exact, "123", 3);
    assert_true(og_money_read(exact, 3, &m)); /* a sanitizer reports a read beyond the text */
    assert_int_equal(m.coef, 123);
    assert_true(og_money_read(exact, 2, &m));
    assert_int_equal(m.coef, 12);
    free(exact);
}

static void writes_the_shortest_spelling(void **state)
{
    static const char *const cases[][2] = {
        { "1.00005", "1.00005" },
        { "-0.5", "-0.5" },
        { "1e2", "100" },
        { "0.050", "0.05" },
        { "-0.0", "0" },
        { "1e-18", "0.000000000000000001" },
        { "-1e-18", "-0.000000000000000001" },
        { "10.10", "10.1" },
        { "-9223372036854775808", "-9223372036854775808" },
        { "-9.223372036854775808", "-9.223372036854775808" },
        { "-0.9223372036854775808e0", "" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct og_money m;

        if (!og_money_read(cases[i][0], strlen(cases[i][0]), &m))
            assert_string_equal(cases[i][1], "");
        else
            assert_string_equal(og_money_text(m).s, cases[i][1]);
    }
}

/* Writing and reading gives the same struct, for coefficients of every length and every scale. */
static void round_trip(void **state)
{
    uint64_t seed = 42;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        struct og_money a, b;
        struct og_money_text text;

        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        a.coef = (int64_t)seed >> (i % 63);
        a.scale = (int)(seed >> 20) % 19;
        a.scale = a.scale < 0 ? -a.scale : a.scale;
        while (a.scale > 0 && a.coef % 10 == 0) {
            a.coef /= 10;
            a.scale--;
        }
        text = og_money_text(a);
        if (!og_money_read(text.s, strlen(text.s), &b) || a.coef != b.coef || a.scale != b.scale)
            fail_msg("'%s' came back as '%s'", text.s, og_money_text(b).s);
    }
}

typedef bool operation(struct og_money, struct og_money, struct og_money *);

static void arithmetic(void **state)
{
    static const struct {
        operation *op;
        const char *a, *b, *result; /* NULL: refused */
    } cases[] = {
        { og_money_add, "0.1", "0.2", "0.3" },
        { og_money_add, "1.5", "0.5", "2" },
        { og_money_add, "9223372036854775807", "1", NULL },
        { og_money_add, "9223372036854775807", "-1", "9223372036854775806" },
        { og_money_add, "9223372036854775807", "0.1", NULL },
        { og_money_add, "9.223372036854775807", "9223372036854775807", NULL },
        { og_money_add, "9.223372036854775807", "0.000000000000000003", "9.22337203685477581" },
        { og_money_add, "-9223372036854775808", "-9223372036854775808", NULL },
        { og_money_sub, "0.3", "0.1", "0.2" },
        { og_money_sub, "5", "5.00", "0" },
        { og_money_sub, "-9223372036854775808", "1", NULL },
        { og_money_sub, "0", "-9223372036854775808", NULL },
        { og_money_mul, "1.5", "1.5", "2.25" },
        { og_money_mul, "0.5", "2", "1" },
        { og_money_mul, "-9223372036854775808", "-1", NULL },
        { og_money_mul, "-9223372036854775808", "-9223372036854775808", NULL },
        { og_money_mul, "0.000000001", "0.0000000001", NULL },
        { og_money_mul, "0.0000000005", "0.00000000002", NULL },
        { og_money_mul, "0.000000005", "0.0000000002", "0.000000000000000001" },
        { og_money_mul, "9.223372036854775807", "0", "0" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct og_money out = { 9, 9 };
        bool ok = cases[i].op(read(cases[i].a), read(cases[i].b), &out);

        if (ok != (cases[i].result != NULL))
            fail_msg("case %zu answered %d", i, ok);
        assert_string_equal(og_money_text(out).s, cases[i].result ? cases[i].result : "0");
    }
}

static void times_and_share(void **state)
{
    struct og_money out;

    (void)state;
    assert_true(og_money_times(read("1.25"), -4, &out));
    assert_string_equal(og_money_text(out).s, "-5");
    assert_true(og_money_times(read("0.000000000000000001"), INT64_MAX, &out));
    assert_string_equal(og_money_text(out).s, "9.223372036854775807");
    assert_false(og_money_times(read("2"), INT64_MAX, &out));
    assert_int_equal(out.coef, 0);
    assert_true(og_money_share(read("190"), 500, &out));
    assert_string_equal(og_money_text(out).s, "9.5");
    assert_true(og_money_share(read("0.01"), 1, &out));
    assert_string_equal(og_money_text(out).s, "0.000001");
    assert_true(og_money_share(read("-3"), -10000, &out));
    assert_string_equal(og_money_text(out).s, "3");
    assert_false(og_money_share(read("1e-18"), 1, &out));
    assert_false(og_money_share(read("9223372036854775807"), INT32_MAX, &out));
}

static void compares_exactly(void **state)
{
    static const char *const rising[] = { "-9223372036854775808",
                                          "-1",
                                          "-0.999999999999999999",
                                          "-1e-18",
                                          "0",
                                          "1e-18",
                                          "0.999999999999999999",
                                          "1",
                                          "9.223372036854775806",
                                          "9.223372036854775807",
                                          "10",
                                          "9223372036854775806",
                                          "9223372036854775807" };

    (void)state;
    for (size_t i = 0; i < COUNT(rising); i++)
        for (size_t j = 0; j < COUNT(rising); j++)
            assert_int_equal(og_money_cmp(read(rising[i]), read(rising[j])), (i > j) - (i < j));
}

/* --- random amounts, compared with plain arithmetic in 128 bits --------------------------------------------------- */

__extension__ typedef __int128 wide;

static uint64_t seed = 20260115;

static uint64_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static bool settled(wide coef, int scale, struct og_money *m)
{
    for (; scale > 0 && coef % 10 == 0; scale--)
        coef /= 10;
    *m = (struct og_money){ 0, 0 };
    if (scale > 18 || coef > INT64_MAX || coef < INT64_MIN)
        return false;
    *m = (struct og_money){ (int64_t)coef, scale };
    return true;
}

/* Returns an amount with few or many digits, with or without zeros at the end; mostly in cents. */
static struct og_money random_money(void)
{
    struct og_money m;
    int64_t coef = (int64_t)(next() >> next() % 64);
    uint64_t scale = next() % 2 ? 2 : next() % 19;

    for (uint64_t zeros = next() % 8; zeros > 4 && coef < INT64_MAX / 10 && coef > INT64_MIN / 10; zeros--)
        coef *= 10;
    assert_true(settled(next() % 4 ? coef : -(wide)coef, (int)scale, &m) || coef == INT64_MIN);
    return m;
}

static wide raised(struct og_money m, int scale)
{
    wide coef = m.coef;

    for (; scale > m.scale; scale--)
        coef *= 10;
    return coef;
}

static void same(const char *what, bool ok, struct og_money m, bool wanted, struct og_money by_hand)
{
    if (ok != wanted || m.coef != by_hand.coef || m.scale != by_hand.scale)
        fail_msg("%s: %d %lld/%d, not %d %lld/%d", what, ok, (long long)m.coef, (int)m.scale, wanted,
                 (long long)by_hand.coef, (int)by_hand.scale);
}

static void as_by_hand(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) {
        struct og_money a = random_money(), b = random_money(), sum = a, hand, out = { 9, 9 };
        int scale = a.scale > b.scale ? a.scale : b.scale;
        wide x = raised(a, scale), y = raised(b, scale);
        int64_t n = (int64_t)(next() >> next() % 64);
        struct og_money_text text = og_money_text(a);
        bool ok;

        assert_int_equal(og_money_cmp(a, b), (x > y) - (x < y));
        assert_int_equal(og_price_cmp(a, b), (x > y) - (x < y));
        assert_int_equal(og_money_is_within(a, b), x <= y);
        ok = og_money_add(a, b, &out);
        same("add", ok, out, settled(x + y, scale, &hand), hand);
        ok = og_money_gather(&sum, b);
        assert_int_equal(ok, settled(x + y, scale, &hand));
        if (ok) /* results of arithmetic are in normal form */
            same("gather", og_money_sub(sum, og_money_from(0), &out), out, true, hand);
        else
            same("gather", true, sum, true, a);
        ok = og_money_sub(a, b, &out);
        same("sub", ok, out, settled(x - y, scale, &hand), hand);
        ok = og_money_mul(a, b, &out);
        same("mul", ok, out, settled((wide)a.coef * b.coef, a.scale + b.scale, &hand), hand);
        ok = og_money_times(a, n, &out);
        same("times", ok, out, settled((wide)a.coef * n, a.scale, &hand), hand);
        ok = og_money_share(a, (int32_t)n, &out);
        same("share", ok, out, settled((wide)a.coef * (int32_t)n, a.scale + 4, &hand), hand);
        ok = og_money_read(text.s, strlen(text.s), &out);
        same("read", ok, out, true, a);
    }
}

/* Eight digits are spelled at once, more of them pair by pair. */
static void check_digits(uint64_t n)
{
    char text[OG_DIGITS_MOST + 1], wanted[OG_DIGITS_MOST + 1];

    *og_digits_put(text, n) = '\0';
    snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)n);
    assert_string_equal(text, wanted);
    assert_string_equal(og_money_text(og_money_from((int64_t)(n >> 1))).s,
                        (snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)(n >> 1)), wanted));
    if (n < OG_DIGITS_EIGHT)
        assert_int_equal(og_digits_number(og_digits_of(n)), n);
}

static void whole_numbers(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 20000; n++)
        check_digits(n);
    for (uint64_t power = 10; power <= UINT64_MAX / 10; power *= 10)
        for (uint64_t n = power - 2; n < power + 2; n++)
            check_digits(n);
    for (int i = 0; i < 100000; i++)
        check_digits(next() >> next() % 64);
    check_digits(UINT64_MAX);
}

static void floors_and_multiples(void **state)
{
    (void)state;
    assert_int_equal(og_money_floor(read("1.9")), 1);
    assert_int_equal(og_money_floor(read("-1.1")), -2);
    assert_int_equal(og_money_floor(read("-1")), -1);
    assert_int_equal(og_money_floor(read("-1e-18")), -1);
    assert_int_equal(og_money_floor(read("-9223372036854775808")), INT64_MIN);
    assert_int_equal(og_money_floor(og_money_from(7)), 7);
    assert_false(og_money_is_multiple(read("1.005"), read("0.01")));
    assert_true(og_money_is_multiple(read("1.01"), read("0.01")));
    assert_true(og_money_is_multiple(read("3"), read("0.05")));
    assert_false(og_money_is_multiple(read("3.04"), read("0.05")));
    assert_true(og_money_is_multiple(read("-0.10"), read("0.05")));
    assert_true(og_money_is_multiple(read("0"), read("0.05")));
    assert_false(og_money_is_multiple(read("1"), read("0")));
    assert_true(og_money_is_multiple(read("9223372036854775807"), read("1e-18")));
}

static int sign_of(wide n)
{
    return (n > 0) - (n < 0);
}

/* Returns -1, 0 or 1, computed here without og_money; if the values differ a lot in size, their larger units are
 * compared. */
static int ordered(struct og_money a, struct og_money b)
{
    int64_t apart = (int64_t)b.scale - a.scale;
    wide x = a.coef, y = b.coef;

    if (apart > 19)
        return x != 0 ? sign_of(x) : -sign_of(y);
    if (apart < -19)
        return y != 0 ? -sign_of(y) : sign_of(x);
    for (; apart > 0; apart--)
        x *= 10;
    for (; apart < 0; apart++)
        y *= 10;
    return sign_of(x - y);
}

/* If the scale is one that no og_money can have, every function returns at once, and never with a wrong result. */
static void scales_that_a_caller_made_up(void **state)
{
    static const int64_t coefs[] = { 0, 1, -1, 10, -10, INT64_MAX, INT64_MIN };
    static const int32_t scales[] = { INT32_MIN, -40, -19, -18, -1, 0, 2, 18, 19, 36, 37, 40, INT32_MAX };
    const size_t all = COUNT(coefs) * COUNT(scales);

    (void)state;
    for (size_t i = 0; i < all * all; i++) {
        const struct og_money a = { coefs[i / all % COUNT(coefs)], scales[i / all / COUNT(coefs)] },
                              b = { coefs[i % all % COUNT(coefs)], scales[i % all / COUNT(coefs)] };
        const bool are = a.scale >= 0 && a.scale <= 18 && b.scale >= 0 && b.scale <= 18;
        struct og_money sum, rest, product, out, gathered = a;

        assert_int_equal(og_money_cmp(a, b), ordered(a, b));
        if (og_money_add(a, b, &sum))
            assert_true(sum.scale >= 0 && sum.scale <= 18);
        else
            assert_true(sum.coef == 0 && sum.scale == 0);
        if (!are && og_money_sub(a, b, &rest))
            assert_int_equal(ordered(rest, og_money_from(0)), ordered(a, b));
        if (og_money_mul(a, b, &product))
            assert_true((int64_t)a.scale + b.scale <= 36 && (int64_t)a.scale + b.scale >= 0);
        (void)!og_money_gather(&gathered, b);
        if (a.scale < 0 || a.scale > 18) {
            assert_string_equal(og_money_text(a).s, "");
            assert_int_equal(og_money_floor(a), 0);
            assert_true(!og_money_times(a, 3, &out) || a.scale > 18);
            assert_true(!og_money_share(a, 3, &out) || (a.scale >= -4 && a.scale <= 32));
        }
        if (!are)
            (void)og_money_is_multiple(a, b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_exactly),
        cmocka_unit_test(refuses_and_zeroes),
        cmocka_unit_test(reads_no_further_than_told),
        cmocka_unit_test(writes_the_shortest_spelling),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(times_and_share),
        cmocka_unit_test(compares_exactly),
        cmocka_unit_test(as_by_hand),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(floors_and_multiples),
        cmocka_unit_test(scales_that_a_caller_made_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
