/*
 * A program run from a file to nowhere, and how long it took.
 */
#ifndef TESTS_BENCH_PROCESSES_H
#define TESTS_BENCH_PROCESSES_H

/* argv ends with NULL; stdin is the file, stdout and stderr are thrown away.  The exit code, 128 when it was killed,
 * -1 when it could not be run. */
int run_process(const char *const *argv, const char *input, double *seconds);

#endif
