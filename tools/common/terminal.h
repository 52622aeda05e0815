/*
 * Tells whether stdout is a terminal, which gets tables, or a file or pipe, which gets JSON, and how wide the terminal
 * is.
 */
#pragma once

#include <stdbool.h>

#include "ordergate/show.h"

/* The values of --format, in this order. */
enum { FORMAT_AUTO, FORMAT_TABLE, FORMAT_JSON, FORMAT_NDJSON, FORMAT_CSV, FORMAT_HTML };

/* Returns the terminal's columns, or those of COLUMNS if it has none, from 40 to 1000; 80 if neither is known. */
int terminal_columns(void);
/* Returns true for FORMAT_TABLE, and for FORMAT_AUTO if stdout is a terminal. */
bool terminal_wants_table(int format);
/* Returns true if what is for people on stdout is to be coloured. choice: index of the value of --color (auto, always,
 * never). With auto: if stdout is a terminal, or CLICOLOR_FORCE is set and not 0; but not if NO_COLOR is set and not
 * empty, nor on a terminal whose TERM is "dumb" or with CLICOLOR=0. */
bool terminal_colour(int choice);
/* Returns true if documents are to be shown by a view: for FORMAT_TABLE and FORMAT_CSV, and for FORMAT_AUTO if stdout
 * is a terminal.  *look: how.  colour: the index of the value of --color. */
bool terminal_look(int format, int colour, struct og_show_look *look);
