/*
 * The ledger's folder, file and run locks.
 * It refuses a file or folder that others may write: who can write the record can make an order be sent again.
 */
#include "ledger/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

#include "base/banned.h"

static enum og_status make_folders(char *path, struct og_error *err)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST) {
            enum og_status status =
                og_fail_because(err, OG_ELEDGER, errno, "folder '%s' of the ledger cannot be made: %s", path, strerror(errno));

            *slash = '/';
            return status;
        }
        *slash = '/';
    }
    return OG_OK;
}

/* A sticky folder (/tmp) lets nobody replace our file. */
static enum og_status look_at_folder(char *path, struct og_error *err)
{
    char *slash = strrchr(path, '/');
    const char *folder = slash == NULL ? "." : slash == path ? "/" : path;
    struct stat st;
    enum og_status status = OG_OK;

    if (slash != NULL && slash != path)
        *slash = '\0';
    if (stat(folder, &st) != 0)
        status = og_fail_because(err, OG_ELEDGER, errno, "folder '%s' of the ledger: %s", folder, strerror(errno));
    else if ((st.st_mode & S_IWOTH) != 0 && (st.st_mode & S_ISVTX) == 0)
        status = og_fail(err, OG_ELEDGER, "folder '%s' of the ledger may be written by others; chmod o-w it", folder);
    if (slash != NULL)
        *slash = '/';
    return status;
}

static enum og_status make_file(const char *path, struct og_error *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    enum og_status status = OG_OK;
    struct stat st;

    if (fd < 0)
        return og_fail_because(err, OG_ELEDGER, errno, "ledger '%s' cannot be opened for writing: %s", path, strerror(errno));
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        status = og_fail(err, OG_ELEDGER, "ledger '%s' is not a file", path);
    else if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        status = og_fail(err, OG_ELEDGER, "ledger '%s' may be written by others (mode %03o, wanted 600); chmod 600 it", path,
                         (unsigned)(st.st_mode & 0777));
    close(fd);
    return status;
}

enum og_status og_ledger_place(const char *path, struct og_error *err)
{
    char room[PATH_MAX];
    size_t len = strlen(path);
    enum og_status status;

    if (len == 0 || len >= sizeof(room))
        return og_fail(err, OG_ELEDGER, "the path of the ledger has %zu bytes, allowed are 1 to %zu", len, sizeof(room) - 1);
    memcpy(room, path, len + 1);
    if ((status = make_folders(room, err)) != OG_OK || (status = look_at_folder(room, err)) != OG_OK)
        return status;
    return make_file(path, err);
}

int og_ledger_runs_open(const char *path)
{
    char room[PATH_MAX + 8];
    int n = snprintf(room, sizeof(room), "%s-runs", path);

    if (n < 0 || (size_t)n >= sizeof(room)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(room, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

static struct flock byte(int64_t n)
{
    return (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = n, .l_len = 1 };
}

bool og_ledger_run_hold(int fd, int64_t n)
{
    struct flock lock = byte(n);

    return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

bool og_ledger_run_alive(int fd, int64_t n)
{
    struct flock lock = byte(n);

    return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}
