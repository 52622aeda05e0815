/*
 * Diagnostics of scenario files, kept sorted by file and place.  There are no warnings: a scenario with any error is
 * not served.
 */
#include "paper/diagnostics.h"

#include "base/error.h"
#include "text/pattern.h"

struct og_paper_shown og_paper_show(struct og_str text)
{
    struct og_paper_shown seen;

    og_text_show(seen.s, sizeof seen.s, text);
    return seen;
}

static bool sorts_before(const struct og_paper_diagnostic *a, const struct og_paper_diagnostic *b)
{
    return a->line < b->line || (a->line == b->line && a->col <= b->col);
}

/* Insert a diagnostic in the order of its file; files follow each other in the order they were read. */
static void insert_diagnostic(struct og_paper_diagnostics *diagnostics, struct og_paper_diagnostic *f)
{
    struct og_paper_diagnostic **at = &diagnostics->first;

    while (*at && (*at)->file != f->file)
        at = &(*at)->next;
    while (*at && (*at)->file == f->file && sorts_before(*at, f))
        at = &(*at)->next;
    f->next = *at;
    *at = f;
}

void og_paper_diagnostics_add(struct og_paper_diagnostics *diagnostics, int line, int col, const char *code,
                              const char *format, ...)
{
    struct og_paper_diagnostic *f = og_arena_take(diagnostics->arena, sizeof *f);
    char text[600];
    va_list args;

    diagnostics->count++;
    va_start(args, format);
    og_text_format(text, sizeof text, format, args);
    va_end(args);
    if (!f || !(f->text = og_arena_copy(diagnostics->arena, og_str_of(text)).s)) {
        diagnostics->oom = true;
        return;
    }
    f->file = diagnostics->file;
    f->line = line;
    f->col = col;
    f->code = code;
    insert_diagnostic(diagnostics, f);
}

void og_paper_diagnostics_unknown(struct og_paper_diagnostics *diagnostics, int line, int col, struct og_str name,
                                  const char *what, const char *const *known, size_t count)
{
    char hint[OG_HINT_SIZE];

    og_nearest_hint(hint, name, known, count);
    og_paper_diagnostics_add(diagnostics, line, col, "unknown-key", "unknown %s '%s'%s", what, og_paper_show(name).s,
                             hint);
}

void og_paper_diagnostics_report(const struct og_paper_diagnostics *diagnostics, og_paper_listener *listener,
                                 void *with, struct og_error *err)
{
    const struct og_paper_diagnostic *f;

    for (f = diagnostics->first; f; f = f->next) {
        og_fail_at(err, OG_ESYNTAX, f->file, f->line, f->col, "%s", f->text);
        if (listener)
            listener(with, f);
    }
}
