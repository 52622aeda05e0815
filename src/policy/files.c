/*
 * Detects changes of files by their status, without reading them.
 */
#include "policy/files.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static int64_t ns(const struct timespec *t)
{
    return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

struct og_file_mark og_file_mark_of(const struct stat *st)
{
    int64_t data, inode;

    if (!st)
        return (struct og_file_mark){ 0 };
    data = ns(&st->st_mtim);
    inode = ns(&st->st_ctim);
    return (struct og_file_mark){ st->st_dev, st->st_ino, st->st_size, data > inode ? data : inode };
}

static bool same(const struct og_file_mark *a, const struct og_file_mark *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size && a->changed == b->changed;
}

bool og_files_note(struct og_files *files, const char *path, struct og_file_mark mark)
{
    char *copy = strdup(path);

    if (!copy || !OG_GROW(files->file, files->count, files->room, 8)) {
        free(copy);
        return false;
    }
    files->file[files->count++] = (struct og_file_seen){ copy, mark };
    return true;
}

bool og_files_changed(const struct og_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        struct stat st;
        struct og_file_mark now = og_file_mark_of(stat(files->file[i].path, &st) ? NULL : &st);

        if (!same(&files->file[i].mark, &now))
            return true;
    }
    return false;
}

bool og_files_agree(const struct og_files *some, const struct og_files *all)
{
    for (size_t i = 0; i < some->count; i++) {
        size_t k = 0;

        while (k < all->count &&
               (strcmp(some->file[i].path, all->file[k].path) != 0 || !same(&some->file[i].mark, &all->file[k].mark)))
            k++;
        if (k == all->count)
            return false;
    }
    return true;
}

void og_files_clear(struct og_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->file[i].path);
    free(files->file);
    *files = (struct og_files){ 0 };
}
