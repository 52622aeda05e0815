/*
 * Diagnostics (text/diagnostics.h) at places of policies.
 */
#pragma once

#include "policy/source_location.h"
#include "text/diagnostics.h"

void og_diagnostic_add(struct og_diagnostics *f, enum og_severity severity, struct og_srcloc at, const char *code,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));
