/*
 * Replaces a file by a changed text, or prints the change as a diff: `ordergate lint --fix`, `ordergate fmt`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Print the change as a unified diff on stdout.  Returns false after a message if memory is out. */
bool rewrite_print_diff(const char *program, const char *path, const char *old, size_t old_len, const char *new,
                        size_t new_len);
/* Replace the file if its content is still `old`; a symbolic link stays a link.  Returns false, with the file
 * unchanged, after an error was printed on stderr. */
bool rewrite_file(const char *program, const char *path, const char *old, size_t old_len, const char *new,
                  size_t new_len);
