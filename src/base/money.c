/*
 * Exact decimal money with 128-bit intermediates.  Nothing is rounded: an operation whose result og_money cannot
 * represent returns false and sets zero.
 */
#include "base/money.h"

#include <string.h>

#include "base/attributes.h"
#include "base/digits.h"

__extension__ typedef __int128 wide;

#define MOST_SCALE   18
#define EXACT_DIGITS 19 /* every number of 19 digits fits in a uint64_t */

/* 10 to the power of i - MOST_SCALE: the factor that gives a number i - MOST_SCALE more decimals.  The factor is 1 for
 * i below MOST_SCALE, since such a number needs no more decimals. */
static const int64_t lift[2 * MOST_SCALE + 1] = {
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
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
static const int64_t *const power = lift + MOST_SCALE;

static const struct og_money zero = { 0, 0 };

/* Divides a multiple of 10 by 10 without a division: multiply by the inverse of 5 modulo 2^64, and rotate by one bit.
 * For any other number the result is above TENTH_MOST. */
#define TENTH_MOST (UINT64_MAX / 10)
static inline uint64_t tenth_of(uint64_t n)
{
    uint64_t fifth = n * UINT64_C(0xcccccccccccccccd);

    return fifth >> 1 | fifth << 63;
}

/* Set *out to coef x 10^-scale in normal form.  Returns false if og_money cannot represent the number, or if the scale
 * is outside 0..36. */
static OG_HOT __attribute__((noinline)) bool normalize_any(int64_t coef, int scale, struct og_money *out)
{
    uint64_t n = coef < 0 ? 0 - (uint64_t)coef : (uint64_t)coef, tenth;

    if ((unsigned)scale > 2 * MOST_SCALE) {
        *out = zero;
        return false;
    }
    for (; scale > 0 && (tenth = tenth_of(n)) <= TENTH_MOST; scale--)
        n = tenth;
    *out = scale > MOST_SCALE ? zero : (struct og_money){ (int64_t)(coef < 0 ? 0 - n : n), scale };
    return scale <= MOST_SCALE;
}

/* Drop the last digit, and one decimal, if the digit is 0.  This has no branch, because a branch would be mispredicted;
 * the asm statement keeps the compiler from making one. */
static inline uint64_t drop_zero(uint64_t n, int *scale)
{
    uint64_t tenth = tenth_of(n);
    bool is_tenth = tenth <= TENTH_MOST;

    *scale -= is_tenth;
    n = is_tenth ? tenth : n;
    __asm__("" : "+r"(n));
    return n;
}

/* Do what normalize_any() does, for at most two decimals, the usual case. */
static OG_HOT __attribute__((noinline)) bool normalize_cents(int64_t coef, int scale, struct og_money *out)
{
    if (coef < 0 || scale != 2)
        return normalize_any(coef, scale, out);
    coef = (int64_t)drop_zero(drop_zero((uint64_t)coef, &scale), &scale);
    *out = (struct og_money){ coef, scale };
    return true;
}

static inline bool normalize_small(int64_t coef, int scale, struct og_money *out)
{
    if (scale != 0)
        return normalize_cents(coef, scale, out);
    *out = (struct og_money){ coef, 0 };
    return true;
}

/* Do what normalize_any() does, for more than 64 bits, which is rare. A function of its own, because it needs many
 * registers. */
static OG_COLD bool normalize(wide coef, int scale, struct og_money *out)
{
    for (; scale > 0 && (int64_t)coef != coef && coef % 10 == 0; scale--)
        coef /= 10;
    if ((int64_t)coef == coef)
        return normalize_small((int64_t)coef, scale, out);
    *out = zero;
    return false;
}

static inline int larger(struct og_money a, struct og_money b)
{
    return a.scale > b.scale ? a.scale : b.scale;
}

/* Compute the factors that bring both coefficients to the larger scale, without a branch.  Returns false if the scales
 * are further apart than valid ones can be, because a caller made up an invalid og_money. */
static inline bool factors(struct og_money a, struct og_money b, int64_t *of_a, int64_t *of_b)
{
    const int64_t more = (int64_t)a.scale - b.scale; /* number of decimals that a has more than b; negative if a has
                                                      * fewer */

    if (more < -MOST_SCALE || more > MOST_SCALE)
        return false;
    *of_a = lift[MOST_SCALE - more];
    *of_b = lift[MOST_SCALE + more];
    return true;
}

/* Bring both coefficients to the larger scale, in 64 bits.  Returns false if they do not fit. */
static inline bool align_small(struct og_money a, struct og_money b, int64_t *x, int64_t *y)
{
    int64_t of_a, of_b;

    return factors(a, b, &of_a, &of_b) && !__builtin_mul_overflow(a.coef, of_a, x) &&
           !__builtin_mul_overflow(b.coef, of_b, y);
}

/* Do what align_small() does, in 128 bits, in which both always fit: 2^63 x 10^18 < 2^127. */
static bool align(struct og_money a, struct og_money b, wide *x, wide *y)
{
    int64_t of_a, of_b;

    if (!factors(a, b, &of_a, &of_b))
        return false;
    *x = (wide)a.coef * of_a;
    *y = (wide)b.coef * of_b;
    return true;
}

static inline bool is_digit(const char *p, const char *end)
{
    return p < end && (unsigned char)(*p - '0') < 10;
}

/* Parse an exponent such as "e+12"; a huge value is capped.  Returns false if the grammar is wrong. */
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

/* Parse more digits than fit in *coef. Leading and trailing zeros do not count; trailing zeros reduce *scale. */
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

/* Set *m to coef x 10^-scale in normal form, for any scale. */
static bool normalize_read(bool negative, uint64_t coef, int64_t scale, struct og_money *m)
{
    uint64_t most = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;

    if (coef == 0)
        return true;
    for (; scale > 0 && tenth_of(coef) <= TENTH_MOST; scale--)
        coef = tenth_of(coef);
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
    const char *p = text ? text : "", *end = p + (text ? len : 0), *digits; /* text may be NULL if len is 0 */
    bool negative = p < end && *p == '-';
    uint64_t coef = 0;
    int64_t scale = 0, exponent = 0;
    size_t count;

    if (!m)
        return false;
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
    if (count > EXACT_DIGITS && !read_long(digits, p, &coef, &scale)) /* `coef`, which was summed up above, has
                                                                       * overflowed */
        coef = UINT64_MAX;                                            /* too large; the loop goes on to check the
                                                                       * grammar of the rest */
    if (p < end && ((*p | 0x20) != 'e' || !read_exponent(&p, end, &exponent)))
        return false;
    return p == end && normalize_read(negative, coef, scale - exponent, m);
}

/* Returns the number of digits of n, which is at most 2^63. It follows from the number of bits, give or take one. */
static inline int digits_of(uint64_t n)
{
    int most = (64 - __builtin_clzll(n | 1)) * 1233 >> 12; /* 1233 / 4096 is a bit more than log10(2) */

    return most > MOST_SCALE ? EXACT_DIGITS : most + (n >= (uint64_t)power[most]) + (n == 0);
}

/* Write an amount of at most eight digits, at least one of which stands before the point. May write up to 17 bytes;
 * returns the length of the amount. */
static inline size_t put_short(char *to, uint64_t n, unsigned decimals)
{
    const uint64_t digits = og_digits_of(n);
    unsigned zeros = og_digits_zeros(digits), whole;

    zeros = zeros > 7 - decimals ? 7 - decimals : zeros;
    whole = 8 - zeros - decimals;
    og_digits_write(to, digits, zeros);
    if (decimals == 0)
        return whole;
    to[whole] = '.';
    og_digits_write(to + whole + 1, digits, 8 - decimals);
    return whole + 1 + decimals;
}

/* Writes the digits of a long amount in place, from the last to the first.  Copying them from a temporary would be
 * slower: loads that do not match the sizes of the recent stores would stall. */
OG_HOT size_t og_money_put(char *to, struct og_money m)
{
    uint64_t n = m.coef < 0 ? 0 - (uint64_t)m.coef : (uint64_t)m.coef;
    int decimals = m.scale, whole;
    char *at, *end;

    if (m.coef < 0)
        *to++ = '-';
    if (n < OG_DIGITS_EIGHT && (unsigned)decimals <= 7)
        return put_short(to, n, (unsigned)decimals) + (m.coef < 0);
    whole = digits_of(n) - decimals;
    at = end = to + (whole > 0 ? whole : 1) + (decimals > 0) + decimals;
    for (; decimals > 1; decimals -= 2, n /= 100)
        og_digits_two(at -= 2, n % 100);
    for (; decimals > 0; decimals--, n /= 10)
        *--at = (char)('0' + n % 10);
    if (m.scale > 0)
        *--at = '.';
    for (; n >= 100; n /= 100)
        og_digits_two(at -= 2, n % 100);
    if (n >= 10)
        og_digits_two(at - 2, n);
    else
        *--at = (char)('0' + n);
    return (size_t)(end - to) + (m.coef < 0);
}

struct og_money_text og_money_text(struct og_money m)
{
    struct og_money_text text = { "" };

    if (!og_money_is(m))
        return text;
    text.s[og_money_put(text.s, m)] = '\0';
    return text;
}

OG_HOT struct og_money og_money_from(int64_t whole)
{
    return (struct og_money){ whole, 0 };
}

static OG_COLD int cmp_wide(struct og_money a, struct og_money b)
{
    wide x, y;

    if (align(a, b, &x, &y))
        return (x > y) - (x < y);
    /* 2^63 < 10^19, so of two coefficients that are not 0, the one with fewer decimals has the larger absolute value */
    if (b.coef == 0 || (a.coef != 0 && a.scale < b.scale))
        return (a.coef > 0) - (a.coef < 0);
    return (b.coef < 0) - (b.coef > 0);
}

static OG_COLD bool sum_wide(struct og_money a, struct og_money b, int sign, struct og_money *out)
{
    wide x, y;

    if (align(a, b, &x, &y))
        return normalize(x + sign * y, larger(a, b), out);
    *out = zero;
    return false;
}

static OG_COLD bool product_wide(int64_t a, int64_t b, int scale, struct og_money *out)
{
    return normalize((wide)a * b, scale, out);
}

OG_HOT int og_money_cmp(struct og_money a, struct og_money b)
{
    int64_t x, y;

    return align_small(a, b, &x, &y) ? (x > y) - (x < y) : cmp_wide(a, b);
}

OG_HOT bool og_money_add(struct og_money a, struct og_money b, struct og_money *out)
{
    int64_t x, y, sum;

    if (!out)
        return false;
    if (align_small(a, b, &x, &y) && !__builtin_add_overflow(x, y, &sum))
        return normalize_small(sum, larger(a, b), out);
    return sum_wide(a, b, 1, out);
}

OG_HOT bool og_money_sub(struct og_money a, struct og_money b, struct og_money *out)
{
    int64_t x, y, rest;

    if (!out)
        return false;
    if (align_small(a, b, &x, &y) && !__builtin_sub_overflow(x, y, &rest))
        return normalize_small(rest, larger(a, b), out);
    return sum_wide(a, b, -1, out);
}

OG_HOT bool og_money_gather(struct og_money *sum, struct og_money more)
{
    struct og_money whole;
    int64_t x, y;

    if (align_small(*sum, more, &x, &y) && !__builtin_add_overflow(x, y, &x)) {
        *sum = (struct og_money){ x, larger(*sum, more) };
        return true;
    }
    if (!sum_wide(*sum, more, 1, &whole))
        return false;
    *sum = whole;
    return true;
}

static inline bool product(int64_t a, int64_t b, int scale, struct og_money *out)
{
    int64_t small;

    if (!__builtin_mul_overflow(a, b, &small))
        return normalize_small(small, scale, out);
    return product_wide(a, b, scale, out);
}

OG_HOT bool og_money_times(struct og_money a, int64_t n, struct og_money *out)
{
    return out && product(a.coef, n, a.scale, out);
}

OG_HOT bool og_money_mul(struct og_money a, struct og_money b, struct og_money *out)
{
    int scale;

    if (__builtin_add_overflow(a.scale, b.scale, &scale))
        scale = -1; /* this scale is not valid: it makes the multiplication fail */
    return out && product(a.coef, b.coef, scale, out);
}

OG_HOT bool og_money_share(struct og_money a, int32_t bps, struct og_money *out)
{
    return out && product(a.coef, bps, (int)((unsigned)a.scale + 4), out);
}

OG_HOT int64_t og_money_floor(struct og_money a)
{
    int64_t whole;

    if (a.scale == 0)
        return a.coef;
    if (!og_money_is(a))
        return 0;
    whole = a.coef / power[a.scale];
    return a.coef % power[a.scale] < 0 ? whole - 1 : whole;
}

static OG_COLD bool is_multiple_wide(struct og_money a, struct og_money unit)
{
    wide x, y;

    return align(a, unit, &x, &y) && y > 0 && x % y == 0;
}

OG_HOT bool og_money_is_multiple(struct og_money a, struct og_money unit)
{
    int64_t x, y;

    if (align_small(a, unit, &x, &y))
        return y > 0 && x % y == 0;
    return is_multiple_wide(a, unit);
}
