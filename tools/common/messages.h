/*
 * Messages for people on stderr: errors, diagnostics of policies, progress.
 */
#pragma once

#include <stddef.h>

#include "ordergate/policy.h"

/* Print an error as "file:line:col: text", without the parts that are not set. */
const char *og_tool_error(const struct og_error *err, char *to, size_t size);
/* An og_diagnostic_listener that prints "file:line:col: error: text [code]" to the FILE * in with. */
void og_print_fault(void *with, const struct og_diagnostic *fault);
/* Print "program: option 'seen': expected allowed; see program --help".  Returns exit code 2. */
int og_bad_usage(const char *program, const char *option, const char *seen, const char *allowed);
/* Print text, free it and close stdout; NULL: report that memory is out.  Returns the exit code. */
int og_print_text(const char *program, char *text);
/* Flush and close stdout.  Returns exit code 0, or 4 after a message if the output could not be written. */
int og_close_stdout(const char *program);
/* Print progress, "program: 12000 orders, 31 refused", at most twice a second, and only if stderr is a terminal. */
void og_progress(const char *program, long long orders, long long some, const char *word);
void og_progress_end(void);
