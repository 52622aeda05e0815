/*
 * The state folder, which only its user may read and write.  If others may read the folder, their permission is
 * removed. If others may write it, the folder is not used, because they may have made its files.  A relative
 * XDG_STATE_HOME is rejected, as the XDG specification demands.
 */
#include "base/state_dir.h"

#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

/* Write the home folder from the user database, for a process without HOME, as in a service or after env -i; "" if
 * there is none. */
static void home_of_user(char *to, size_t size)
{
    char room[2048];
    struct passwd entry, *user = NULL;

    to[0] = '\0';
    if (getpwuid_r(geteuid(), &entry, room, sizeof room, &user) == 0 && user && user->pw_dir[0] == '/')
        snprintf(to, size, "%s", user->pw_dir);
}

enum og_status og_state_dir_path(const char *name, char *to, size_t size, struct og_error *err)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool own = state && state[0] == '/';
    char room[512];
    int n;

    if (!own && !home) {
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

static enum og_status own_folder(const char *path, struct og_error *err)
{
    struct og_file_why why;
    struct stat st;

    if (!og_file_folder(path, &st, &why))
        return og_fail_because(err, OG_EIO, errno, "state folder '%s' %s", path, why.text);
    if (st.st_uid != geteuid())
        return og_fail_because(err, OG_EIO, EPERM,
                               "state folder '%s' belongs to uid %u, but you are uid %u: set XDG_STATE_HOME to a "
                               "folder of yours, or run as its owner",
                               path, (unsigned)st.st_uid, (unsigned)geteuid());
    if (st.st_mode & (S_IWGRP | S_IWOTH)) /* the folder is sticky, or og_file_folder() would have rejected it */
        return og_fail_because(err, OG_EIO, EPERM,
                               "state folder '%s' may be written by others: look at what is in it, then chmod 700 it",
                               path);
    if ((st.st_mode & (S_IRWXG | S_IRWXO)) && chmod(path, 0700) != 0)
        return og_fail_because(err, OG_EIO, errno, "state folder '%s' has mode %03o, must have 700: %s", path,
                               (unsigned)(st.st_mode & 0777), strerror(errno));
    return OG_OK;
}

enum og_status og_state_dir_file(const char *name, char *to, size_t size, struct og_error *err)
{
    enum og_status status = og_state_dir_path(name, to, size, err);
    char *slash;

    if (status != OG_OK)
        return status;
    for (slash = strchr(to + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(to, 0700) != 0 && errno != EEXIST)
            return og_fail_because(err, OG_EIO, errno, "folder '%s' cannot be made: %s", to, strerror(errno));
        *slash = '/';
    }
    slash = to + strlen(to) - strlen(name) - 1;
    *slash = '\0';
    status = own_folder(to, err);
    *slash = '/';
    return status;
}
