/*
 * Tables of the page. Headings are texts of the program; what cells show comes from outside, and is text.
 */
#pragma once

#include "base/buf.h"
#include "text/doc.h"

/* Begin a table. columns: the names of its columns, separated by '|'; a name that begins with '#' is that of a column
 * of numbers. */
void og_console_table(struct og_buf *b, const char *heading, const char *columns);
void og_console_table_end(struct og_buf *b);
void og_console_cell(struct og_buf *b, struct og_str text);
/* Write a number as it is spelled in the document; a dash if there is none. */
void og_console_cell_number(struct og_buf *b, const cJSON *object, const char *key);
/* Write an order's id as a link to the page about it. */
void og_console_cell_order(struct og_buf *b, struct og_str id);
