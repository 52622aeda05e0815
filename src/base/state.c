/*
 * The state folder.
 * It refuses a relative XDG_STATE_HOME, as its specification does: the place would depend on where one stands.
 */
#include "base/state.h"

#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

#include "base/banned.h"

/* Without HOME, as in a service or after env -i: where the user database says.  "": nowhere. */
static void home_of_user(char *to, size_t size)
{
    char room[2048];
    struct passwd entry, *user = NULL;

    to[0] = '\0';
    if (getpwuid_r(geteuid(), &entry, room, sizeof room, &user) == 0 && user != NULL && user->pw_dir[0] == '/')
        snprintf(to, size, "%s", user->pw_dir);
}

enum og_status og_state_path(const char *name, char *to, size_t size, struct og_error *err)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool own = state != NULL && state[0] == '/';
    char room[512];
    int n;

    if (!own && home == NULL) {
        home_of_user(room, sizeof room);
        home = room;
    }
    if (!own && home[0] != '/')
        return og_fail(err, OG_EIO, "no place for state: set XDG_STATE_HOME or HOME to an absolute path");
    n = snprintf(to, size, "%s%s/ordergate/%s", own ? state : home, own ? "" : "/.local/state", name);
    if (n < 0 || (size_t)n >= size)
        return og_fail(err, OG_EIO, "the path of the state folder is longer than %zu bytes", size - 1);
    return OG_OK;
}

enum og_status og_state_file(const char *name, char *to, size_t size, struct og_error *err)
{
    enum og_status status = og_state_path(name, to, size, err);
    char *slash;

    if (status != OG_OK)
        return status;
    for (slash = strchr(to + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(to, 0700) != 0 && errno != EEXIST)
            return og_fail_because(err, OG_EIO, errno, "folder '%s' cannot be made: %s", to, strerror(errno));
        *slash = '/';
    }
    return OG_OK;
}
