/*
 * The other programs, which lie where this one lies.
 */
#ifndef OG_TOOLS_NEIGHBOUR_H
#define OG_TOOLS_NEIGHBOUR_H

#include <stdbool.h>

enum { NEIGHBOUR_MOST = 4096 };

/* Where ordergate-<name> lies: in this program's own folder.  false: errno. */
bool neighbour_path(const char *name, char path[NEIGHBOUR_MOST]);

#endif
