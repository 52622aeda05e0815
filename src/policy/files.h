/*
 * Files a policy was made of, as they stood when they were read, so that it can be told later that one has changed:
 * also one that was not there, and is now.
 */
#ifndef OG_POLICY_FILES_H
#define OG_POLICY_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* What a file that is written again or renamed over does not keep. */
struct og_file_mark {
    uint64_t device, inode; /* both 0: there is no such file */
    int64_t size, changed;  /* bytes; ns, the later of data and inode */
};

struct og_file_seen {
    char *path;
    struct og_file_mark mark;
};

struct og_files { /* zeros: none */
    struct og_file_seen *file;
    size_t count, room;
};

struct og_file_mark og_file_mark_of(const struct stat *st); /* NULL: there was none */
/* false: out of memory. */
bool og_files_note(struct og_files *files, const char *path, struct og_file_mark mark);
bool og_files_changed(const struct og_files *files);
/* Whether each of some stands in all as it stood. */
bool og_files_agree(const struct og_files *some, const struct og_files *all);
void og_files_clear(struct og_files *files);

#endif
