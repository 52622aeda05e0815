/*
 * Compares the files of an open ledger with the files that are found under their names now.
 */
#include "ledger/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "ledger/place.h"

static const char *const ends[OG_LEDGER_PARTS] = { "", "-wal", "-shm", "-runs" };

static const char *name_of(char room[PATH_MAX + 8], const char *path, size_t part)
{
    snprintf(room, PATH_MAX + 8, "%s%s", path, ends[part]);
    return room;
}

void og_ledger_parts_init(struct og_ledger_parts *p)
{
    for (size_t i = 0; i < OG_LEDGER_PARTS; i++)
        p->fd[i] = -1;
}

enum og_status og_ledger_parts_open(struct og_ledger_parts *p, const char *path, struct og_error *err)
{
    char room[PATH_MAX + 8];

    for (size_t i = 0; i < OG_LEDGER_PARTS; i++)
        if ((p->fd[i] = open(name_of(room, path, i), O_PATH | O_CLOEXEC)) < 0)
            return og_fail_because(err, OG_ELEDGER, og_ledger_code(errno),
                                   "'%s', a part of the ledger, cannot be found: %s", room, strerror(errno));
    return OG_OK;
}

void og_ledger_parts_close(struct og_ledger_parts *p)
{
    for (size_t i = 0; i < OG_LEDGER_PARTS; i++)
        if (p->fd[i] >= 0)
            close(p->fd[i]);
    og_ledger_parts_init(p);
}

static enum og_status report(const char *name, bool is_there, const struct stat *ours, struct og_error *err)
{
    const char *what = is_there             ? "was replaced by another file"
                       : ours->st_nlink > 0 ? "was renamed or moved"
                                            : "was deleted";

    return og_fail(err, OG_ELEDGER,
                   "ledger: '%s' %s while in use: other processes no longer see what is recorded in it. Nothing more "
                   "is sent.  Put the file back under its name, or restore a copy, before the next run",
                   name, what);
}

enum og_status og_ledger_parts_stay(const struct og_ledger_parts *p, const char *path, struct og_error *err)
{
    char room[PATH_MAX + 8];

    for (size_t i = 0; i < OG_LEDGER_PARTS; i++) {
        struct stat ours, named;
        bool is_there;

        if (p->fd[i] < 0 || fstat(p->fd[i], &ours) != 0)
            continue;
        is_there = stat(name_of(room, path, i), &named) == 0;
        if (!is_there || ours.st_ino != named.st_ino || ours.st_dev != named.st_dev)
            return report(room, is_there, &ours, err);
    }
    return OG_OK;
}
