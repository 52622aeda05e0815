/*
 * Annotations of a GitHub workflow: "::error file=...,line=...,col=...,title=...::text", a line each.
 */
#ifndef OG_TOOLS_GITHUB_H
#define OG_TOOLS_GITHUB_H

#include <stdio.h>

/* All before the text; line 0: it has no place.  The caller writes the text, in parts, and ends the line. */
void og_github_begin(FILE *to, const char *severity, const char *file, int line, int col, const char *title);
void og_github_text(FILE *to, const char *text); /* ends of lines in it are escaped */

#endif
