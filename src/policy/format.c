/*
 * Formats YAML documents in which the reader of policies has found no fault.
 */
#include <stdlib.h>

#include "base/error.h"
#include "text/diagnostics.h"
#include "text/yaml.h"
#include "text/yaml_layout.h"

static void note_fault(void *with, int line, int col, const char *code, const char *text)
{
    og_diagnostic_here(with, line, col, code, "%s", text);
}

static enum og_status lay_out(const char *yaml, size_t len, struct og_diagnostics *faults, struct og_buf *to)
{
    struct og_arena arena;
    struct og_yaml *root;
    enum og_status status;

    og_arena_init(&arena, 0);
    status = og_yaml_read(yaml, len, &arena, note_fault, faults, &root);
    og_arena_clear(&arena);
    if (status != OG_OK)
        return status;
    return og_yaml_layout(yaml, len, to);
}

enum og_status og_yaml_format(const char *yaml, size_t len, const char *name, char **to, size_t *to_len,
                              og_diagnostic_listener *listener, void *with, struct og_error *err)
{
    struct og_arena arena;
    struct og_diagnostics faults = { .arena = &arena, .file = name };
    struct og_buf out;
    enum og_status status;

    if (to)
        *to = NULL;
    if (!yaml || !name || !to || !to_len)
        return og_missing(err);
    og_arena_init(&arena, 0);
    og_buf_init(&out, 0);
    status = lay_out(yaml, len, &faults, &out);
    og_diagnostics_report(&faults, OG_ESYNTAX, listener, with, err);
    if (status == OG_OK) {
        *to = out.s;
        *to_len = out.len;
    } else {
        og_buf_clear(&out);
        if (status == OG_ENOMEM || faults.oom)
            status = og_fail(err, OG_ENOMEM, "out of memory laying out a document");
        else if (!faults.count)
            (void)og_fail(err, OG_ESYNTAX, "'%s' cannot be laid out without changing what it says: lay it out by hand",
                          name);
    }
    og_arena_clear(&arena);
    return status;
}
