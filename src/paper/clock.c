/*
 * The clock of the service, and its heap of timers.  The service's clock never goes backwards, even if the machine's
 * clock does.
 */
#include "paper/clock.h"

#include <stdlib.h>
#include <time.h>

#include "base/grow.h"
#include "ordergate/money.h"

static int64_t monotonic(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * OG_NS_PER_S + t.tv_nsec;
}

/* Convert elapsed real time to service time. Does not overflow within days, even at the maximum speed. */
static int64_t to_service_time(int64_t real_ns, int64_t speed)
{
    return real_ns / 1000 * speed + real_ns % 1000 * speed / 1000;
}

static void restart(struct og_paper_clock *clock, enum og_paper_clock_mode mode, int64_t from)
{
    clock->mode = mode;
    clock->from = clock->last = from;
    clock->started = monotonic();
}

void og_paper_clock_begin(struct og_paper_clock *clock)
{
    clock->held = false;
    clock->started = monotonic();
}

bool og_paper_clock_speed_read(struct og_str text, int64_t *speed)
{
    struct og_money m, thousandths;

    if (!og_money_read(text.s, text.len, &m) || !og_money_times(m, 1000, &thousandths))
        return false;
    *speed = og_money_floor(thousandths);
    return (*speed > 0 || m.coef == 0) && *speed <= 10000 * 1000;
}

bool og_paper_clock_read(struct og_paper_clock *clock, struct og_str text)
{
    const char *at = text.len ? memchr(text.s, '@', text.len) : NULL;
    size_t len = at ? (size_t)(at - text.s) : text.len;
    int64_t ns;

    *clock = (struct og_paper_clock){ .speed = 1000, .held = true };
    if (og_str_is(text, "real")) {
        restart(clock, OG_CLOCK_REAL, og_time_now());
        return true;
    }
    if (!og_time_read(text.s, len, &ns))
        return false;
    if (at &&
        (!og_paper_clock_speed_read((struct og_str){ at + 1, text.len - len - 1 }, &clock->speed) || clock->speed == 0))
        return false;
    restart(clock, at ? OG_CLOCK_RUNNING : OG_CLOCK_STILL, ns);
    return true;
}

void og_paper_clock_clear(struct og_paper_clock *clock)
{
    free(clock->heap);
    clock->heap = NULL;
    clock->count = clock->cap = 0;
}

/* Returns the present time without recording it as the latest time shown. */
static int64_t present_time(const struct og_paper_clock *clock)
{
    int64_t now = clock->last;

    if (clock->mode == OG_CLOCK_REAL)
        now = og_time_now();
    else if (clock->mode == OG_CLOCK_RUNNING && !clock->held)
        now = clock->from + to_service_time(monotonic() - clock->started, clock->speed);
    return now > clock->last ? now : clock->last;
}

int64_t og_paper_clock_now(struct og_paper_clock *clock)
{
    if (!clock->firing)
        clock->last = present_time(clock);
    return clock->last;
}

static bool fires_before(const struct og_paper_timer *a, const struct og_paper_timer *b)
{
    return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static void heap_put(struct og_paper_clock *clock, struct og_paper_timer *timer, size_t place)
{
    clock->heap[place - 1] = timer;
    timer->place = place;
}

static void heap_sift(struct og_paper_clock *clock, struct og_paper_timer *timer, size_t place)
{
    size_t child;

    while (place > 1 && fires_before(timer, clock->heap[place / 2 - 1])) {
        heap_put(clock, clock->heap[place / 2 - 1], place);
        place /= 2;
    }
    for (child = place * 2; child <= clock->count; child = place * 2) {
        if (child < clock->count && fires_before(clock->heap[child], clock->heap[child - 1]))
            child++;
        if (!fires_before(clock->heap[child - 1], timer))
            break;
        heap_put(clock, clock->heap[child - 1], place);
        place = child;
    }
    heap_put(clock, timer, place);
}

bool og_paper_clock_set(struct og_paper_clock *clock, struct og_paper_timer *timer, int64_t due)
{
    og_paper_clock_unset(clock, timer);
    if (!OG_GROW(clock->heap, clock->count, clock->cap, 64))
        return false;
    timer->due = due;
    timer->order = ++clock->orders;
    clock->count++;
    heap_sift(clock, timer, clock->count);
    return true;
}

bool og_paper_clock_unset(struct og_paper_clock *clock, struct og_paper_timer *timer)
{
    struct og_paper_timer *moved;
    size_t place = timer->place;

    if (!place)
        return false;
    timer->place = 0;
    moved = clock->heap[--clock->count];
    if (moved != timer)
        heap_sift(clock, moved, place);
    return true;
}

static void fire_until(struct og_paper_clock *clock, int64_t until)
{
    struct og_paper_timer *next;

    while (clock->count && clock->heap[0]->due <= until) {
        next = clock->heap[0];
        og_paper_clock_unset(clock, next);
        if (next->due > clock->last)
            clock->last = next->due;
        clock->firing = true;
        next->fire(next->with);
        clock->firing = false;
    }
}

void og_paper_clock_run(struct og_paper_clock *clock)
{
    if (!clock->firing)
        fire_until(clock, present_time(clock));
}

bool og_paper_clock_step(struct og_paper_clock *clock, int64_t to)
{
    if (to < clock->last)
        return false;
    fire_until(clock, to);
    if (clock->mode == OG_CLOCK_REAL) { /* the machine's clock cannot be stepped, so it is replaced by a running
                                         * clock */
        clock->mode = OG_CLOCK_RUNNING;
        clock->speed = 1000;
    }
    restart(clock, clock->mode, to);
    return true;
}

bool og_paper_clock_go_real(struct og_paper_clock *clock)
{
    /* the clock is read first: a clock that is real already would else be later than this reading */
    const int64_t shown = og_paper_clock_now(clock), now = og_time_now();

    if (now < shown)
        return false;
    fire_until(clock, now);
    restart(clock, OG_CLOCK_REAL, now);
    return true;
}

void og_paper_clock_set_speed(struct og_paper_clock *clock, int64_t speed)
{
    const enum og_paper_clock_mode mode = speed ? OG_CLOCK_RUNNING : OG_CLOCK_STILL;

    if (clock->mode == mode && (!speed || clock->speed == speed))
        return;
    restart(clock, mode, og_paper_clock_now(clock));
    clock->speed = speed ? speed : 1000;
}

int64_t og_paper_clock_wait_us(struct og_paper_clock *clock)
{
    int64_t wait;

    if (!clock->count || clock->mode == OG_CLOCK_STILL)
        return -1;
    /* og_paper_clock_now() is not used: it would record this time as shown, but a timer that is due must fire at its
     * own, earlier time */
    wait = clock->heap[0]->due - present_time(clock);
    if (wait <= 0)
        return 0;
    if (clock->mode == OG_CLOCK_RUNNING)
        wait = wait / clock->speed * 1000;
    return wait / 1000 + 1;
}
