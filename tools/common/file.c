/*
 * Files that decide something, read whole; see tools/common/file.h.
 */
#include "tools/common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MOST ((size_t)256 << 20)

static char *slurp(int fd, size_t *len)
{
    size_t room = 65536;
    char *s = malloc(room);

    *len = 0;
    while (s) {
        ssize_t n = read(fd, s + *len, room - *len - 1);
        char *more;

        if (n == 0) {
            s[*len] = '\0';
            return s;
        }
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 || *len + (size_t)n > FILE_MOST) {
            errno = n < 0 ? errno : EFBIG;
            break;
        }
        *len += (size_t)n;
        if (room - *len > 1)
            continue;
        more = realloc(s, room *= 2);
        if (!more)
            break;
        s = more;
    }
    free(s);
    return NULL;
}

char *file_read(const char *path, size_t *len, struct stat *st, char *why, size_t why_size)
{
    int is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    char *s;

    if (fd < 0 || fstat(fd, st)) {
        snprintf(why, why_size, "%s: cannot be read: %s", path, strerror(errno));
        if (fd > 0)
            close(fd);
        return NULL;
    }
    if (S_ISREG(st->st_mode) && (st->st_mode & S_IWOTH)) {
        snprintf(why, why_size, "%s: others may write it (mode %04o); chmod o-w it first", path,
                 (unsigned)(st->st_mode & 07777));
        if (!is_stdin)
            close(fd);
        return NULL;
    }
    s = slurp(fd, len);
    if (!s)
        snprintf(why, why_size, "%s: cannot be read: %s", path, strerror(errno));
    if (!is_stdin)
        close(fd);
    return s;
}
