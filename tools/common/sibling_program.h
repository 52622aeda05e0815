/*
 * Finds the other programs, which are in the same folder as this one.
 */
#ifndef OG_TOOLS_SIBLING_PROGRAM_H
#define OG_TOOLS_SIBLING_PROGRAM_H

#include <stdbool.h>

enum { SIBLING_PATH_MOST = 4096 };

/* Get the path of ordergate-<name> in this program's folder.  Returns false with errno. */
bool sibling_program_path(const char *name, char path[SIBLING_PATH_MOST]);

#endif
