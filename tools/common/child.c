/*
 * Starting other programs; see tools/common/child.h.
 */
#include "tools/common/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/sibling_program.h"

void child_add(struct child_args *args, const char *arg)
{
    if (args->count == 0)
        args->count = 1;
    if (args->count < CHILD_ARGS_MOST)
        args->item[args->count++] = arg;
    else
        args->full = true;
}

void child_add_option(struct child_args *args, const char *option, const char *value)
{
    if (!value)
        return;
    child_add(args, option);
    child_add(args, value);
}

int child_spawn(const char *path, const char *const *argv, char *const *env, int in, int out, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, all;
    int cause;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    cause = in >= 0 ? posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO) : 0;
    cause = cause || out < 0 ? cause : posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    cause = cause ? cause : posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    cause = cause ? cause : posix_spawn(pid, path, &files, &how, (char *const *)(uintptr_t)argv, env);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return cause;
}

int child_start(const char *name, struct child_args *args, int in, int out, pid_t *pid)
{
    char path[SIBLING_PATH_MOST];

    if (args->full)
        return E2BIG;
    if (!sibling_program_path(name, path))
        return errno;
    args->item[0] = path;
    args->item[args->count] = NULL;
    return child_spawn(path, args->item, environ, in, out, pid);
}

int child_end(pid_t pid, bool wait)
{
    int status;
    pid_t ended;

    do
        ended = waitpid(pid, &status, wait ? 0 : WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended != pid)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int child_end_within(pid_t pid, int most_s, const volatile sig_atomic_t *stop)
{
    struct pollfd end = { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };
    struct timespec now, until, left;
    sigset_t stops, before;
    int ready = end.fd < 0 ? 0 : -1;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += most_s;
    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    sigprocmask(SIG_BLOCK, &stops, &before); /* so that one comes before the look at *stop, or ends the wait */
    while (ready < 0 && !*stop) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        left = (struct timespec){ .tv_sec = until.tv_sec > now.tv_sec ? until.tv_sec - now.tv_sec : 0 };
        ready = ppoll(&end, 1, &left, &before);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (end.fd >= 0)
        close(end.fd);
    if (ready > 0)
        return child_end(pid, true);
    kill(-pid, SIGKILL);
    (void)child_end(pid, true);
    return -1;
}

int child_input(const char *bytes, size_t len)
{
    int fd = memfd_create("lines", MFD_CLOEXEC);

    while (fd >= 0 && len > 0) {
        ssize_t n = write(fd, bytes, len);

        if (n < 0) {
            const int cause = errno;

            close(fd);
            errno = cause;
            return -1;
        }
        bytes += n;
        len -= (size_t)n;
    }
    if (fd >= 0)
        (void)lseek(fd, 0, SEEK_SET);
    return fd;
}
