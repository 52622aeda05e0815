/*
 * Token buckets, one an endpoint: how often the service lets itself be asked (service.md "Rate limits").
 * It refuses floating point and clocks: the caller brings monotonic milliseconds.
 */
#ifndef OG_BROKER_BUDGET_H
#define OG_BROKER_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct og_bucket {
    int64_t rate;   /* requests a second, in thousandths; 0: no limit */
    int64_t burst;  /* in thousandths */
    int64_t tokens; /* in thousandths of a request times thousand, so that a millisecond of any rate is exact */
    int64_t at_ms;
};

/* rate and burst in thousandths of a request, as the service counts them; a little less is used, since requests that
 * leave evenly do not arrive evenly.  rate 0: no limit. */
void og_bucket_init(struct og_bucket *b, int64_t rate, int64_t burst, int64_t now_ms);

/* Take a request's worth; false: none left. */
bool og_bucket_take(struct og_bucket *b, int64_t now_ms);

/* Milliseconds until one can be taken; 0: now. */
int64_t og_bucket_wait(struct og_bucket *b, int64_t now_ms);

/* The service said 429: whatever we counted, it is empty. */
void og_bucket_empty(struct og_bucket *b, int64_t now_ms);

/* How long to wait after the n-th 429 in a row (from 1): 1-2 s, then 2, 4, 8 .. 60 s; random is any number. */
int64_t og_backoff_ms(int n, uint32_t random);

#endif
