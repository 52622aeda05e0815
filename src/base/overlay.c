/*
 * Keeps each text in an anonymous file in memory, so that a reader gets a descriptor of a regular file with its own
 * inode, as for a file on the disk.
 */
#include "base/overlay.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/grow.h"

struct overlay {
    char *path;
    int fd;
};

static struct {
    struct overlay *item;
    size_t count, room;
} overlays;

bool og_overlay_canonical(const char *path, char to[PATH_MAX])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char folder[PATH_MAX], real[PATH_MAX];
    int n;

    if (realpath(path, to))
        return true;
    n = snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    if (errno != ENOENT || n < 0 || (size_t)n >= sizeof folder || !realpath(folder, real))
        return false;
    n = snprintf(to, PATH_MAX, "%s%s%s", real, strcmp(real, "/") == 0 ? "" : "/", name);
    return n > 0 && n < PATH_MAX;
}

static bool descriptors_hidden;

void og_overlay_hide_descriptors(void)
{
    descriptors_hidden = true;
}

bool og_overlay_hides_descriptors(void)
{
    return descriptors_hidden;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);

        if (n < 0 && errno != EINTR)
            return false;
        bytes += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static void drop(size_t i)
{
    close(overlays.item[i].fd);
    free(overlays.item[i].path);
    overlays.item[i] = overlays.item[--overlays.count];
    if (overlays.count == 0) {
        free(overlays.item);
        overlays.item = NULL;
        overlays.room = 0;
    }
}

bool og_overlay_set(const char *path, const char *bytes, size_t len)
{
    struct overlay made = { .fd = -1 };

    for (size_t i = overlays.count; i-- > 0;)
        if (strcmp(overlays.item[i].path, path) == 0)
            drop(i);
    if (!bytes)
        return true;
    made.path = strdup(path);
    made.fd = memfd_create("overlay", MFD_CLOEXEC);
    if (made.path && made.fd >= 0 && write_all(made.fd, bytes, len) &&
        OG_GROW(overlays.item, overlays.count, overlays.room, 8)) {
        overlays.item[overlays.count++] = made;
        return true;
    }
    if (made.fd >= 0)
        close(made.fd);
    free(made.path);
    return false;
}

/* Returns true if the overlay is for the file. path, which is canonical, is used only if the file is missing on the
 * disk. */
static bool is_for(const struct overlay *o, const char *path, const struct stat *disk)
{
    char own[PATH_MAX];
    struct stat st;

    if (disk)
        return stat(o->path, &st) == 0 && st.st_ino == disk->st_ino && st.st_dev == disk->st_dev;
    return og_overlay_canonical(o->path, own) && strcmp(own, path) == 0;
}

int og_overlay_open(const char *path, const struct stat *disk, struct stat *st)
{
    char own[PATH_MAX] = "";

    if (overlays.count > 0 && (disk || og_overlay_canonical(path, own)))
        for (size_t i = 0; i < overlays.count; i++)
            if (is_for(&overlays.item[i], own, disk)) {
                int fd = fcntl(overlays.item[i].fd, F_DUPFD_CLOEXEC, 3);

                return fd >= 0 && lseek(fd, 0, SEEK_SET) == 0 && fstat(fd, st) == 0 ? fd : -1;
            }
    errno = 0;
    return -1;
}
