/*
 * Finds the other programs; see tools/common/sibling_program.h.  PATH is not searched.
 */
#include "tools/common/sibling_program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

bool sibling_program_path(const char *name, char path[SIBLING_PATH_MOST])
{
    ssize_t len = readlink("/proc/self/exe", path, SIBLING_PATH_MOST - 1);
    char *end;
    int room, n;

    if (len < 0)
        return false;
    path[len] = '\0';
    end = strrchr(path, '/') + 1;
    room = (int)(SIBLING_PATH_MOST - (end - path));
    n = snprintf(end, (size_t)room, "ordergate-%s", name);
    errno = n < room ? 0 : ENAMETOOLONG;
    return n < room;
}
