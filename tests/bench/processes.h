/*
 * Runs a program and measures the time.
 */
#ifndef TESTS_BENCH_PROCESSES_H
#define TESTS_BENCH_PROCESSES_H

/* argv ends with NULL; stdin is the file, stdout and stderr are discarded.  Returns the exit code, 128 if it was
 * killed, -1 if it could not be run. */
int run_process(const char *const *argv, const char *input, double *seconds);

#endif
