/*
 * The clock by which the sender decides: the machine's clock, or the broker's clock as the Dates of the broker's
 * answers tell it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct og_clock {
    bool of_broker;
    bool heard;
    int64_t date_ns;  /* the Date of the newest answer */
    int64_t told_ns;  /* the Date that the clock follows */
    uint64_t told_at; /* og_time_up() when the answer with told_ns came */
    /* how far the broker's clock was ahead of the machine's when that answer came, in ns; negative if it was behind. Of
     * all amounts that agree with the Date, the one nearest to 0 */
    int64_t ahead_ns;
    int64_t last_ns; /* newest value that og_clock_now() returned */
};

void og_clock_init(struct og_clock *c, bool of_broker);
/* Take in the Date of an answer. asked_at and at are og_time_up() when its request began and when it came. With
 * OG_TIME_UNKNOWN the answer has no Date, and nothing changes. */
void og_clock_hear(struct og_clock *c, int64_t date_ns, uint64_t asked_at, uint64_t at);
/* Returns true if the source of the clock's time will not change any more; false while the clock is to follow the
 * broker's Dates, and no Date has come yet. */
bool og_clock_is_set(const struct og_clock *c);
/* Returns the present time. It is later than at the call before, except when the first Date replaces the machine's
 * time, and after the machine's clock was set back by 2 s or more. */
int64_t og_clock_now(struct og_clock *c);
/* Returns by how many ns the clock may be behind the true time: 1 s if it goes by the broker's Date, which has whole
 * seconds; 100 ms if it goes by the machine's clock, within which machines set by NTP agree. */
int64_t og_clock_behind(const struct og_clock *c);
/* Returns the clock's time of the moment at which og_time_up() was `at`. */
int64_t og_clock_at(struct og_clock *c, uint64_t at);
/* Returns the newest Date; OG_TIME_UNKNOWN if no answer had one. */
int64_t og_clock_date(const struct og_clock *c);
