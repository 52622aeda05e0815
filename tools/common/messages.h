/*
 * Words for people, on stderr: errors, faults of policies, progress.  Never on stdout.
 */
#ifndef OG_TOOLS_MESSAGES_H
#define OG_TOOLS_MESSAGES_H

#include "ordergate/policy.h"

#include <stddef.h>

/* "file:line:col: text" of an error, parts that are missing left out. */
const char *og_tool_error(const struct og_error *err, char *to, size_t size);
/* An og_diagnostic_listener: "file:line:col: error: text [code]" on the FILE * given as with. */
void og_print_fault(void *with, const struct og_diagnostic *fault);
/* "program: option 'seen': expected allowed; see program --help"; answers 2. */
int og_bad_usage(const char *program, const char *option, const char *seen, const char *allowed);
/* Flush and close stdout: 0, or 4 with a word on stderr when what was written did not arrive. */
int og_close_stdout(const char *program);
/* "program: 12000 orders, 31 refused", twice a second at most, when stderr is a terminal. */
void og_progress(const char *program, long long orders, long long some, const char *word);
void og_progress_end(void);

#endif
