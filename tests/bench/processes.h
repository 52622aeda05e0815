/*
 * Runs a program and measures the time.
 */
#pragma once

/* argv ends with NULL; stdin is the file, stdout and stderr are discarded.  Returns the exit code, 128 if it was
 * killed, -1 if it could not be run. */
int run_process(const char *const *argv, const char *input, double *seconds);
