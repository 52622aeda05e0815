/*
 * Prints annotations of a GitHub workflow: lines "::error file=...,line=...,col=...,title=...::text".
 */
#pragma once

#include <stdio.h>

/* Print the beginning of an annotation; line is 0 if no line is known.  The caller then prints the text and ends the
 * line. */
void og_github_begin(FILE *to, const char *severity, const char *file, int line, int col, const char *title);
void og_github_text(FILE *to, const char *text); /* escapes line ends */
