/*
 * The other programs, which lie where this one lies.
 */
#ifndef OG_TOOLS_SIBLING_PROGRAM_H
#define OG_TOOLS_SIBLING_PROGRAM_H

#include <stdbool.h>

enum { SIBLING_PATH_MOST = 4096 };

/* Where ordergate-<name> lies: in this program's own folder.  false: errno. */
bool sibling_program_path(const char *name, char path[SIBLING_PATH_MOST]);

#endif
