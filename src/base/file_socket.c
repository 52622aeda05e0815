/*
 * Makes sockets with a path.  The path is checked and entered by base/file.c; what is done to its last component is
 * done relative to the folder's descriptor, so that the path cannot lead elsewhere meanwhile.
 */
#include "base/file_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static bool no(struct og_file_why *why, int cause, const char *text)
{
    snprintf(why->text, sizeof why->text, "%s", text);
    errno = cause;
    return false;
}

static bool no_errno(struct og_file_why *why)
{
    char room[100], text[160];
    const int cause = errno;

    snprintf(text, sizeof text, "cannot be made: %s", strerror_r(cause, room, sizeof room));
    return no(why, cause, text);
}

static void close_quietly(int fd)
{
    const int cause = errno;

    if (fd >= 0)
        close(fd);
    errno = cause;
}

/* The address of an entry of the folder, by the folder's descriptor. Returns false if the name is too long. */
static bool address(int folder, const char *name, struct sockaddr_un *at, struct og_file_why *why)
{
    int n;

    *at = (struct sockaddr_un){ .sun_family = AF_UNIX };
    n = snprintf(at->sun_path, sizeof at->sun_path, "/proc/self/fd/%d/%s", folder, name);
    return n < (int)sizeof at->sun_path || no(why, ENAMETOOLONG, "has a name that is too long for a socket");
}

static int stream_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* Remove a socket of this user on which nobody listens. Returns false if something else has the name. */
static bool remove_stale(int folder, const char *name, const struct sockaddr_un *at, struct og_file_why *why)
{
    struct stat st;
    bool refused;
    int fd;

    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT || no_errno(why);
    if (!S_ISSOCK(st.st_mode))
        return no(why, EEXIST, "is neither a socket nor a FIFO: name one of these, or a path where nothing is");
    if (st.st_uid != geteuid())
        return no(why, EPERM, "is a socket of another user");
    fd = stream_socket();
    refused = fd >= 0 && connect(fd, (const struct sockaddr *)at, sizeof *at) != 0 && errno == ECONNREFUSED;
    close_quietly(fd);
    if (!refused)
        return no(why, EADDRINUSE, "is in use: another process listens there");
    return unlinkat(folder, name, 0) == 0 || no_errno(why);
}

/* The socket's mode is set before it has a name. */
static int bind_to(int folder, const char *name, const struct sockaddr_un *at, struct stat *st, struct og_file_why *why)
{
    int fd = stream_socket();

    if (fd >= 0 && fchmod(fd, 0600) == 0 && bind(fd, (const struct sockaddr *)at, sizeof *at) == 0 &&
        listen(fd, SOMAXCONN) == 0 && fstatat(folder, name, st, AT_SYMLINK_NOFOLLOW) == 0)
        return fd;
    (void)no_errno(why);
    close_quietly(fd);
    return -1;
}

int og_file_bind(const char *path, struct stat *st, struct og_file_why *why)
{
    char name[NAME_MAX + 1];
    struct sockaddr_un at;
    int fd = -1, folder = og_file_enter(path, name, why), locked = -1;

    if (folder < 0)
        return -1;
    /* of two processes that find the same socket stale, the second must not remove that of the first */
    locked = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (locked < 0 || flock(locked, LOCK_EX | LOCK_NB) != 0)
        (void)no_errno(why);
    else if (address(folder, name, &at, why) && remove_stale(folder, name, &at, why))
        fd = bind_to(folder, name, &at, st, why);
    close_quietly(locked);
    close_quietly(folder);
    return fd;
}

void og_file_unbind(const char *path, const struct stat *st)
{
    char name[NAME_MAX + 1];
    struct og_file_why why;
    struct stat now;
    int folder = og_file_enter(path, name, &why);

    if (folder >= 0 && fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_dev == st->st_dev &&
        now.st_ino == st->st_ino)
        (void)unlinkat(folder, name, 0);
    close_quietly(folder);
}
