/*
 * Lists the files below a folder, in a sequence that does not depend on the file system.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct path_list {
    char **path;
    size_t count, room;
};

/* Add every regular file below folder whose name ends in one of the endings (NULL-terminated), sorted by name within
 * each folder.  Hidden files and folders are skipped, and links to folders are not followed.  Returns false, with errno
 * and the failed path in folder_wrong. */
bool directory_walk(const char *folder, const char *const *endings, struct path_list *to, char *folder_wrong,
                    size_t size);
bool path_list_add(struct path_list *to, const char *path); /* returns false if out of memory */
void path_list_clear(struct path_list *w);
