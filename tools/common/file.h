/*
 * Reads files of facts, and rejects a file that other users may write.
 */
#ifndef OG_TOOLS_FILE_H
#define OG_TOOLS_FILE_H

#include <stddef.h>
#include <sys/stat.h>

/* Read path ("-": stdin) into memory that the caller frees; *st is the file's status.  Returns NULL with the reason in
 * why. */
char *file_read(const char *path, size_t *len, struct stat *st, char *why, size_t why_size);

#endif
