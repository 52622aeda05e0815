/*
 * What is wrong with a policy, collected from all its files and told at the end in the order of the files.
 */
#ifndef OG_POLICY_DIAGNOSTICS_H
#define OG_POLICY_DIAGNOSTICS_H

#include "base/arena.h"
#include "ordergate/policy.h"
#include "policy/source_location.h"

struct og_diagnostics {
    struct og_arena *arena;
    struct og_noted *first, *last;
    size_t count, errors;
    const char *meant; /* the neighbour hinted at, for the fault that is added next */
    bool oom, cut;     /* cut: there were more errors than are told */
};

/* A value seen, as a message quotes it: masked and shortened. */
struct og_seen {
    char s[64];
};
struct og_seen og_see(struct og_str text);

void og_diagnostic_add(struct og_diagnostics *f, enum og_severity severity, struct og_srcloc at, const char *code,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Tell all to listener (NULL: nobody), sorted by place; the first error goes to err. */
void og_diagnostics_report(struct og_diagnostics *f, og_diagnostic_listener *listener, void *with,
                           struct og_error *err);

/* "; did you mean 'x'? known: a, b, c", each part when there is one (a long list helps nobody and is left out).  The
 * neighbour named is kept for the fault it is said in. */
const char *og_diagnostic_hint(struct og_diagnostics *f, struct og_str word, const char *const *candidates,
                               size_t count);

#endif
