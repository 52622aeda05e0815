/*
 * Request budgets: token buckets, one an endpoint and key pair, shared by all processes of the user
 * (service.md "Rate limits": all calls on one key pair draw from the same buckets).
 * They lie in a file of the state folder, locked for the instants of a look; without that file a process counts alone.
 * It refuses to wait: the caller is told how long.
 */
#ifndef OG_BROKER_BUDGET_H
#define OG_BROKER_BUDGET_H

#include "broker/settings.h"

#include <stdbool.h>
#include <stdint.h>

/* What one endpoint lets through.  All that changes is one instant: when the bucket is full again. */
struct og_bucket {
    int64_t period_ns; /* a request's worth of time; 0: no limit */
    int64_t room_ns;   /* a request may go while the bucket is full again within this */
    int64_t kept_ns;   /* of which this is for urgent requests alone */
};

/* rate and burst in thousandths of a request, as the service counts them; a little less is used, since requests that
 * leave evenly do not arrive evenly.  rate 0: no limit.  keep: a part is for urgent requests. */
void og_bucket_init(struct og_bucket *b, int64_t rate, int64_t burst, bool keep);
/* Nanoseconds until a request may go; 0: now. */
int64_t og_bucket_wait(const struct og_bucket *b, int64_t full_at, int64_t now, bool urgent);
/* When it is full again after a request has gone. */
int64_t og_bucket_after(const struct og_bucket *b, int64_t full_at, int64_t now);
/* When it is full again if nothing may go for that long: the service said 429, whatever we counted. */
int64_t og_bucket_emptied(const struct og_bucket *b, int64_t full_at, int64_t now, int64_t pause_ns);

struct og_budget;

/* The budgets of these settings' address and key.  One that cannot be shared (no state folder, a file of somebody
 * else) is this process's own, and the log says why.  NULL: out of memory. */
struct og_budget *og_budget_open(const struct og_settings *settings);
void og_budget_close(struct og_budget *b); /* NULL is allowed */

/* Take a request's worth; 0: taken, else the milliseconds after which to ask again. */
int64_t og_budget_take(struct og_budget *b, enum og_endpoint call, bool urgent);
/* Milliseconds until one could be taken; 0: now. */
int64_t og_budget_wait(struct og_budget *b, enum og_endpoint call);
/* The service said 429: nobody's request goes before pause_ms have passed. */
void og_budget_empty(struct og_budget *b, enum og_endpoint call, int64_t pause_ms);

/* How long to wait after the n-th 429 in a row (from 1): 1-2 s, then 2, 4, 8 .. 60 s; random is any number. */
int64_t og_backoff_ms(int n, uint32_t random);

#endif
