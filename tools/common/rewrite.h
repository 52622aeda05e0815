/*
 * Replaces a file by a changed text, or prints the change as a diff: `ordergate lint --fix`, `ordergate fmt`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Print the change as a unified diff on stdout.  Returns false after a message if memory is out. */
bool rewrite_print_diff(const char *program, const char *path, const char *old, size_t old_len, const char *new,
                        size_t new_len);
/* Replace the file if it still holds the old text; a symbolic link stays one.  Returns false if an error was printed on
 * stderr; the file is then as it was. */
bool rewrite_file(const char *program, const char *path, const char *old, size_t old_len, const char *new,
                  size_t new_len);
