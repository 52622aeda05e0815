/*
 * Exact decimal money: a coefficient, a number of decimals, and checked arithmetic.
 * Nothing is rounded or passes through floating point; an operation whose exact result does not fit returns false.
 * Threads: any; no function here has state.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_MONEY_H
#define ORDERGATE_MONEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* coef x 10^-scale.  Normal form: scale 0..18, no trailing zero in coef while scale > 0, zero is
 * {0, 0}.  So scale is the number of decimals that the value needs (1.500 needs one), equal values are
 * equal structs, and every decimal of up to 18 significant digits and 18 decimals is exact.
 * A struct with a scale outside 0..18 is not valid: its text is "", its floor 0, sums and products of it are exact or
 * return false, og_money_cmp() compares it as coef x 10^-scale, and functions with a status return OG_EINVAL. */
struct og_money {
    int64_t coef;
    int32_t scale;
};

struct og_money_text {
    char s[24]; /* the longest text is "-0.000000000000000001" */
};

/* Read a JSON number (RFC 8259 grammar, all of len bytes): 1.00005, 1e2, -0.5.  *m is its exact value in normal form.
 * Returns false, with *m 0, if it is not a JSON number or has no exact og_money (too many digits, too large). */
OG_API OG_MUST_USE bool og_money_read(const char *text, size_t len, struct og_money *m);

/* Returns the shortest exact decimal text, without exponent: "1.00005", "-0.5", "100". */
OG_API struct og_money_text og_money_text(struct og_money m);

OG_API struct og_money og_money_from(int64_t whole);

/* Returns -1, 0 or 1 for a below, equal to or above b; exact for every pair. */
OG_API int og_money_cmp(struct og_money a, struct og_money b);

/* Compute an exact sum, difference or product. Return false, with *out 0, if the exact result has no og_money. */
OG_API OG_MUST_USE bool og_money_add(struct og_money a, struct og_money b, struct og_money *out);
OG_API OG_MUST_USE bool og_money_sub(struct og_money a, struct og_money b, struct og_money *out);
OG_API OG_MUST_USE bool og_money_times(struct og_money a, int64_t n, struct og_money *out);
OG_API OG_MUST_USE bool og_money_mul(struct og_money a, struct og_money b, struct og_money *out);

/* Set *out to bps / 10,000 of a; bps may be negative.  Returns false, with *out 0, if the exact result has no
 * og_money. */
OG_API OG_MUST_USE bool og_money_share(struct og_money a, int32_t bps, struct og_money *out);

/* Returns the largest integer that is not above a, which rounds towards minus infinity. */
OG_API int64_t og_money_floor(struct og_money a);

/* Returns true if a is a multiple of unit, which must be above 0: og_money_is_multiple(1.005, 0.01) is false. */
OG_API bool og_money_is_multiple(struct og_money a, struct og_money unit);

#ifdef __cplusplus
}
#endif
#endif
