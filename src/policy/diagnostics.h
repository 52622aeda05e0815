/*
 * Diagnostics: the errors and warnings of a policy, collected from all its files and reported at the end in the order
 * of the files.
 */
#pragma once

#include "base/arena.h"
#include "ordergate/policy.h"
#include "policy/source_location.h"

struct og_diagnostics {
    struct og_arena *arena;
    struct og_noted *first, *last;
    size_t count, errors;
    const char *meant; /* the suggested spelling of the last hint, for the diagnostic that is added next */
    bool oom, cut;     /* oom: out of memory; cut: there were more errors than are reported */
};

/* A value as it is quoted in a message: shortened, control characters masked. */
struct og_seen {
    char s[64];
};
struct og_seen og_see(struct og_str text);

void og_diagnostic_add(struct og_diagnostics *f, enum og_severity severity, struct og_srcloc at, const char *code,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Pass all diagnostics to listener (may be NULL), sorted by place; the first error goes to err. */
void og_diagnostics_report(struct og_diagnostics *f, og_diagnostic_listener *listener, void *with,
                           struct og_error *err);

/* Returns "; did you mean 'x'? known: a, b, c" to be appended to a message.  The first part is left out if no candidate
 * is near, the second if the list is long.  Sets f->meant. */
const char *og_diagnostic_hint(struct og_diagnostics *f, struct og_str word, const char *const *candidates,
                               size_t count);
