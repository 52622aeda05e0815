/*
 * Shared by the parts of `ordergate lint`: printing findings.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "ordergate/lint.h"

enum lint_format { LINT_TEXT, LINT_JSON, LINT_SARIF, LINT_GITHUB };

struct lint_print {
    enum lint_format format;
    bool colour, excerpt;
    long printed; /* findings printed so far */
    FILE *notes;  /* SARIF: notes on files whose checks were incomplete; they go into note_text */
    char *note_text;
    size_t note_len;
};

/* Print what comes before the first finding, a finding, and what comes after the last, on stdout. */
void lint_print_begin(const struct lint_print *p);
void lint_print_one(struct lint_print *p, const struct og_lint_finding *f);
void lint_print_end(struct lint_print *p);
/* Print how many kinds of warnings were not checked in a file because it has errors; 0: print nothing. */
void lint_print_unmade(struct lint_print *p, const char *file, size_t kinds);
/* Print all findings that lint can report: one line each, or JSON with the pages. */
void lint_print_pages(bool json);
