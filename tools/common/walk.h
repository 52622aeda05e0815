/*
 * Files below a folder, in an order that does not depend on the file system.
 */
#ifndef OG_TOOLS_WALK_H
#define OG_TOOLS_WALK_H

#include <stdbool.h>
#include <stddef.h>

struct walked {
    char **path;
    size_t count, room;
};

/* Add every regular file below folder whose name ends in one of the endings (NULL-ended), sorted by name, folder by
 * folder; hidden ones are passed over, and links to folders are not followed.  false: errno, and folder_wrong says
 * where. */
bool walk_folder(const char *folder, const char *const *endings, struct walked *to, char *folder_wrong, size_t size);
bool walk_add(struct walked *to, const char *path); /* one more; false: out of memory */
void walk_clear(struct walked *w);

#endif
