/*
 * Starts the console.  It is a process of its own, so that nothing that a client sends can reach the sender's memory,
 * its secret or its ledger's locks, or hold up its loop; it gets no descriptor of the sender and few variables.
 */
#include "tools/common/send_console.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/exit.h"
#include "tools/common/sibling_program.h"

#define STARTS_MS 10000 /* maximum time from the start of the console until it listens */

/* The environment variables that the console needs: where state and halt flags are. */
static const char *const variables[] = {
    "HOME",         "XDG_STATE_HOME", "ORDERGATE_HALT_ALSO", "ORDERGATE_LEDGER_KEY", "LD_LIBRARY_PATH",
    "ASAN_OPTIONS", "TSAN_OPTIONS",   "UBSAN_OPTIONS"
};
#define VARIABLES (sizeof variables / sizeof variables[0])

/* Runs in the child process, until execve() replaces it by the console. */
static void become_console(const char *path, const char *listen, const char *sender, int out)
{
    char *argv[] = { (char *)(uintptr_t)path,   "--listen", (char *)(uintptr_t)listen, "--sender",
                     (char *)(uintptr_t)sender, NULL };
    char room[VARIABLES][512], *env[VARIABLES + 1];
    size_t count = 0;

    for (size_t i = 0; i < VARIABLES; i++) {
        const char *value = getenv(variables[i]);

        if (value && snprintf(room[count], sizeof room[0], "%s=%s", variables[i], value) < (int)sizeof room[0]) {
            env[count] = room[count];
            count++;
        }
    }
    env[count] = NULL;
    setpgid(0, 0); /* Ctrl-C must reach the sender alone, which may take a while to end */
    close(STDIN_FILENO);
    if (dup2(out, STDOUT_FILENO) < 0 || close_range(STDERR_FILENO + 1, ~0U, 0) < 0)
        _exit(EXIT_IO);
    execve(path, argv, env);
    _exit(EXIT_IO);
}

/* Read the port that the console prints once it listens.  Returns 0 if the console ends first, or does not print it in
 * time. */
static int await_port(int in)
{
    struct pollfd there = { .fd = in, .events = POLLIN };
    char text[16];
    ssize_t len;

    if (poll(&there, 1, STARTS_MS) <= 0 || (len = read(in, text, sizeof text - 1)) <= 0)
        return 0;
    text[len] = '\0';
    return (int)strtol(text, NULL, 10);
}

static int write_port(const char *program, const char *path, int port)
{
    FILE *f = fopen(path, "we");

    if (f && fprintf(f, "%d\n", port) > 0 && fclose(f) == 0)
        return 0;
    fprintf(stderr, "%s: the port file '%s' cannot be written: %s\n", program, path, strerror(errno));
    return EXIT_IO;
}

int send_console(const char *program, const char *listen, const char *port_file)
{
    char path[SIBLING_PATH_MOST], sender[24];
    int ends[2], port, status = 0;
    pid_t child;

    snprintf(sender, sizeof sender, "%ld", (long)getpid());
    if (!sibling_program_path("console", path) || access(path, X_OK) != 0 || pipe(ends) != 0) {
        fprintf(stderr, "%s: --console: ordergate-console cannot be run: %s\n", program, strerror(errno));
        return EXIT_IO;
    }
    child = fork();
    if (child == 0)
        become_console(path, listen, sender, ends[1]);
    close(ends[1]);
    port = child > 0 ? await_port(ends[0]) : 0;
    close(ends[0]);
    if (port)
        return port_file ? write_port(program, port_file, port) : 0;
    if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status))
        return WEXITSTATUS(status); /* the console has printed the reason */
    fprintf(stderr, "%s: --console: ordergate-console does not start\n", program);
    return EXIT_IO;
}
