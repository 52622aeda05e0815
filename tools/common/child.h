/*
 * Starts another program, such as one of ordergate beside this one, and waits for it.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CHILD_ARGS_MOST = 128 };

/* The command line of a program to start. */
struct child_args {
    const char *item[CHILD_ARGS_MOST + 1]; /* [0] is set by child_start() */
    int count;
    bool full; /* an argument did not fit */
};
void child_add(struct child_args *args, const char *arg);
/* Add an option with its value; nothing if value is NULL. */
void child_add_option(struct child_args *args, const char *option, const char *value);

/* Start a program, in a process group of its own so that ^C does not reach it, with these descriptors as its standard
 * input and output (-1: this process's own), no other descriptor but stderr, and no signal blocked or ignored.
 * Returns 0 or an errno. */
int child_spawn(const char *path, const char *const *argv, char *const *env, int in, int out, pid_t *pid);
/* Start ordergate-NAME in that way, with this process's environment. Returns 0 or an errno. */
int child_start(const char *name, struct child_args *args, int in, int out, pid_t *pid);
/* Returns the exit code of a child that has ended, or 128 and the number of the signal that ended it; -1 if it runs.
 * wait: until it ends. */
int child_end(pid_t pid, bool wait);
/* Wait for its end, but no longer than most_s seconds, and not when *stop is set, by a handler of SIGINT or SIGTERM:
 * then its process group is killed, and -1 is returned. */
int child_end_within(pid_t pid, int most_s, const volatile sig_atomic_t *stop);

/* Make a descriptor from which a child reads these bytes and then the end. Returns -1 on error, with errno set. */
int child_input(const char *bytes, size_t len);
