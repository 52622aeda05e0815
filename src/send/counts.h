/*
 * What a run has done so far, in numbers: `ordergate status` and the console show them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct og_decision;
struct og_sender;

/* Upper bounds of the buckets of a histogram, in microseconds; one more bucket counts what is above the last bound. */
#define OG_HISTOGRAM_BOUNDS                                                                                      \
    {                                                                                                            \
        100, 250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000, 250000, 500000, 1000000, 2500000, 5000000, \
            10000000                                                                                             \
    }
#define OG_HISTOGRAM_BUCKETS 17
/* maximum number of rules that are counted singly; further ones are counted together as "other" */
#define OG_COUNTED_RULES    96
#define OG_COUNTED_OUTCOMES 16

struct og_histogram {
    int64_t bucket[OG_HISTOGRAM_BUCKETS];
    int64_t sum_us;
};

struct og_counts {
    int64_t accepted, refused; /* number of decisions */
    struct {
        char rule[64];
        int64_t count;
    } refusal[OG_COUNTED_RULES + 1];
    int refusals;
    struct {
        char name[24];
        int64_t count;
    } outcome[OG_COUNTED_OUTCOMES];
    int outcomes;
    int64_t reloads, reloads_rejected;
    bool reload_failed; /* the policy that was read last was rejected */
    struct og_histogram commit, post;
};

/* Count a decision, and each rule that refuses the order. */
void og_send_count_decision(struct og_sender *s, const struct og_decision *d);
/* count an outcome reported by an event "outcome" */
void og_send_count_outcome(struct og_sender *s, const char *outcome);
void og_send_count_reload(struct og_sender *s, bool taken);
void og_send_count_same_policy(struct og_sender *s); /* count a reload that read the policy in force again */
void og_send_count_commit(struct og_sender *s, uint64_t ns);
void og_send_count_post(struct og_sender *s, uint64_t ns); /* ns: from the request's first byte to its answer or end */
/* Write the counts as the member "counts". */
void og_send_write_counts(const struct og_sender *s, struct og_buf *b);
