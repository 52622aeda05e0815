/*
 * Digits in pairs, for numbers and instants in text: half the divisions.
 */
#ifndef OG_BASE_DIGITS_H
#define OG_BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

extern const char og_digit_pairs[200]; /* "000102...99" */

/* 0 .. 99 in two digits; the end. */
static inline char *og_digits_two(char *to, uint64_t n)
{
    memcpy(to, og_digit_pairs + 2 * n, 2);
    return to + 2;
}

#endif
