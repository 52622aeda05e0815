/*
 * Diagnostics of scenario files, kept sorted by file and place.  There are no warnings: a scenario with any error is
 * not served.
 */
#include "paper/diagnostics.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "text/pattern.h"

#define LIST_MOST 200 /* bytes of a list of known names; a longer one is left out */

struct og_paper_shown og_paper_show(struct og_str text)
{
    struct og_paper_shown seen;
    size_t cut = text.len < sizeof seen.s ? text.len : sizeof seen.s - 4;

    while (cut < text.len && cut > 0 && ((unsigned char)text.s[cut] & 0xC0) == 0x80)
        cut--; /* do not cut inside a UTF-8 character */
    snprintf(seen.s, sizeof seen.s, "%.*s%s", (int)cut, text.len ? text.s : "", cut < text.len ? "..." : "");
    og_text_mask(seen.s);
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
    const char *nearest = og_nearest(name, known, count);
    char room[LIST_MOST + 100] = "";
    struct og_buf b;
    size_t i, kept;

    og_buf_init_fixed(&b, room, sizeof room);
    if (nearest)
        og_buf_format(&b, "; did you mean '%s'?", nearest);
    kept = b.len;
    og_buf_text(&b, nearest ? " known: " : "; known: ");
    for (i = 0; i < count; i++)
        og_buf_format(&b, "%s%s", i ? ", " : "", known[i]);
    if (b.bad || count == 0 || b.len - kept > LIST_MOST)
        room[kept] = '\0';
    og_paper_diagnostics_add(diagnostics, line, col, "unknown-key", "unknown %s '%s'%s", what, og_paper_show(name).s,
                             room);
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
