/*
 * Texts of files that a language client holds open: every reader of this process reads them instead of the bytes on the
 * disk.  Used by ordergate-lsp alone; a process that sets no text reads the disk.
 * Threads: set texts only while no other thread opens files.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Read this text instead of the file at an absolute path; the file need not exist. If bytes is NULL, the disk is read
 * again. Returns false with errno. */
bool og_overlay_set(const char *path, const char *bytes, size_t len);
/* Open the text that stands in place of a file. disk: the status of that file on the disk, or NULL if it is missing.
 * Returns the descriptor, with its status in *st; -1 with errno; 0 if there is no text for this file. */
int og_overlay_open(const char *path, const struct stat *disk, struct stat *st);
/* From now on "-", /dev/stdin, /dev/fd/N and the like name files, not descriptors of this process: the standard
 * input belongs to the client, and a policy that names it must not read it. */
void og_overlay_hide_descriptors(void);
bool og_overlay_hides_descriptors(void);
/* Write the path without links and dots to `to`; its last component need not exist.  Returns false with errno. */
bool og_overlay_canonical(const char *path, char to[PATH_MAX]);
