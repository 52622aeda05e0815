/*
 * The greatest common divisor.
 */
#ifndef OG_BASE_GCD_H
#define OG_BASE_GCD_H

#include <stdint.h>

/* Of numbers not below 0; of 0 and x: x. */
static inline int64_t og_gcd(int64_t a, int64_t b)
{
    if (a == 1) /* mostly: 64-bit division is slow */
        return 1;
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

#endif
