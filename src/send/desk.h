/*
 * The status of a desk as a document, and as a table.
 */
#pragma once

#include "base/buf.h"
#include "text/doc.h"

/* Write a status document as a table, whose lines end with a newline. columns: maximum width of a line in
 * characters. */
void og_desk_table(const cJSON *doc, int columns, bool colour, struct og_buf *to);

/* Append milliseconds in words: "850ms", "12s", "3m", "5h", "2d". */
void og_desk_age(struct og_buf *to, int64_t ms);
