/*
 * The service's clock and its timers: real, standing still until stepped, or running from an instant at a speed.
 * Timers fire in the order of their instants, ties in the order they were set, and while one fires the clock
 * shows exactly its instant: so the same calls give the same stamps.
 */
#ifndef OG_PAPER_CLOCK_H
#define OG_PAPER_CLOCK_H

#include "base/str.h"
#include "ordergate/time.h"

struct og_paper_timer {
    void (*fire)(void *with);
    void *with;
    int64_t due;
    uint64_t order;
    size_t place; /* in the heap, from 1; 0 when it is not set */
};

enum og_paper_clock_mode { OG_CLOCK_REAL, OG_CLOCK_STILL, OG_CLOCK_RUNNING };

struct og_paper_clock {
    enum og_paper_clock_mode mode;
    int64_t from, started; /* service time at the start, monotonic time at the start */
    int64_t speed;         /* thousandths of real time */
    bool held;             /* one that runs shows from until it begins */
    int64_t last;          /* never shown backwards */
    bool firing;           /* last is the instant of the timer that fires */
    uint64_t orders;
    struct og_paper_timer **heap;
    size_t count, cap;
};

/* "real", "2026-01-15T15:00:00Z", "...@SPEED" (1, 100, 0.5); false: neither.  It is held at that instant. */
bool og_paper_clock_read(struct og_paper_clock *clock, struct og_str text);
/* Let it run.  What is set up before comes at the same instant however long setting up takes. */
void og_paper_clock_begin(struct og_paper_clock *clock);
void og_paper_clock_clear(struct og_paper_clock *clock);

int64_t og_paper_clock_now(struct og_paper_clock *clock);
/* Set or move a timer; an instant already past fires at the next run.  false: out of memory. */
bool og_paper_clock_set(struct og_paper_clock *clock, struct og_paper_timer *timer, int64_t due);
void og_paper_clock_unset(struct og_paper_clock *clock, struct og_paper_timer *timer);

/* Fire what is due. */
void og_paper_clock_run(struct og_paper_clock *clock);
/* Go to an instant, firing what is due on the way; the mode stays.  false: it lies behind what was shown last. */
bool og_paper_clock_step(struct og_paper_clock *clock, int64_t to);
/* Go over to the machine's clock; false: that would be backwards. */
bool og_paper_clock_go_real(struct og_paper_clock *clock);
/* Real microseconds until the next timer, -1 when there is none or the clock stands still. */
int64_t og_paper_clock_wait_us(struct og_paper_clock *clock);

#endif
