/*
 * What is wrong with a policy, collected from all its files and told at the end in the order of the files.
 */
#ifndef OG_POLICY_FAULTS_H
#define OG_POLICY_FAULTS_H

#include "base/arena.h"
#include "ordergate/policy.h"
#include "policy/places.h"

struct og_faults {
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

void og_fault_add(struct og_faults *f, enum og_severity severity, struct og_place at, const char *code,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Tell all to listener (NULL: nobody), sorted by place; the first error goes to err. */
void og_faults_tell(struct og_faults *f, og_fault_listener *listener, void *with, struct og_error *err);

/* "; did you mean 'x'? known: a, b, c", each part when there is one (a long list helps nobody and is left out).  The
 * neighbour named is kept for the fault it is said in. */
const char *og_fault_hint(struct og_faults *f, struct og_str word, const char *const *candidates, size_t count);

#endif
