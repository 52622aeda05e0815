/*
 * The service's clock and its timers. The clock is the machine's, or stands still until it is stepped, or runs from an
 * instant at a given speed. Timers fire in the sequence of their instants; of two timers with the same instant, the one
 * that was set first fires first. While a timer fires, the clock shows exactly its instant, so that the same calls
 * always produce the same timestamps.
 */
#pragma once

#include "base/str.h"
#include "ordergate/time.h"

struct og_paper_timer {
    void (*fire)(void *with);
    void *with;
    int64_t due;
    uint64_t order;
    size_t place; /* index in the heap, from 1; 0 if the timer is not set */
};

enum og_paper_clock_mode { OG_CLOCK_REAL, OG_CLOCK_STILL, OG_CLOCK_RUNNING };

struct og_paper_clock {
    enum og_paper_clock_mode mode;
    int64_t from, started; /* service time and monotonic time when the clock began to run */
    int64_t speed;         /* for OG_CLOCK_RUNNING: speed in thousandths of real time */
    bool held;             /* a running clock stands still at `from` until og_paper_clock_begin() is called */
    int64_t last;          /* the latest time shown; the clock never shows an earlier one */
    bool firing;           /* a timer is firing, and `last` is its instant */
    uint64_t orders;
    struct og_paper_timer **heap;
    size_t count, cap;
};

/* Read "real", "2026-01-15T15:00:00Z" or "...@SPEED" (1, 100, 0.5). The clock stands still until og_paper_clock_begin()
 * is called. Returns false for any other text. */
bool og_paper_clock_read(struct og_paper_clock *clock, struct og_str text);
/* Let the clock run. Everything that is set up before this call has the same time, however long the set-up takes. */
void og_paper_clock_begin(struct og_paper_clock *clock);
void og_paper_clock_clear(struct og_paper_clock *clock);

int64_t og_paper_clock_now(struct og_paper_clock *clock);
/* Set or move a timer. A timer whose instant has passed fires at the next og_paper_clock_run(). Returns false if memory
 * ran out. */
bool og_paper_clock_set(struct og_paper_clock *clock, struct og_paper_timer *timer, int64_t due);
/* Returns false if the timer was not set. */
bool og_paper_clock_unset(struct og_paper_clock *clock, struct og_paper_timer *timer);

/* Fire all timers whose instant has come. */
void og_paper_clock_run(struct og_paper_clock *clock);
/* Set the clock to an instant; timers that become due fire.  Returns false if the instant is before the latest time
 * shown. */
bool og_paper_clock_step(struct og_paper_clock *clock, int64_t to);
/* Switch to the machine's clock.  Returns false if the time would go backwards. */
bool og_paper_clock_go_real(struct og_paper_clock *clock);
/* Read a speed, as a multiple of real time from 0.001 to 10000, or 0: in thousandths. Returns false for any other
 * text. */
bool og_paper_clock_speed_read(struct og_str text, int64_t *speed);
/* Let the clock run on from the present time at this speed, in thousandths; 0: let it stand still. */
void og_paper_clock_set_speed(struct og_paper_clock *clock, int64_t speed);
/* Returns the real microseconds until the next timer is due; -1 if no timer is set or the clock stands still. */
int64_t og_paper_clock_wait_us(struct og_paper_clock *clock);
