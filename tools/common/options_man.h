/*
 * What --help=man and --help=options print: parts of manual pages, in mdoc, made from a table of options.
 */
#pragma once

#include <string.h>

#include "tools/common/options.h"

static inline bool option_may_lack_value(const struct option_row *row)
{
    return row->value && strncmp(row->value, "[=", 2) == 0;
}

/* Returns the text between an option and its value. */
static inline const char *option_blank_of(const struct option_row *row)
{
    return row->value && !option_may_lack_value(row) ? " " : "";
}
/* Print the SYNOPSIS. */
void options_print_synopsis(const struct option_spec *spec);
/* Print the options with their help, as a section. */
void options_print_man_rows(const struct option_spec *spec);
