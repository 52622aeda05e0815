/*
 * Cells of CSV that a spreadsheet takes as texts: a text that it would evaluate as a formula is prefixed with an
 * apostrophe, and control characters are replaced by '?'.
 */
#pragma once

#include "base/buf.h"

/* Append a text in quotes. */
void og_csv_text(struct og_buf *b, struct og_str text);
