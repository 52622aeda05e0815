/*
 * Decimals of the paper brokerage, rounded and saturating: a result out of range becomes the largest value instead of
 * wrapping around, so that every limit rejects it.
 */
#include "paper/decimal.h"

__extension__ typedef __int128 wide; /* holds the product of two 64-bit numbers */

static int64_t narrow(wide v)
{
    return v > INT64_MAX ? INT64_MAX : v < -INT64_MAX ? -INT64_MAX : (int64_t)v;
}

static int64_t quotient(wide a, wide b)
{
    wide half = (b < 0 ? -b : b) / 2;

    return narrow((a < 0) == (b < 0) ? (a + (a < 0 ? -half : half)) / b : (a - (a < 0 ? half : -half)) / b);
}

int64_t og_dec_add(int64_t a, int64_t b)
{
    return narrow((wide)a + b);
}

int64_t og_dec_times(int64_t a, int64_t b)
{
    return quotient((wide)a * b, OG_DEC_ONE);
}

int64_t og_dec_scale(int64_t a, int64_t n)
{
    return narrow((wide)a * n);
}

int64_t og_dec_share(int64_t a, int64_t part, int64_t whole)
{
    return whole ? quotient((wide)a * part, whole) : 0;
}

int64_t og_dec_divide(int64_t a, int64_t b)
{
    return og_dec_share(a, OG_DEC_ONE, b);
}

int64_t og_dec_round(int64_t a, int64_t unit)
{
    return og_dec_scale(quotient(a, unit), unit);
}

struct og_money og_dec_money(int64_t a)
{
    struct og_money m = { a, 6 };

    while (m.scale > 0 && m.coef % 10 == 0) {
        m.coef /= 10;
        m.scale--;
    }
    return m;
}

bool og_dec_from(struct og_money m, int64_t *out)
{
    wide v = m.coef;
    int scale;

    *out = 0;
    for (scale = m.scale; scale < 6; scale++)
        v *= 10;
    for (; scale > 7; scale--)
        v /= 10;
    if (scale == 7)
        v = quotient(v, 10);
    if (v > INT64_MAX || v < -INT64_MAX)
        return false;
    *out = (int64_t)v;
    return true;
}
