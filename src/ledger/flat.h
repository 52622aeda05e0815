/*
 * Orders as rows of a table for other programs: every row has every column, and no value contains other values.
 */
#pragma once

#include "ledger/list.h"

/* Write the names of the columns, or the row of an order, without a newline at the end. */
void og_flat_names(struct og_buf *b);
void og_flat_row(struct og_buf *b, bool csv, const struct og_ledger_seen_row *seen, const cJSON *body);
