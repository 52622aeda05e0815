/*
 * A file replaced whole: who reads it sees the old bytes or the new ones, and after a crash too.
 */
#ifndef OG_BASE_REPLACE_H
#define OG_BASE_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Written beside it, synced, and renamed over it.  mode: its permissions; 0: they stay as they are, and a new file has
 * 0600.  Returns false with errno if it cannot be written; the file then stands as it was. */
bool og_replace_file(const char *path, const char *bytes, size_t len, mode_t mode);

#endif
