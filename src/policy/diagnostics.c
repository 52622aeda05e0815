/*
 * Collects diagnostics with their places, and reports them at the end.
 */
#include "policy/diagnostics.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/error.h"
#include "text/pattern.h"

#define TEXT_MOST 600  /* bytes of one message */
#define TOLD_MOST 1000 /* most diagnostics reported; computing hints for more would take long */

struct og_noted {
    struct og_srcloc at;
    size_t nth; /* number of the diagnostic: keeps those at one place in the order they were added */
    enum og_severity severity;
    const char *code, *text, *meant;
    struct og_noted *next;
};

struct og_seen og_see(struct og_str text)
{
    struct og_seen seen;

    og_text_show(seen.s, sizeof seen.s, text);
    return seen;
}

static void note(struct og_diagnostics *f, enum og_severity severity, struct og_srcloc at, const char *code,
                 const char *text)
{
    struct og_noted *n = og_arena_take(f->arena, sizeof *n);

    if (!n || !(n->text = og_arena_copy(f->arena, og_str_of(text)).s)) {
        f->oom = true;
        return;
    }
    n->at = at;
    n->nth = f->count++;
    n->severity = severity;
    n->code = code;
    n->meant = f->meant;
    f->meant = NULL;
    if (f->last)
        f->last->next = n;
    else
        f->first = n;
    f->last = n;
}

void og_diagnostic_add(struct og_diagnostics *f, enum og_severity severity, struct og_srcloc at, const char *code,
                       const char *format, ...)
{
    char text[TEXT_MOST];
    va_list args;

    if (severity == OG_ERROR)
        f->errors++;
    if (f->count >= TOLD_MOST) {
        if (severity == OG_ERROR && !f->cut)
            note(f, severity, at, "too-many", "more than 1000 things are wrong: the rest is not told");
        f->cut |= severity == OG_ERROR;
        return;
    }
    va_start(args, format);
    og_text_format(text, sizeof text, format, args);
    va_end(args);
    note(f, severity, at, code, text);
}

static int by_place(const void *a, const void *b)
{
    const struct og_noted *x = *(struct og_noted *const *)a, *y = *(struct og_noted *const *)b;

    if (x->at.source != y->at.source)
        return x->at.source->order < y->at.source->order ? -1 : 1;
    if (x->at.line != y->at.line)
        return x->at.line < y->at.line ? -1 : 1;
    if (x->at.col != y->at.col)
        return x->at.col < y->at.col ? -1 : 1;
    return x->nth < y->nth ? -1 : x->nth > y->nth;
}

void og_diagnostics_report(struct og_diagnostics *f, og_diagnostic_listener *listener, void *with, struct og_error *err)
{
    struct og_noted **sorted = f->count ? og_arena_take(f->arena, f->count * sizeof *sorted) : NULL;
    size_t count = 0;

    if (!sorted)
        return;
    for (struct og_noted *n = f->first; n; n = n->next)
        sorted[count++] = n;
    qsort(sorted, count, sizeof *sorted, by_place);
    for (size_t i = 0; i < count; i++) {
        const struct og_noted *n = sorted[i];

        if (n->severity == OG_ERROR)
            og_fail_at(err, OG_EPOLICY, n->at.source->name, n->at.line, n->at.col, "%s", n->text);
        if (listener)
            listener(with, &(struct og_diagnostic){ .severity = n->severity,
                                                    .file = n->at.source->name,
                                                    .line = n->at.line,
                                                    .col = n->at.col,
                                                    .code = n->code,
                                                    .text = n->text,
                                                    .meant = n->meant });
    }
}

const char *og_diagnostic_hint(struct og_diagnostics *f, struct og_str word, const char *const *candidates,
                               size_t count)
{
    char hint[OG_HINT_SIZE];
    const char *text;

    if (f->count >= TOLD_MOST)
        return "";
    f->meant = og_nearest_hint(hint, word, candidates, count);
    text = og_arena_copy(f->arena, og_str_of(hint)).s;
    if (!text)
        f->oom = true;
    return text ? text : "";
}
