/*
 * Values that a policy names, of whatever kind they look like: what probes are made of.
 */
#ifndef OG_DIFF_POOL_H
#define OG_DIFF_POOL_H

#include "base/arena.h"
#include "base/str.h"
#include "ordergate/money.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OG_POOL_MOST 48 /* of a kind */

struct og_pool {
    struct og_money number[OG_POOL_MOST];
    int32_t share[OG_POOL_MOST];   /* basis points */
    int64_t time[OG_POOL_MOST];    /* durations, ns */
    int64_t instant[OG_POOL_MOST]; /* ns */
    int64_t clock[OG_POOL_MOST];   /* ns of the day, in New York */
    int date[OG_POOL_MOST];        /* yyyymmdd */
    struct og_str word[OG_POOL_MOST];
    size_t numbers, shares, times, instants, clocks, dates, words;
    size_t first_numbers, first_shares, first_times, first_words; /* so many are of settings that differ */
};

/* Take what text holds and other does not (s NULL: all of it).  Texts must live as long as the pool. */
void og_pool_take(struct og_pool *pool, struct og_str text, struct og_str other);
/* What was taken so far is of settings that differ. */
void og_pool_mark(struct og_pool *pool);
/* What lies between two values of one setting. */
void og_pool_between(struct og_pool *pool, struct og_str a, struct og_str b);

#endif
