/*
 * A preloaded library that lets a program's monotonic clock run OG_HASTE times as fast, and its waits in epoll with it, so that
 * the minute after which a missing order counts as not received is one of the program and not of whoever waits for the test.
 * It refuses to touch the time of day.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long haste = 1;
static struct timespec begun;

static int64_t since(const struct timespec *now)
{
    return (now->tv_sec - begun.tv_sec) * INT64_C(1000000000) + (now->tv_nsec - begun.tv_nsec);
}

static void __attribute__((constructor)) begin(void)
{
    const char *n = getenv("OG_HASTE");

    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &begun);
    haste = n ? strtol(n, NULL, 10) : 1;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    long bad = syscall(SYS_clock_gettime, clock, now);
    int64_t ns;

    if (bad || (clock != CLOCK_MONOTONIC && clock != CLOCK_MONOTONIC_COARSE) || begun.tv_sec == 0)
        return (int)bad;
    ns = since(now) * haste + begun.tv_nsec;
    now->tv_sec = begun.tv_sec + ns / 1000000000;
    now->tv_nsec = ns % 1000000000;
    return 0;
}

int epoll_pwait(int fd, struct epoll_event *events, int most, int timeout, const sigset_t *mask)
{
    return (int)syscall(SYS_epoll_pwait, fd, events, most, timeout > 0 ? (timeout + haste - 1) / haste : (long)timeout, mask, 8);
}

int epoll_wait(int fd, struct epoll_event *events, int most, int timeout)
{
    return epoll_pwait(fd, events, most, timeout, NULL);
}
