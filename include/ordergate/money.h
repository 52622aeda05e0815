/*
 * Exact decimal money: a coefficient and a number of decimals, checked arithmetic.
 * It refuses to round and to be a double; an operation whose exact result does not fit answers false.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_MONEY_H
#define ORDERGATE_MONEY_H

#include "ordergate/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* coef x 10^-scale.  Normal form: scale 0..18, no trailing zero in coef while scale > 0, zero is
 * {0, 0}; so scale is the number of decimals the value really has (1.500 has one), equal values are
 * equal structs, and every decimal of up to 18 significant digits and 18 decimals is exact.
 * With a scale outside 0..18 it is no og_money: its text is "", its floor 0, sums and products of it are exact or
 * answer false, og_money_cmp() takes it for coef x 10^-scale, and functions with a status answer OG_EINVAL. */
struct og_money {
    int64_t coef;
    int32_t scale;
};

struct og_money_text {
    char s[24]; /* "-0.000000000000000001" is the longest */
};

/* Read a JSON number (RFC 8259 grammar, all of len bytes): 1.00005, 1e2, -0.5.
 *   true   *m is its exact value in normal form
 *   false  not a JSON number, or it has no exact og_money (too many digits, too large); *m is 0 */
OG_API OG_MUST_USE bool og_money_read(const char *text, size_t len, struct og_money *m);

/* Plain digits, shortest exact spelling, no exponent, NUL-terminated: "1.00005", "-0.5", "100". */
OG_API struct og_money_text og_money_text(struct og_money m);

OG_API struct og_money og_money_from(int64_t whole);

/* -1, 0, 1; exact for every pair. */
OG_API int og_money_cmp(struct og_money a, struct og_money b);

/* Exact sums and products.  false: the exact result has no og_money; *out is 0. */
OG_API OG_MUST_USE bool og_money_add(struct og_money a, struct og_money b, struct og_money *out);
OG_API OG_MUST_USE bool og_money_sub(struct og_money a, struct og_money b, struct og_money *out);
OG_API OG_MUST_USE bool og_money_times(struct og_money a, int64_t n, struct og_money *out);
OG_API OG_MUST_USE bool og_money_mul(struct og_money a, struct og_money b, struct og_money *out);

/* bps / 10,000 of a (bps may be any sign). */
OG_API OG_MUST_USE bool og_money_share(struct og_money a, int32_t bps, struct og_money *out);

/* The largest integer not above a (towards minus infinity). */
OG_API int64_t og_money_floor(struct og_money a);

/* True when a is a multiple of unit (unit > 0): og_money_is_multiple(1.005, 0.01) is false. */
OG_API bool og_money_is_multiple(struct og_money a, struct og_money unit);

#ifdef __cplusplus
}
#endif
#endif
