/*
 * Request budgets: token buckets, one for each endpoint and key pair, shared by all processes of the user (the service
 * counts all requests of a key pair together). The buckets are kept in a file of the state directory, which is locked
 * only while it is read or updated; without the file each process counts its own requests. No function here waits;
 * functions return how long to wait.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "broker/settings.h"

/* The bucket of one endpoint. Its state is a single instant, full_at: when the bucket will be full again. */
struct og_bucket {
    int64_t period_ns; /* minimum average time between two requests; 0 means no limit */
    int64_t room_ns;   /* a request may be sent if the bucket needs at most this long until it is full again */
    int64_t kept_ns;   /* the part of room_ns that only urgent requests may use */
};

/* Set the bucket. rate and burst are in thousandths of a request, as the service counts them; the bucket allows
 * slightly less, since requests sent at even intervals do not arrive at even intervals. rate 0 means no limit. keep:
 * reserve a part for urgent requests. */
void og_bucket_init(struct og_bucket *b, int64_t rate, int64_t burst, bool keep);
/* Returns the nanoseconds until a request may be sent; 0 means now. */
int64_t og_bucket_wait(const struct og_bucket *b, int64_t full_at, int64_t now, bool urgent);
/* Returns the new full_at after a request was sent. */
int64_t og_bucket_after(const struct og_bucket *b, int64_t full_at, int64_t now);
/* Returns the new full_at after a 429: nothing may be sent for pause_ns, whatever was counted before. */
int64_t og_bucket_emptied(const struct og_bucket *b, int64_t full_at, int64_t now, int64_t pause_ns);

struct og_budget;

/* Open the budgets for the address and key of these settings.  If they cannot be shared (no state directory, a file of
 * another user), this process counts its own requests only, and logs why.  Returns NULL if out of memory. */
struct og_budget *og_budget_open(const struct og_settings *settings);
void og_budget_close(struct og_budget *b); /* NULL is allowed */

/* Take the cost of one request from the budget. Returns 0 if the request may be sent now; otherwise, after how many
 * milliseconds to try again. */
int64_t og_budget_take(struct og_budget *b, enum og_endpoint call, bool urgent);
/* Returns after how many milliseconds a request may be sent; 0 means now. */
int64_t og_budget_wait(struct og_budget *b, enum og_endpoint call);
/* Record a 429: no process sends a request to the endpoint before pause_ms have passed. */
void og_budget_empty(struct og_budget *b, enum og_endpoint call, int64_t pause_ms);

/* Returns how long to wait after the n-th 429 in a row (from 1), in ms: 1-2 s after the first, then 2, 4, 8 .. 60 s.
 * random: any random number. */
int64_t og_backoff_ms(int n, uint32_t random);
