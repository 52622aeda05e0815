/*
 * Files of facts: read whole, and refused when others may write them.
 */
#ifndef OG_TOOLS_FILE_H
#define OG_TOOLS_FILE_H

#include <stddef.h>
#include <sys/stat.h>

/* Read path ("-": stdin) into memory the caller frees; *st is what was read.  NULL: why holds a sentence. */
char *file_read(const char *path, size_t *len, struct stat *st, char *why, size_t why_size);

#endif
