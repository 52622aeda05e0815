/*
 * Texts of files that a language client holds open: they are read in place of the bytes on the disk, by every reader
 * of this process.  Used by ordergate-lsp alone; a process that sets none reads the disk.
 * Threads: set them while no other thread opens files.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Read this text instead of the file at an absolute path, which need not exist; bytes NULL: read the disk again.
 * Returns false with errno. */
bool og_overlay_set(const char *path, const char *bytes, size_t len);
/* Open the text in place of a file that is on the disk (disk: its status) or missing (disk NULL).  Returns the
 * descriptor, with its status in *st; -1 with errno, 0 if there is no text for this file. */
int og_overlay_open(const char *path, const struct stat *disk, struct stat *st);
/* From now on "-", /dev/stdin, /dev/fd/N and the like name no descriptors of this process, but files: its input is that
 * of the client, and a policy that names it must not read it. */
void og_overlay_hide_descriptors(void);
bool og_overlay_hides_descriptors(void);
/* Write the path without links and dots to `to`; its last component need not exist.  Returns false with errno. */
bool og_overlay_canonical(const char *path, char to[PATH_MAX]);
