/*
 * Fast conversion of digits: writes two at a time, which halves the divisions, and reads eight at once.
 */
#pragma once

#include <stdint.h>
#include <string.h>

extern const char og_digit_pairs[200]; /* "000102...99" */

/* Write 0 to 99 in two digits.  Returns the end. */
static inline char *og_digits_two(char *to, uint64_t n)
{
    memcpy(to, og_digit_pairs + 2 * n, 2);
    return to + 2;
}

#define OG_DIGITS_MOST 20 /* of 64 bits */

/* Write a whole number, in place from the last digit to the first.  Returns the end. */
static inline char *og_digits_put(char *to, uint64_t n)
{
    char *at, *end = to + 1;

    for (uint64_t power = 10; n >= power && end < to + OG_DIGITS_MOST; power *= 10)
        end++;
    at = end;
    for (; n >= 100; n /= 100)
        og_digits_two(at -= 2, n % 100);
    if (n >= 10)
        og_digits_two(at - 2, n);
    else
        *--at = (char)('0' + n);
    return end;
}

/* Read eight bytes as a little-endian number. */
static inline uint64_t og_digits_eight(const char *s)
{
    uint64_t v;

    memcpy(&v, s, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* The number that eight digits spell, given as bytes from 0 to 9 with the first digit lowest: neighbouring digits are
 * combined to pairs, pairs to groups of four, and those to the number. */
static inline uint32_t og_digits_number(uint64_t v)
{
    v = v * (1 + (UINT64_C(10) << 8)) >> 8;
    v = (v & UINT64_C(0x00FF00FF00FF00FF)) * (1 + (UINT64_C(100) << 16)) >> 16;
    return (uint32_t)((v & UINT64_C(0x0000FFFF0000FFFF)) * (1 + (UINT64_C(10000) << 32)) >> 32);
}
