/*
 * Diagnostics: the errors and warnings of a document, collected from all its files and reported at the end, file by
 * file.
 */
#pragma once

#include <stdarg.h>

#include "base/arena.h"
#include "ordergate/policy.h"

struct og_diagnostics {
    struct og_arena *arena;
    struct og_noted *first, *last;
    size_t count, errors;
    const char *meant; /* the spelling that the last hint suggests; the diagnostic that is added next gets it */
    const char *file;  /* file of the diagnostics that og_diagnostic_here() adds next; the text must outlive them */
    bool oom, cut;     /* oom: out of memory; cut: there were more errors than are reported */
};

/* A value as a message quotes it: shortened, with control characters masked. */
struct og_seen {
    char s[64];
};
struct og_seen og_see(struct og_str text);

/* Add a diagnostic about a file; order: the file's place among all files. */
void og_diagnostic_note(struct og_diagnostics *f, enum og_severity severity, const char *file, int order, int line,
                        int col, const char *code, const char *format, va_list args);
/* Add an error in f->file.  Files are reported in the sequence of their first errors. */
void og_diagnostic_here(struct og_diagnostics *f, int line, int col, const char *code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Add an error about an unknown name in f->file: "unknown <what> 'x'", and a hint. */
void og_diagnostic_unknown(struct og_diagnostics *f, int line, int col, struct og_str name, const char *what,
                           const char *const *known, size_t count);
/* Pass all diagnostics to listener (may be NULL), sorted by place; *err gets the first error and this status. */
void og_diagnostics_report(struct og_diagnostics *f, enum og_status status, og_diagnostic_listener *listener,
                           void *with, struct og_error *err);

/* Returns "; did you mean 'x'? known: a, b, c", to be appended to a message.  The first part is left out if no
 * candidate is similar, the second if the list is long.  Sets f->meant. */
const char *og_diagnostic_hint(struct og_diagnostics *f, struct og_str word, const char *const *candidates,
                               size_t count);
