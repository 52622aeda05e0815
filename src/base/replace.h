/*
 * A file replaced whole: who reads it sees the old bytes or the new ones, and after a crash too.
 */
#ifndef OG_BASE_REPLACE_H
#define OG_BASE_REPLACE_H

#include <stdbool.h>
#include <stddef.h>

/* Written beside it, synced, and renamed over it.  own: its permissions become 0600; else they stay as they are, and a
 * new file is 0600 too.  false: errno, and the file stands as it was. */
bool og_replace_file(const char *path, const char *bytes, size_t len, bool own);

#endif
