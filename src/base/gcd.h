/*
 * The greatest common divisor.
 */
#pragma once

#include <stdint.h>

/* Returns the greatest common divisor of a and b, which are not negative; og_gcd(0, x) is x. */
static inline int64_t og_gcd(int64_t a, int64_t b)
{
    if (a == 1) /* the usual case: it needs no slow 64-bit division */
        return 1;
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}
