/*
 * What is wrong with the files a world is made of, collected from all of them and told at the end in order.
 */
#ifndef OG_PAPER_DIAGNOSTICS_H
#define OG_PAPER_DIAGNOSTICS_H

#include "base/arena.h"
#include "ordergate/status.h"
#include "paper/scenario_file.h"
#include "text/yaml.h"

struct og_paper_diagnostics {
    struct og_arena *arena;
    const char *file; /* of what is added next; it outlives the lint */
    struct og_paper_finding *first;
    size_t count;
    bool oom;
};

/* A value seen, as a message quotes it: masked and shortened. */
struct og_paper_shown {
    char s[48];
};
struct og_paper_shown og_paper_show(struct og_str text);

void og_paper_diagnostics_add(struct og_paper_diagnostics *diagnostics, int line, int col, const char *code,
                              const char *format, ...) __attribute__((format(printf, 5, 6)));
/* A name that is none of those known: "'x' is no <what>; did you mean 'y'? known: ...". */
void og_paper_diagnostics_unknown(struct og_paper_diagnostics *diagnostics, int line, int col, struct og_str name,
                                  const char *what, const char *const *known, size_t count);
/* Tell all to listener (NULL: nobody), files in the order they were opened, then by place; the first also goes to err.
 */
void og_paper_diagnostics_report(const struct og_paper_diagnostics *diagnostics, og_paper_listener *listener,
                                 void *with, struct og_error *err);

#endif
