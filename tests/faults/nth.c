/*
 * A preloaded library that ends a program, as kill -9 does, before its Nth call that others can see: a write to a file,
 * a socket or stdout, a sync, a connection.  OG_NTH says N.  Without it, or with fewer calls, nothing is changed.
 * It refuses to pretend: the signal, the files and the sockets are real.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static long last;
static atomic_long calls;

static void __attribute__((constructor)) read_last(void)
{
    const char *n = getenv("OG_NTH");

    last = n ? strtol(n, NULL, 10) : 0;
}

static void count(void)
{
    if (atomic_fetch_add(&calls, 1) + 1 == last)
        kill(getpid(), SIGKILL);
}

/* The one that would have been called; libraries that call before the constructor ran are counted all the same. */
#define COUNTED(result, name, parameters, arguments)                                                                           \
    result name parameters;                                                                                                    \
    result name parameters                                                                                                     \
    {                                                                                                                          \
        union {                                                                                                                \
            void *found;                                                                                                       \
            result(*call) parameters;                                                                                          \
        } real = { dlsym(RTLD_NEXT, #name) };                                                                                  \
                                                                                                                               \
        count();                                                                                                               \
        return real.call arguments;                                                                                            \
    }

COUNTED(ssize_t, write, (int fd, const void *bytes, size_t len), (fd, bytes, len))
COUNTED(ssize_t, pwrite, (int fd, const void *bytes, size_t len, off_t at), (fd, bytes, len, at))
COUNTED(ssize_t, pwrite64, (int fd, const void *bytes, size_t len, off64_t at), (fd, bytes, len, at))
COUNTED(int, fsync, (int fd), (fd))
COUNTED(int, fdatasync, (int fd), (fd))
COUNTED(int, ftruncate64, (int fd, off64_t len), (fd, len))
COUNTED(int, fflush, (FILE *file), (file))
COUNTED(int, connect, (int fd, const struct sockaddr *to, socklen_t len), (fd, to, len))
COUNTED(ssize_t, send, (int fd, const void *bytes, size_t len, int flags), (fd, bytes, len, flags))
COUNTED(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))
