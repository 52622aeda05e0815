/*
 * The brokerage's own arithmetic: signed millionths in 64 bits, saturating at the ends of the range. A broker must
 * round averages and fees, while og_money never rounds; here a half is rounded away from zero.
 */
#pragma once

#include "ordergate/money.h"

#define OG_DEC_ONE    INT64_C(1000000)
#define OG_DEC(whole) ((int64_t)(whole)*OG_DEC_ONE)
#define OG_DEC_CENT   INT64_C(10000)
#define OG_DEC_TICK   INT64_C(100) /* 0.0001, the smallest price increment */

int64_t og_dec_add(int64_t a, int64_t b);
int64_t og_dec_times(int64_t a, int64_t b);                   /* both in millionths */
int64_t og_dec_scale(int64_t a, int64_t n);                   /* n is a plain number, not millionths */
int64_t og_dec_share(int64_t a, int64_t part, int64_t whole); /* returns a x part / whole; 0 if whole is 0 */
int64_t og_dec_divide(int64_t a, int64_t b);                  /* returns a / b; 0 if b is 0 */
int64_t og_dec_round(int64_t a, int64_t unit);

struct og_money og_dec_money(int64_t a);
/* Round to the nearest millionth.  Returns false if the result does not fit. */
bool og_dec_from(struct og_money m, int64_t *out);
