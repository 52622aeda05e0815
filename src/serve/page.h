/*
 * What the pages for people have in common that programs serve: header fields, style, and text from outside.
 */
#pragma once

#include "base/buf.h"
#include "base/str.h"

/* Write the header fields of an answer to a browser: its type, and that nothing but this server's own files may be
 * loaded, run, framed or kept. */
void og_serve_page_fields(struct og_buf *fields, const char *type);
/* The same for an HTML page with forms, which may be posted to this server alone. */
void og_serve_page_form_fields(struct og_buf *fields);
/* Write a text as part of an HTML document, on one line: control characters become blanks. */
void og_serve_page_text(struct og_buf *b, struct og_str text);
/* The style sheet: light and dark, tables, lists of terms. */
extern const char og_serve_page_style[];
