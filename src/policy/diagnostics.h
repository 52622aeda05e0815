/*
 * Diagnostics (text/diagnostics.h) at places of policies.
 */
#pragma once

#include "policy/source_location.h"
#include "text/diagnostics.h"

void og_diagnostic_add(struct og_diagnostics *f, enum og_severity severity, struct og_srcloc at, const char *code,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Add an error at a place (og_error_add), at the value of a YAML node, or at the key of a node. */
#define og_error_add(f, ...) og_diagnostic_add((f), OG_ERROR, __VA_ARGS__)
#define og_error_at(f, source, node, code, ...) \
    og_diagnostic_add((f), OG_ERROR, og_srcloc_of((source), (node)), (code), __VA_ARGS__)
#define og_error_at_key(f, source, node, code, ...) \
    og_diagnostic_add((f), OG_ERROR, og_srcloc_of_key((source), (node)), (code), __VA_ARGS__)
