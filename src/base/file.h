/*
 * Opens files that decisions depend on (ordergate/file.h).  These functions return the reason of a failure as the end
 * of a sentence, for callers that name the file in their own words.
 */
#pragma once

#include <limits.h>

#include "base/buf.h"
#include "ordergate/file.h"

/* Why a file was not opened, as the rest of a message "'path' ..."; "" if it was opened. */
struct og_file_why {
    char text[400];
};

/* Open a file.  Returns the descriptor, or -1 with errno (EPERM: another user could have written or replaced the file)
 * and *why set. */
int og_file_try(const char *path, unsigned how, struct stat *st, struct og_file_why *why);

/* Check an existing file as og_file_try() does, without opening it: closing any descriptor of a file drops all locks
 * that this process has on the file, including SQLite's. Returns false with errno and *why set. */
bool og_file_look(const char *path, unsigned how, struct og_file_why *why);

/* Returns true if path names an inherited descriptor ("-", "/dev/fd/N", ...) that is no regular file: it can be read
 * only once. */
bool og_file_reads_once(const char *path);

/* Append all of fd to b; a regular file is read from its beginning.  Returns false with errno: EFBIG if b's limit is
 * reached, ENOMEM, or an error of read(). */
bool og_file_drain(int fd, struct og_buf *b);

/* Check that files can be kept safely in the folder at path: no other user may write the folder or replace one above
 * it. Returns false with errno and *why set, which is the rest of a message "folder 'path' ...". */
bool og_file_folder(const char *path, struct stat *st, struct og_file_why *why);

/* Check the folder that holds the last component of path, which must not be a symbolic link, and need not exist.
 * Returns a descriptor of the folder (O_PATH) and copies the component to name; or -1 with errno and *why set. */
int og_file_enter(const char *path, char name[NAME_MAX + 1], struct og_file_why *why);
