/*
 * Exact decimal money over 128-bit intermediates.
 * It refuses to round: a result that has no og_money answers false and leaves zero.
 */
#include "base/money.h"

#include "base/digits.h"
#include "base/often.h"

#include <string.h>

#include "base/banned.h"

__extension__ typedef __int128 wide;

#define MOST_SCALE   18
#define EXACT_DIGITS 19 /* any number of so many digits fits an uint64_t */

static const int64_t power[MOST_SCALE + 1] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
    100000000000000000,
    1000000000000000000,
};

static const struct og_money zero = { 0, 0 };

/* coef x 10^-scale (scale 0..36) in normal form.  Whether a digit is 0 cannot be guessed, how many decimals there are can:
 * the processor is not asked to guess. */
static inline bool settle_small(int64_t coef, int scale, struct og_money *out)
{
    if (scale == 2) { /* cents, mostly: both at once */
        int64_t tenth = coef / 10, hundredth = coef / 100;
        bool dimes = tenth * 10 == coef, dollars = hundredth * 100 == coef;

        coef = dollars ? hundredth : dimes ? tenth : coef;
        *out = (struct og_money){ coef, 2 - dimes - dollars };
        return true;
    }
    for (int left = scale; left > 0; left--) {
        int64_t tenth = coef / 10, more = tenth * 10 == coef;

        coef -= (coef - tenth) & -more;
        scale -= (int)more;
    }
    if (scale > MOST_SCALE) {
        *out = zero;
        return false;
    }
    *out = (struct og_money){ coef, coef == 0 ? 0 : scale };
    return true;
}

/* What needs more than 64 bits is rare, and kept apart: it takes many registers. */
static OG_RARELY bool settle(wide coef, int scale, struct og_money *out)
{
    for (; scale > 0 && (int64_t)coef != coef && coef % 10 == 0; scale--)
        coef /= 10;
    if ((int64_t)coef == coef)
        return settle_small((int64_t)coef, scale, out);
    *out = zero;
    return false;
}

/* Both coefficients at the larger scale, in 64 bits; false when they do not fit. */
static inline bool align_small(struct og_money a, struct og_money b, int64_t *x, int64_t *y)
{
    int more = a.scale - b.scale;

    *x = a.coef;
    *y = b.coef;
    if (more > 0)
        return !__builtin_mul_overflow(b.coef, power[more], y);
    return more == 0 || !__builtin_mul_overflow(a.coef, power[-more], x);
}

/* Both coefficients at the larger scale; never overflows: 2^63 x 10^18 < 2^127 */
static int align(struct og_money a, struct og_money b, wide *x, wide *y)
{
    int scale = a.scale > b.scale ? a.scale : b.scale;

    *x = (wide)a.coef * power[scale - a.scale];
    *y = (wide)b.coef * power[scale - b.scale];
    return scale;
}

static inline bool is_digit(const char *p, const char *end)
{
    return p < end && (unsigned char)(*p - '0') < 10;
}

/* "e+12" at p: its value, held back before it could overflow; false: no exponent grammar */
static bool read_exponent(const char **at, const char *end, int64_t *exponent)
{
    const char *p = *at + 1;
    bool negative = p < end && *p == '-';
    int64_t n = 0;

    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (!is_digit(p, end))
        return false;
    for (; is_digit(p, end); p++)
        if (n < INT64_MAX / 100)
            n = n * 10 + (*p - '0');
    *exponent = negative ? -n : n;
    *at = p;
    return true;
}

/* More digits than fit: leading and trailing zeros do not count.  The zeros dropped at the end are taken off *scale. */
static bool read_long(const char *p, const char *end, uint64_t *coef, int64_t *scale)
{
    int64_t zeros = 0;
    uint64_t n = 0;

    for (; p < end; p++) {
        if (*p == '.')
            continue;
        zeros++;
        if (*p == '0')
            continue;
        for (; zeros > 1 && n != 0; zeros--)
            if (__builtin_mul_overflow(n, (uint64_t)10, &n))
                return false;
        if (__builtin_mul_overflow(n, (uint64_t)10, &n) || __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
            return false;
        zeros = 0;
    }
    *coef = n;
    *scale -= zeros;
    return true;
}

/* coef x 10^-scale in normal form, scale anything */
static bool settle_read(bool negative, uint64_t coef, int64_t scale, struct og_money *m)
{
    uint64_t most = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;

    if (coef == 0)
        return true;
    for (; scale > 0 && coef % 10 == 0; scale--)
        coef /= 10;
    for (; scale < 0; scale++)
        if (coef > most / 10 || __builtin_mul_overflow(coef, (uint64_t)10, &coef))
            return false;
    if (scale > MOST_SCALE || coef > most)
        return false;
    m->coef = (int64_t)(negative ? 0 - coef : coef);
    m->scale = (int32_t)scale;
    return true;
}

bool og_money_read(const char *text, size_t len, struct og_money *m)
{
    const char *p = len ? text : "", *end = p + len, *digits; /* of no bytes text may be NULL */
    bool negative = len > 0 && *p == '-';
    uint64_t coef = 0;
    int64_t scale = 0, exponent = 0;
    size_t count;

    *m = zero;
    digits = p += negative;
    for (; is_digit(p, end); p++)
        coef = coef * 10 + (uint64_t)(*p - '0');
    if (p == digits || (*digits == '0' && p > digits + 1))
        return false;
    count = (size_t)(p - digits);
    if (p < end && *p == '.') {
        const char *point = p++;

        for (; is_digit(p, end); p++)
            coef = coef * 10 + (uint64_t)(*p - '0');
        scale = p - point - 1;
        if (scale == 0)
            return false;
        count += (size_t)scale;
    }
    if (count > EXACT_DIGITS && !read_long(digits, p, &coef, &scale)) /* the sum above has wrapped */
        coef = UINT64_MAX;                                            /* the grammar still has to be read to the end */
    if (p < end && ((*p | 0x20) != 'e' || !read_exponent(&p, end, &exponent)))
        return false;
    return p == end && settle_read(negative, coef, scale - exponent, m);
}

/* From the last digit on, beside where it goes; a copy of a size that is known then costs less than one that fits. */
OG_OFTEN size_t og_money_put(char *to, struct og_money m)
{
    uint64_t n = m.coef < 0 ? 0 - (uint64_t)m.coef : (uint64_t)m.coef;
    char room[2 * OG_MONEY_ROOM], *end = room + OG_MONEY_ROOM, *at = end;
    int decimals = m.scale;

    for (; decimals > 1; decimals -= 2, n /= 100)
        og_digits_two(at -= 2, n % 100);
    for (; decimals > 0; decimals--, n /= 10)
        *--at = (char)('0' + n % 10);
    if (m.scale > 0)
        *--at = '.';
    for (; n >= 100; n /= 100)
        og_digits_two(at -= 2, n % 100);
    if (n >= 10)
        og_digits_two(at -= 2, n);
    else
        *--at = (char)('0' + n);
    if (m.coef < 0)
        *--at = '-';
    memcpy(to, at, OG_MONEY_ROOM);
    return (size_t)(end - at);
}

struct og_money_text og_money_text(struct og_money m)
{
    struct og_money_text text;

    text.s[og_money_put(text.s, m)] = '\0';
    return text;
}

OG_OFTEN struct og_money og_money_from(int64_t whole)
{
    return (struct og_money){ whole, 0 };
}

static OG_RARELY int cmp_wide(struct og_money a, struct og_money b)
{
    wide x, y;

    align(a, b, &x, &y);
    return (x > y) - (x < y);
}

static OG_RARELY bool sum_wide(struct og_money a, struct og_money b, int sign, struct og_money *out)
{
    wide x, y;
    int scale = align(a, b, &x, &y);

    return settle(x + sign * y, scale, out);
}

static OG_RARELY bool product_wide(int64_t a, int64_t b, int scale, struct og_money *out)
{
    return settle((wide)a * b, scale, out);
}

static int larger(struct og_money a, struct og_money b)
{
    return a.scale > b.scale ? a.scale : b.scale;
}

OG_OFTEN int og_money_cmp(struct og_money a, struct og_money b)
{
    int64_t x, y;

    return align_small(a, b, &x, &y) ? (x > y) - (x < y) : cmp_wide(a, b);
}

OG_OFTEN bool og_money_add(struct og_money a, struct og_money b, struct og_money *out)
{
    int64_t x, y, sum;

    if (align_small(a, b, &x, &y) && !__builtin_add_overflow(x, y, &sum))
        return settle_small(sum, larger(a, b), out);
    return sum_wide(a, b, 1, out);
}

OG_OFTEN bool og_money_sub(struct og_money a, struct og_money b, struct og_money *out)
{
    int64_t x, y, rest;

    if (align_small(a, b, &x, &y) && !__builtin_sub_overflow(x, y, &rest))
        return settle_small(rest, larger(a, b), out);
    return sum_wide(a, b, -1, out);
}

static inline bool product(int64_t a, int64_t b, int scale, struct og_money *out)
{
    int64_t small;

    if (!__builtin_mul_overflow(a, b, &small))
        return settle_small(small, scale, out);
    return product_wide(a, b, scale, out);
}

OG_OFTEN bool og_money_times(struct og_money a, int64_t n, struct og_money *out)
{
    return product(a.coef, n, a.scale, out);
}

OG_OFTEN bool og_money_mul(struct og_money a, struct og_money b, struct og_money *out)
{
    return product(a.coef, b.coef, a.scale + b.scale, out);
}

OG_OFTEN bool og_money_share(struct og_money a, int32_t bps, struct og_money *out)
{
    return product(a.coef, bps, a.scale + 4, out);
}

OG_OFTEN int64_t og_money_floor(struct og_money a)
{
    int64_t whole;

    if (a.scale == 0)
        return a.coef;
    whole = a.coef / power[a.scale];
    return a.coef % power[a.scale] < 0 ? whole - 1 : whole;
}

static OG_RARELY bool is_multiple_wide(struct og_money a, struct og_money unit)
{
    wide x, y;

    align(a, unit, &x, &y);
    return y > 0 && x % y == 0;
}

OG_OFTEN bool og_money_is_multiple(struct og_money a, struct og_money unit)
{
    int64_t x, y;

    if (align_small(a, unit, &x, &y))
        return y > 0 && x % y == 0;
    return is_multiple_wide(a, unit);
}
