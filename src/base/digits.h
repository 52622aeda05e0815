/*
 * Fast conversion of digits: writes two at a time, which halves the divisions, or eight at once, and reads eight at
 * once.
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

/* Returns the value of a hex digit, small or capital; -1 if the character is not one. */
static inline int og_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#define OG_DIGITS_MOST 20 /* maximum number of digits of a number of 64 bits */

/* Returns the eight digits of a number below 100,000,000 as bytes from 0 to 9, the first digit in the lowest byte. All
 * are computed at once, the reverse of og_digits_number(): two groups of four, four pairs, eight digits. */
static inline uint64_t og_digits_of(uint64_t n)
{
    uint64_t v = n / 10000 | n % 10000 << 32;

    v = (v * 5243 >> 19 & UINT64_C(0x0000007F0000007F)) * (1 - (UINT64_C(100) << 16)) + (v << 16);
    return (v * 103 >> 10 & UINT64_C(0x000F000F000F000F)) * (1 - (UINT64_C(10) << 8)) + (v << 8);
}
#define OG_DIGITS_EIGHT UINT64_C(100000000) /* the first number with more than eight digits */

/* Returns the number of leading zeros among eight digits; 7 for the number 0, which keeps its last digit. */
static inline unsigned og_digits_zeros(uint64_t digits)
{
    return (unsigned)__builtin_ctzll(digits | UINT64_C(1) << 56) / 8;
}

/* Write the eight digits without the first `from`.  Always writes eight bytes, of which the last `from` are
 * meaningless. */
static inline void og_digits_write(char *to, uint64_t digits, unsigned from)
{
    uint64_t v = (digits | UINT64_C(0x3030303030303030)) >> 8 * from;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(to, &v, sizeof v);
}

/* Write a number; `to` must have room for OG_DIGITS_MOST bytes. A long number is written in place, from its last digit
 * to its first. Returns the end. */
static inline char *og_digits_put(char *to, uint64_t n)
{
    char *at, *end = to + 1;

    if (n < OG_DIGITS_EIGHT) {
        const uint64_t digits = og_digits_of(n);
        const unsigned zeros = og_digits_zeros(digits);

        og_digits_write(to, digits, zeros);
        return to + 8 - zeros;
    }
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

/* Returns the number that eight digits spell, given as bytes from 0 to 9 with the first digit lowest: neighbouring
 * digits are combined to pairs, pairs to groups of four, and these to the number. */
static inline uint32_t og_digits_number(uint64_t v)
{
    v = v * (1 + (UINT64_C(10) << 8)) >> 8;
    v = (v & UINT64_C(0x00FF00FF00FF00FF)) * (1 + (UINT64_C(100) << 16)) >> 16;
    return (uint32_t)((v & UINT64_C(0x0000FFFF0000FFFF)) * (1 + (UINT64_C(10000) << 32)) >> 32);
}
