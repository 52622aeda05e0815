/*
 * A libuv loop whose time is set by the test: timers fire when the test advances it, and the clocks and og_random()
 * return what the test sets. For programs that tests/CMakeLists.txt links with these functions redirected here.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <uv.h>

int __wrap_uv_timer_init(uv_loop_t *loop, uv_timer_t *timer);
int __wrap_uv_timer_start(uv_timer_t *timer, uv_timer_cb cb, uint64_t ms, uint64_t repeat);
int __wrap_uv_timer_stop(uv_timer_t *timer);
void __wrap_uv_close(uv_handle_t *handle, uv_close_cb cb);
void __real_uv_close(uv_handle_t *handle, uv_close_cb cb);
uint64_t __wrap_uv_now(const uv_loop_t *loop);
void __wrap_uv_update_time(uv_loop_t *loop);
uint64_t __wrap_og_time_up(void);
int64_t __wrap_og_time_now(void);
bool __wrap_og_random(void *to, size_t len);

#define FAKE_TIMERS 64

static struct {
    uint64_t now_ms;
    unsigned char random; /* the value of each byte that og_random() makes */
    struct {
        uv_timer_t *timer;
        uv_timer_cb cb;
        uint64_t due_ms;
        bool active;
    } timer[FAKE_TIMERS];
    int timers;
} fake_loop = { .now_ms = 1000000 };

static int fake_find(const uv_timer_t *timer)
{
    int i = 0;

    while (i < fake_loop.timers && fake_loop.timer[i].timer != timer)
        i++;
    return i;
}

int __wrap_uv_timer_init(uv_loop_t *loop, uv_timer_t *timer)
{
    int i = fake_find(NULL);

    memset(timer, 0, sizeof *timer);
    timer->loop = loop;
    timer->type = UV_TIMER;
    if (i == fake_loop.timers)
        fake_loop.timers++;
    if (i >= FAKE_TIMERS)
        return UV_ENOMEM;
    fake_loop.timer[i].timer = timer;
    fake_loop.timer[i].active = false;
    return 0;
}

int __wrap_uv_timer_start(uv_timer_t *timer, uv_timer_cb cb, uint64_t ms, uint64_t repeat)
{
    int i = fake_find(timer);

    (void)repeat;
    fake_loop.timer[i].cb = cb;
    fake_loop.timer[i].due_ms = fake_loop.now_ms + ms;
    fake_loop.timer[i].active = true;
    return 0;
}

int __wrap_uv_timer_stop(uv_timer_t *timer)
{
    fake_loop.timer[fake_find(timer)].active = false;
    return 0;
}

void __wrap_uv_close(uv_handle_t *handle, uv_close_cb cb)
{
    if (handle->type != UV_TIMER) {
        __real_uv_close(handle, cb);
        return;
    }
    fake_loop.timer[fake_find((uv_timer_t *)handle)].timer = NULL;
    if (cb)
        cb(handle);
}

uint64_t __wrap_uv_now(const uv_loop_t *loop)
{
    (void)loop;
    return fake_loop.now_ms;
}

void __wrap_uv_update_time(uv_loop_t *loop)
{
    (void)loop;
}

uint64_t __wrap_og_time_up(void)
{
    return fake_loop.now_ms * 1000000;
}

int64_t __wrap_og_time_now(void)
{
    return INT64_C(1768496400000000000) + (int64_t)fake_loop.now_ms * 1000000; /* 2026-01-15 12:00 in New York */
}

bool __wrap_og_random(void *to, size_t len)
{
    memset(to, fake_loop.random, len);
    return true;
}

/* Returns the index of the active timer that is due first, at by_ms or earlier; -1: none. */
static int fake_next(uint64_t by_ms)
{
    int next = -1;

    for (int i = 0; i < fake_loop.timers; i++)
        if (fake_loop.timer[i].timer && fake_loop.timer[i].active && fake_loop.timer[i].due_ms <= by_ms &&
            (next < 0 || fake_loop.timer[i].due_ms < fake_loop.timer[next].due_ms))
            next = i;
    return next;
}

/* Advance the time, and fire the timers that become due. With ms 0, fire those that are due now. */
static void fake_advance(uint64_t ms)
{
    const uint64_t until_ms = fake_loop.now_ms + ms;
    int i;

    while ((i = fake_next(until_ms)) >= 0) {
        if (fake_loop.timer[i].due_ms > fake_loop.now_ms)
            fake_loop.now_ms = fake_loop.timer[i].due_ms;
        fake_loop.timer[i].active = false;
        fake_loop.timer[i].cb(fake_loop.timer[i].timer);
    }
    fake_loop.now_ms = until_ms;
}
