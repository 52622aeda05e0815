/*
 * A preloaded library that kills a program, as kill -9 does, before its Nth call with an effect outside the process:
 * a write to a file, a socket or stdout, a sync, a connection.  OG_NTH is N.
 *
 * It can also suspend the program there, like a laptop that sleeps, until it is continued: OG_NTH_STOP lists the
 * calls ("7", "7,9,30"), counting reads and waits too; OG_NTH_STOP_CONNECT is the number of a connection.  A
 * suspension takes no real time: whenever the program is continued, its clocks are set forward by OG_NTH_STOOD
 * milliseconds, and those that count through a suspend by OG_NTH_SLEPT more.  With OG_NTH_HASTE its own sleeps
 * (those of SQLite, while another process holds the ledger) end at once.  OG_NTH_AHEAD sets its time of day
 * forward by so many milliseconds from the start.  While a file named OG_NTH_SLOW is there, its syncs do not end, as
 * on a disk that hangs.
 *
 * Without these variables, or with fewer calls, nothing is changed.  The signals, files and sockets are real.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long last, stop_at_connect, longer, asleep, haste, ahead;
static const char *stops; /* numbers of the stops that are still to come */
static const char *slow;
static atomic_long calls, all_calls, connects, stood_ms, slept_ms;

static long number(const char *name)
{
    const char *n = getenv(name);

    return n ? strtol(n, NULL, 10) : 0;
}

static void on_continued(int signal)
{
    (void)signal;
    stood_ms += longer;
    slept_ms += asleep;
}

static void __attribute__((constructor)) read_all(void)
{
    struct sigaction go_on = { .sa_handler = on_continued, .sa_flags = SA_RESTART };

    last = number("OG_NTH");
    stops = getenv("OG_NTH_STOP");
    slow = getenv("OG_NTH_SLOW");
    stop_at_connect = number("OG_NTH_STOP_CONNECT");
    longer = number("OG_NTH_STOOD");
    asleep = number("OG_NTH_SLEPT");
    haste = number("OG_NTH_HASTE");
    ahead = number("OG_NTH_AHEAD");
    if (longer > 0 || asleep > 0)
        sigaction(SIGCONT, &go_on, NULL);
}

static void count_of_all(void)
{
    char *end;

    if (atomic_fetch_add(&all_calls, 1) + 1 != (stops != NULL ? strtol(stops, &end, 10) : 0))
        return;
    stops = *end == ',' ? end + 1 : NULL;
    kill(getpid(), SIGSTOP);
}

static void count(void)
{
    if (atomic_fetch_add(&calls, 1) + 1 == last)
        kill(getpid(), SIGKILL);
    count_of_all();
}

static void count_sync(void)
{
    const struct timespec pause = { 0, 5000000 };

    while (slow != NULL && access(slow, F_OK) == 0)
        nanosleep(&pause, NULL);
    count();
}

static void count_connect(void)
{
    if (atomic_fetch_add(&connects, 1) + 1 == stop_at_connect)
        kill(getpid(), SIGSTOP);
    count();
}

/* Calls the real function. Calls that libraries make before the constructor has run are counted too. */
#define COUNTED_BY(count, result, name, parameters, arguments) \
    result name parameters;                                    \
    result name parameters                                     \
    {                                                          \
        union {                                                \
            void *found;                                       \
            result(*call) parameters;                          \
        } real = { dlsym(RTLD_NEXT, #name) };                  \
                                                               \
        count();                                               \
        return real.call arguments;                            \
    }
#define COUNTED(result, name, parameters, arguments) COUNTED_BY(count, result, name, parameters, arguments)

COUNTED(ssize_t, write, (int fd, const void *bytes, size_t len), (fd, bytes, len))
COUNTED(ssize_t, pwrite, (int fd, const void *bytes, size_t len, off_t at), (fd, bytes, len, at))
COUNTED(ssize_t, pwrite64, (int fd, const void *bytes, size_t len, off64_t at), (fd, bytes, len, at))
COUNTED_BY(count_sync, int, fsync, (int fd), (fd))
COUNTED_BY(count_sync, int, fdatasync, (int fd), (fd))
COUNTED(int, ftruncate64, (int fd, off64_t len), (fd, len))
COUNTED(int, fflush, (FILE * file), (file))
COUNTED_BY(count_connect, int, connect, (int fd, const struct sockaddr *to, socklen_t len), (fd, to, len))
COUNTED(ssize_t, send, (int fd, const void *bytes, size_t len, int flags), (fd, bytes, len, flags))
COUNTED(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))
COUNTED_BY(count_of_all, ssize_t, recv, (int fd, void *bytes, size_t len, int flags), (fd, bytes, len, flags))
COUNTED_BY(count_of_all, int, epoll_wait, (int fd, struct epoll_event *events, int most, int ms),
           (fd, events, most, ms))
COUNTED_BY(count_of_all, int, epoll_pwait, (int fd, struct epoll_event *events, int most, int ms, const sigset_t *mask),
           (fd, events, most, ms, mask))

int clock_gettime(clockid_t which, struct timespec *to)
{
    bool sleeps = which == CLOCK_MONOTONIC || which == CLOCK_MONOTONIC_COARSE || which == CLOCK_MONOTONIC_RAW;
    long ms = stood_ms + (sleeps ? 0 : slept_ms) + (which == CLOCK_REALTIME ? ahead : 0);
    long result = syscall(SYS_clock_gettime, which, to);

    if (which == CLOCK_PROCESS_CPUTIME_ID || which == CLOCK_THREAD_CPUTIME_ID || ms == 0)
        return (int)result;
    to->tv_sec += ms / 1000;
    to->tv_nsec += ms % 1000 * 1000000;
    if (to->tv_nsec >= 1000000000) {
        to->tv_sec++;
        to->tv_nsec -= 1000000000;
    }
    return (int)result;
}

int usleep(useconds_t us)
{
    struct timespec real = { us / 1000000, us % 1000000 * 1000 };

    if (haste == 0)
        return nanosleep(&real, NULL);
    stood_ms += us / 1000;
    return 0;
}
