/*
 * Tells whether stdout is a terminal, which gets tables, or a file or pipe, which gets JSON, and how wide the terminal
 * is.
 */
#pragma once

#include <stdbool.h>

/* The values of --format, in this order. */
enum { FORMAT_AUTO, FORMAT_TABLE, FORMAT_JSON, FORMAT_NDJSON, FORMAT_CSV, FORMAT_HTML };

/* Returns the terminal's columns, or those of COLUMNS if it has none, from 40 to 1000; 80 if neither is known. */
int terminal_columns(void);
/* Returns true for FORMAT_TABLE, and for FORMAT_AUTO if stdout is a terminal. */
bool terminal_wants_table(int format);
