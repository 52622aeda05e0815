/*
 * Replaces a file by writing a new one and renaming it.  The new file is removed if anything fails.
 */
#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool put(int fd, const char *bytes, size_t len)
{
    size_t at = 0;

    while (at < len) {
        ssize_t n = write(fd, bytes + at, len - at);

        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? (size_t)n : 0;
    }
    return fsync(fd) == 0;
}

bool og_atomic_file_sync_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int fd;
    bool ok;

    snprintf(folder, sizeof folder, "%.*s", slash && slash != path ? (int)(slash - path) : 1, slash ? path : ".");
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ok = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    return ok;
}

bool og_atomic_file_write(const char *path, const char *bytes, size_t len, mode_t mode)
{
    char beside[PATH_MAX];
    int fd, cause, n = snprintf(beside, sizeof beside, "%s.XXXXXX", path);
    struct stat st;
    bool ok;

    if (n < 0 || (size_t)n >= sizeof beside) {
        errno = ENAMETOOLONG;
        return false;
    }
    if ((fd = mkostemp(beside, O_CLOEXEC)) < 0)
        return false;
    if (mode == 0)
        mode = stat(path, &st) == 0 ? st.st_mode & 07777 : 0600;
    ok = put(fd, bytes, len) && fchmod(fd, mode) == 0;
    ok = close(fd) == 0 && ok;
    ok = ok && rename(beside, path) == 0 && og_atomic_file_sync_folder(path);
    cause = errno;
    if (!ok)
        (void)unlink(beside);
    errno = cause;
    return ok;
}
