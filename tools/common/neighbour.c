/*
 * The other programs; see tools/common/neighbour.h.  It refuses to search a PATH for them.
 */
#include "tools/common/neighbour.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

bool neighbour_path(const char *name, char path[NEIGHBOUR_MOST])
{
    ssize_t len = readlink("/proc/self/exe", path, NEIGHBOUR_MOST - 1);
    char *end;
    int room, n;

    if (len < 0)
        return false;
    path[len] = '\0';
    end = strrchr(path, '/') + 1;
    room = (int)(NEIGHBOUR_MOST - (end - path));
    n = snprintf(end, (size_t)room, "ordergate-%s", name);
    errno = n < room ? 0 : ENAMETOOLONG;
    return n < room;
}
