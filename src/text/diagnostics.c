/*
 * Collects diagnostics with their places, and reports them at the end.
 */
#include "text/diagnostics.h"

#include <stdlib.h>

#include "base/error.h"
#include "text/pattern.h"

#define TEXT_MOST 600  /* maximum length of one message in bytes */
#define TOLD_MOST 1000 /* maximum number of diagnostics that are reported; computing hints for more would take long */

struct og_noted {
    const char *file;
    int order, line, col;
    size_t nth; /* number of the diagnostic: diagnostics at one place stay in the sequence in which they were added */
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

static void note(struct og_diagnostics *f, struct og_noted is)
{
    struct og_noted *n = og_arena_take(f->arena, sizeof *n);

    if (!n || !(is.text = og_arena_copy(f->arena, og_str_of(is.text)).s)) {
        f->oom = true;
        return;
    }
    *n = is;
    n->nth = f->count++;
    n->meant = f->meant;
    f->meant = NULL;
    if (f->last)
        f->last->next = n;
    else
        f->first = n;
    f->last = n;
}

void og_diagnostic_note(struct og_diagnostics *f, enum og_severity severity, const char *file, int order, int line,
                        int col, const char *code, const char *format, va_list args)
{
    char text[TEXT_MOST];
    struct og_noted is = { .file = file, .order = order, .line = line, .col = col, .severity = severity };

    if (severity == OG_ERROR)
        f->errors++;
    if (f->count >= TOLD_MOST) {
        is.code = "too-many";
        is.text = "there are more than 1000 errors and warnings: the rest is not reported";
        if (severity == OG_ERROR && !f->cut)
            note(f, is);
        f->cut |= severity == OG_ERROR;
        return;
    }
    og_text_format(text, sizeof text, format, args);
    is.code = code;
    is.text = text;
    note(f, is);
}

void og_diagnostic_here(struct og_diagnostics *f, int line, int col, const char *code, const char *format, ...)
{
    const struct og_noted *n = f->first;
    va_list args;

    while (n && n->file != f->file)
        n = n->next;
    va_start(args, format);
    og_diagnostic_note(f, OG_ERROR, f->file, n ? n->order : (int)f->count, line, col, code, format, args);
    va_end(args);
}

static int by_place(const void *a, const void *b)
{
    const struct og_noted *x = *(struct og_noted *const *)a, *y = *(struct og_noted *const *)b;

    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->col != y->col)
        return x->col < y->col ? -1 : 1;
    return x->nth < y->nth ? -1 : x->nth > y->nth;
}

void og_diagnostics_report(struct og_diagnostics *f, enum og_status status, og_diagnostic_listener *listener,
                           void *with, struct og_error *err)
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
            og_fail_at(err, status, n->file, n->line, n->col, "%s", n->text);
        if (listener)
            listener(with, &(struct og_diagnostic){ .severity = n->severity,
                                                    .file = n->file,
                                                    .line = n->line,
                                                    .col = n->col,
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

void og_diagnostic_unknown(struct og_diagnostics *f, int line, int col, struct og_str name, const char *what,
                           const char *const *known, size_t count)
{
    og_diagnostic_here(f, line, col, "unknown-key", "unknown %s '%s'%s", what, og_see(name).s,
                       og_diagnostic_hint(f, name, known, count));
}
