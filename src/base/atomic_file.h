/*
 * Replaces a file atomically: a reader sees either all old bytes or all new bytes, even after a crash.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Write a file beside path, sync it and rename it over path.  mode: its permissions; 0 keeps those of the old file, or
 * 0600 if there is none.  Returns false with errno if a step fails; path is then unchanged. */
bool og_atomic_file_write(const char *path, const char *bytes, size_t len, mode_t mode);
/* Sync the folder of a file, so that its name is on the disk. Returns false with errno. */
bool og_atomic_file_sync_folder(const char *path);
