/*
 * Finds the other programs, which are in the same folder as this one.
 */
#pragma once

#include <stdbool.h>

enum { SIBLING_PATH_MOST = 4096 };

/* Get the path of ordergate-<name> in this program's folder.  Returns false with errno. */
bool sibling_program_path(const char *name, char path[SIBLING_PATH_MOST]);
