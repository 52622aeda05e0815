/*
 * Starts the paper brokerage, reads its port, and inspects its process.  Ends the program if that fails.
 */
#include "service.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

void stop(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(4);
}

double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static pid_t running; /* the service to end if this program stops early; 0: none */

/* A service that outlives its benchmark would keep the pipe of the test program open, which waits for its end. */
static void end_running(void)
{
    if (running)
        kill(running, SIGKILL);
}

/* The service's clock starts within the session's hours (a Thursday, 10:00 in New York) and runs on. */
void service_start(struct service *s, const char *program)
{
    const char *argv[] = { program, "--listen", "127.0.0.1:0", "--no-rate-limits", "--clock", "2026-01-15T15:00:00Z@1",
                           NULL };
    posix_spawn_file_actions_t files;
    char line[128] = "";
    const char *colon;
    FILE *out;
    int ends[2];

    if (pipe(ends) || posix_spawn_file_actions_init(&files) ||
        posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO) ||
        posix_spawn_file_actions_addclose(&files, ends[0]) ||
        posix_spawn(&s->pid, program, &files, NULL, (char *const *)(const void *)argv, environ))
        stop("%s cannot be run", program);
    posix_spawn_file_actions_destroy(&files);
    running = s->pid;
    if (atexit(end_running))
        stop("out of memory");
    close(ends[1]);
    out = fdopen(ends[0], "r");
    colon = out && fgets(line, sizeof line, out) ? strrchr(line, ':') : NULL;
    if (!colon)
        stop("%s did not start", program);
    s->port = (int)strtol(colon + 1, NULL, 10);
    fclose(out);
}

void service_stop(struct service *s)
{
    int status;

    running = 0;
    kill(s->pid, SIGTERM);
    if (waitpid(s->pid, &status, 0) != s->pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        stop("the service did not end well");
}

size_t service_resident(const struct service *s)
{
    char path[64], line[128] = "", *end;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)s->pid);
    file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file))
        stop("%s cannot be read", path);
    fclose(file);
    strtoull(line, &end, 10); /* skip the first number, the whole size; the second one is the resident size */
    return (size_t)strtoull(end, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

int service_connect(const struct service *s)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)s->port) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
        stop("cannot connect: %s", strerror(errno));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}
