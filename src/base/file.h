/*
 * The one place where files that decide something are opened (ordergate/file.h); inside, with the reason as the end of
 * a sentence, because callers name such a file in their own words.
 */
#ifndef OG_BASE_FILE_H
#define OG_BASE_FILE_H

#include "base/buf.h"
#include "ordergate/file.h"

/* Why a file was not opened, completing "'path' ..."; "" when it was. */
struct og_file_why {
    char text[400];
};

/* Returns the descriptor; -1: errno (EPERM: another user could have written or replaced it), and why says so. */
int og_file_try(const char *path, unsigned how, struct stat *st, struct og_file_why *why);

/* Append all of fd to b, a regular file from its beginning.  Returns false with errno: EFBIG when b's limit is met,
 * ENOMEM, or of read(). */
bool og_file_drain(int fd, struct og_buf *b);

/* Whether folder (a path) and all above it are safe to keep files in, as for the folder of a file.  Returns false with
 * errno and why, which completes "folder 'path' ...". */
bool og_file_folder(const char *path, struct stat *st, struct og_file_why *why);

#endif
