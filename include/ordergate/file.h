/*
 * Opening files that decide something: policies, facts, lists, broker files, secrets, keys, signatures, ledgers, flags.
 * Never opens what another user of the machine could have written or put in its place.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_FILE_H
#define ORDERGATE_FILE_H

#include "ordergate/status.h"

#include <stddef.h>
#include <sys/stat.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What may be opened, or-ed. */
enum og_file_how {
    OG_FILE_READ = 0, /* a regular file, to read */
    OG_FILE_FIFO = 1, /* a FIFO will do; it is opened for both ends, so that it never ends when its writer goes away */
    OG_FILE_SECRET = 2, /* a file that nobody but its owner may read */
    OG_FILE_PLAIN = 8,  /* path is not a symbolic link itself */
    OG_FILE_MAKE = 4    /* to read and write; made with mode 0600 if it is missing */
};

/* Open path, which is checked before a byte is read: a regular file that belongs to this user or root, which neither
 * its group nor others may write; and so for every folder from the root down to it and for each that a link on the way
 * leads through (a folder with the sticky bit may be written by others: nobody can rename our files there, and a link
 * in it must be ours or root's).  "-", /dev/stdin, /dev/fd/N and /proc/self/fd/N are the descriptor this process was
 * given, duplicated: whoever started it chose that file, so its folders are not looked at, and a pipe, socket or
 * terminal is taken as it is.  Opening never blocks, and opens no device.  The check is made on descriptors, each
 * opened from its folder's, so that a path that changes meanwhile is noticed or harmless.
 *   OG_OK  *fd is open, close-on-exec, and the caller's; *st (may be NULL) is what fstat() said
 *   OG_EIO *fd is -1; err names the path, what was seen, what is allowed and what to do; its cause is ENOENT when there
 *          is no such file, EPERM when one could have been written or replaced by another user, else the errno
 *   OG_EINVAL  path or fd is NULL
 * Thread-safe; keeps nothing. */
OG_API OG_MUST_USE enum og_status og_file_open(const char *path, unsigned how, int *fd, struct stat *st,
                                               struct og_error *err);

/* The same, and read to its end; of a descriptor that is a regular file, from its beginning and without moving its
 * offset.  most: the largest number of bytes that is read.
 *   OG_OK      *bytes holds *len bytes and a NUL, to be freed by the caller
 *   OG_EIO     as above, and cause EFBIG for one that has more bytes
 *   OG_ENOMEM  In both *bytes is NULL. */
OG_API OG_MUST_USE enum og_status og_file_read(const char *path, unsigned how, size_t most, char **bytes, size_t *len,
                                               struct stat *st, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
