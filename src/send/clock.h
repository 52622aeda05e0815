/*
 * The clock the sender decides by: the machine's, or the broker's as its answers tell it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct og_clock {
    bool of_broker;
    bool heard;
    int64_t told_ns;            /* the Date of the newest answer */
    uint64_t asked_at, told_at; /* og_time_up() when its request began, and when it came */
    int64_t last_ns;            /* what was told last */
};

void og_clock_init(struct og_clock *c, bool of_broker);
/* An answer carried this Date (OG_TIME_UNKNOWN: none); its request began, and it came, at these og_time_up(). */
void og_clock_hear(struct og_clock *c, int64_t date_ns, uint64_t asked_at, uint64_t at);
/* Returns true if it is the one that goes on: false until the first Date where that is to decide. */
bool og_clock_is_set(const struct og_clock *c);
int64_t og_clock_now(struct og_clock *c); /* later than what it told before */
/* How far the clock may be behind the true time, in ns: by the broker's Date, which has whole seconds, a second; by the
 * machine's, 100 ms, within which machines that are set by NTP agree. */
int64_t og_clock_behind(const struct og_clock *c);
/* The time when og_time_up() was `at`. */
int64_t og_clock_at(struct og_clock *c, uint64_t at);
/* The earliest and the latest that it can have been at the broker when og_time_up() was `at`, by the newest Date, which
 * has whole seconds and was written between request and answer; whatever the clock is.  Returns false if no answer had
 * a Date.  og_clock_now() may be later: it does not go back after an earlier Date that was too late. */
bool og_clock_by_date(const struct og_clock *c, uint64_t at, int64_t *earliest, int64_t *latest);
