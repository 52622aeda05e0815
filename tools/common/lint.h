/*
 * What the parts of `ordergate lint` share: printing what was found, and repairing files.
 */
#ifndef OG_TOOLS_LINT_H
#define OG_TOOLS_LINT_H

#include "ordergate/lint.h"

#include <stdbool.h>
#include <stdio.h>

enum lint_format { LINT_TEXT, LINT_JSON, LINT_SARIF, LINT_GITHUB };

struct lint_print {
    enum lint_format format;
    bool colour, excerpt;
    long printed; /* so far */
    FILE *notes;  /* SARIF: what was not looked for, of each file, into note_text */
    char *note_text;
    size_t note_len;
};

/* What stands before the first finding, each finding, and what stands behind the last; on stdout. */
void lint_print_begin(const struct lint_print *p);
void lint_print_one(struct lint_print *p, const struct og_lint_finding *f);
void lint_print_end(struct lint_print *p);
/* That so many kinds of warnings were not looked for in a file, since it has errors; 0: nothing is said. */
void lint_print_unmade(struct lint_print *p, const char *file, size_t kinds);
/* All that lint may find: a line each, or JSON with the pages. */
void lint_print_pages(bool json);

/* Make every edit of count reports, each of what the one before it left, in their file, whole or not at all, and say
 * each on stdout; dry: print a unified diff instead.  false: an error was said on stderr. */
bool lint_fix(const char *path, struct og_lint_report *const *round, int count, bool dry);

#endif
