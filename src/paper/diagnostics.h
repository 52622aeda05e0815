/*
 * Diagnostics of scenario files: collected from all files, then reported in order.
 */
#pragma once

#include "base/arena.h"
#include "ordergate/status.h"
#include "paper/scenario_file.h"
#include "text/yaml.h"

struct og_paper_diagnostics {
    struct og_arena *arena;
    const char *file; /* file of the diagnostics added next; must outlive them */
    struct og_paper_diagnostic *first;
    size_t count;
    bool oom;
};

/* A value as a message quotes it: control characters masked, and shortened. */
struct og_paper_shown {
    char s[48];
};
struct og_paper_shown og_paper_show(struct og_str text);

void og_paper_diagnostics_add(struct og_paper_diagnostics *diagnostics, int line, int col, const char *code,
                              const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Add a diagnostic for an unknown name: "unknown <what> 'x'; did you mean 'y'? known: ...". */
void og_paper_diagnostics_unknown(struct og_paper_diagnostics *diagnostics, int line, int col, struct og_str name,
                                  const char *what, const char *const *known, size_t count);
/* Report all diagnostics to listener (may be NULL), files in the order they were opened, then by place; the first also
 * goes to err. */
void og_paper_diagnostics_report(const struct og_paper_diagnostics *diagnostics, og_paper_listener *listener,
                                 void *with, struct og_error *err);
