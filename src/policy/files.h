/*
 * The files that a policy was loaded from, with their status when they were read. A later comparison shows whether a
 * file has changed, or whether a missing file now exists.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* The part of a file's status that differs after it is rewritten or replaced. */
struct og_file_mark {
    uint64_t device, inode; /* device and inode of the file; both 0 if the file does not exist */
    int64_t size, changed;  /* size in bytes; changed: the later of the times of the data and of the inode, in ns */
};

struct og_file_seen {
    char *path;
    struct og_file_mark mark;
};

struct og_files { /* zeros: none */
    struct og_file_seen *file;
    size_t count, room;
};

struct og_file_mark og_file_mark_of(const struct stat *st); /* st is NULL if the file does not exist */
/* Add a file.  Returns false if out of memory. */
bool og_files_note(struct og_files *files, const char *path, struct og_file_mark mark);
bool og_files_changed(const struct og_files *files);
/* Returns true if `all` contains every file of `some` with the same mark. */
bool og_files_agree(const struct og_files *some, const struct og_files *all);
void og_files_clear(struct og_files *files);
