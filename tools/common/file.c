/*
 * Files of facts, read whole; see tools/common/file.h.
 */
#include "tools/common/file.h"

#include <stdio.h>

#include "ordergate/file.h"

#define FILE_MOST ((size_t)256 << 20)

char *file_read(const char *path, size_t *len, struct stat *st, char *why, size_t why_size)
{
    struct og_error err = { .status = OG_OK };
    char *bytes;

    if (og_file_read(path, OG_FILE_READ, FILE_MOST, &bytes, len, st, &err))
        snprintf(why, why_size, "%s", err.text);
    return bytes;
}
