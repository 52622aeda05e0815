/*
 * What stdout is: a terminal of so many columns, which gets tables, or a file or pipe, which gets JSON.
 */
#pragma once

#include <stdbool.h>

/* The values of --format, in this order. */
enum { FORMAT_AUTO, FORMAT_TABLE, FORMAT_JSON, FORMAT_NDJSON, FORMAT_CSV, FORMAT_HTML };

/* Returns the terminal's columns, or those of COLUMNS if it has none, from 40 to 1000; 80 if neither is known. */
int terminal_columns(void);
/* Returns true if a table is asked for, or a choice is left and stdout is a terminal. */
bool terminal_wants_table(int format);
