/*
 * The clock the sender decides by: the machine's, or the broker's as its answers tell it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct og_clock {
    bool of_broker;
    bool heard;
    int64_t told_ns;  /* the Date of the newest answer */
    uint64_t told_at; /* og_time_up() when it came */
    int64_t last_ns;  /* what was told last */
};

void og_clock_init(struct og_clock *c, bool of_broker);
/* An answer carried this Date (OG_TIME_UNKNOWN: none) and came at this og_time_up(). */
void og_clock_hear(struct og_clock *c, int64_t date_ns, uint64_t at);
/* Returns true if it is the one that goes on: false until the first Date where that is to decide. */
bool og_clock_is_set(const struct og_clock *c);
int64_t og_clock_now(struct og_clock *c); /* later than what it told before */
/* How far the clock may be behind the true time, in ns: by the broker's Date, which has whole seconds, a second; by the
 * machine's, 100 ms, within which machines that are set by NTP agree. */
int64_t og_clock_behind(const struct og_clock *c);
/* The time when og_time_up() was `at`. */
int64_t og_clock_at(struct og_clock *c, uint64_t at);
/* The same by the newest Date alone.  The two differ after an earlier Date that was too late: og_clock_now() does not
 * go back, although that time has not come at the broker. */
int64_t og_clock_dated(struct og_clock *c, uint64_t at);
