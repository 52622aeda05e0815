/*
 * Adds a diagnostic at a place of a policy.
 */
#include "policy/diagnostics.h"

void og_diagnostic_add(struct og_diagnostics *f, enum og_severity severity, struct og_srcloc at, const char *code,
                       const char *format, ...)
{
    va_list args;

    va_start(args, format);
    og_diagnostic_note(f, severity, at.source->name, at.source->order, at.line, at.col, code, format, args);
    va_end(args);
}
