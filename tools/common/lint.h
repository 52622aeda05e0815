/*
 * Shared by the parts of `ordergate lint`: functions that print findings.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "ordergate/lint.h"

enum lint_format { LINT_TEXT, LINT_JSON, LINT_SARIF, LINT_GITHUB };

struct lint_print {
    enum lint_format format;
    bool colour, excerpt;
    long printed; /* number of findings that were printed */
    FILE *notes;  /* for SARIF: notes about files whose checks are incomplete are collected here, in note_text */
    char *note_text;
    size_t note_len;
};

/* Print on stdout: what comes before the first finding; a finding; what comes after the last one. */
void lint_print_begin(const struct lint_print *p);
void lint_print_one(struct lint_print *p, const struct og_lint_finding *f);
void lint_print_end(struct lint_print *p);
/* Print how many kinds of warnings were not checked in a file because it has errors; 0: print nothing. */
void lint_print_unmade(struct lint_print *p, const char *file, size_t kinds);
/* Print a list of all findings that lint can report: one line each, or JSON with their help pages. */
void lint_print_pages(bool json);
