/*
 * Runs a program, without a shell, and measures the wall-clock time.
 */
#include "processes.h"

#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double seconds_between(const struct timespec *a, const struct timespec *b)
{
    return (double)(b->tv_sec - a->tv_sec) + (double)(b->tv_nsec - a->tv_nsec) / 1e9;
}

int run_process(const char *const *argv, const char *input, double *seconds)
{
    posix_spawn_file_actions_t files;
    struct timespec begin, end;
    pid_t pid;
    int status, failed;

    if (posix_spawn_file_actions_init(&files))
        return -1;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    failed = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input, O_RDONLY, 0) ||
             posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) ||
             posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0) ||
             posix_spawn(&pid, argv[0], &files, NULL, (char *const *)(const void *)argv, environ) ||
             waitpid(pid, &status, 0) != pid;
    clock_gettime(CLOCK_MONOTONIC, &end);
    posix_spawn_file_actions_destroy(&files);
    *seconds = seconds_between(&begin, &end);
    if (failed)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
