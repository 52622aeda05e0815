/*
 * The output of `ordergate test`: results as they come, in one of five formats, then coverage.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "ordergate/policy_test.h"

enum report_format { REPORT_TEXT, REPORT_TAP, REPORT_JUNIT, REPORT_JSON, REPORT_GITHUB };

struct report {
    enum report_format format;
    bool colour, verbose;
    enum og_test_update update;
    long long count[4], files; /* number of cases for each enum og_test_outcome, and number of files */
    /* the test file of the current cases */
    const struct og_policy_test *test;
    const char *file;
    long long in_file[4];
    char last[256];    /* the last case that was reported */
    long long of_last; /* how many failures of the case `last` were reported */
    FILE *suite;       /* collects the cases of the current file, for formats that begin with the number of cases */
    char *suite_text;
    size_t suite_len;
};

void report_begin(struct report *r);
void report_file(struct report *r, const struct og_policy_test *test);
void report_result(void *report, const struct og_policy_test_result *result); /* an og_policy_test_listener */
void report_file_end(struct report *r);
/* Report a file that cannot be tested; the reason was printed on stderr before. */
void report_unusable(struct report *r, const char *file, const char *why);
/* Print the totals, and the coverage unless it is NULL. */
void report_end(struct report *r, const struct og_policy_coverage *coverage);

/* Count the items of a kind (-1: of all kinds), and those that the tests reached. */
void report_covered(const struct og_policy_coverage *coverage, int kind, long long *reached, long long *all);
