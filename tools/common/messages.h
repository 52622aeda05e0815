/*
 * Messages for people on stderr: errors, diagnostics of policies.
 */
#pragma once

#include <stddef.h>

#include "ordergate/policy.h"

/* Write an error as "file:line:col: text"; parts that are not set are left out. */
const char *og_tool_error(const struct og_error *err, char *to, size_t size);
/* As og_tool_error(), and the option if the error begins with a text, such as a path, that an option gave. */
const char *og_tool_complaint(const struct og_error *err, char *to, size_t size);
/* Print "program: " and og_tool_complaint().  Returns code. */
int og_say(const char *program, const struct og_error *err, int code);
/* An og_diagnostic_listener that prints "file:line:col: error: text [code]" to `with`, a FILE *. */
void og_print_fault(void *with, const struct og_diagnostic *fault);
/* Print "program: option 'seen': expected allowed; see program --help".  Returns exit code 2. */
int og_bad_usage(const char *program, const char *option, const char *seen, const char *allowed);
/* Print text, free it and close stdout; text NULL: report that memory ran out.  Returns the exit code. */
int og_print_text(const char *program, char *text);
/* Flush and close stdout.  Returns exit code 0, or 4 after a message if the output could not be written. */
int og_close_stdout(const char *program);
/* Listeners that print a line on stdout.  og_print_line_now() also flushes stdout, so that the reader of a pipe sees
 * the line at once, and reports a failure if `with` is the program's name, not NULL.  They return -1 if the line cannot
 * be written. */
int og_print_line(void *with, const char *line, size_t len);
int og_print_line_now(void *with, const char *line, size_t len);
