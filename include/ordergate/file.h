/*
 * Open the files that decisions depend on: policies, facts, lists, broker files, secrets, keys, signatures, ledgers,
 * halt flags.  A file that another user of the machine could have written or replaced is never opened.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_FILE_H
#define ORDERGATE_FILE_H

#include <stddef.h>
#include <sys/stat.h>

#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a file may be opened; values are combined with |. */
enum og_file_how {
    OG_FILE_READ = 0,   /* a regular file, to read */
    OG_FILE_FIFO = 1,   /* also a FIFO, which is opened for reading and writing, so that it does not end when its writer
                         * does */
    OG_FILE_SECRET = 2, /* only a file that only its owner may read */
    OG_FILE_PLAIN = 8,  /* reject the path if it is a symbolic link itself */
    OG_FILE_MAKE = 4    /* to read and write; created with mode 0600 if it is missing */
};

/* Open path after checking it: it must be a regular file that belongs to this user or root, and that neither its group
 * nor others may write.  The same must hold for every folder from the root down to it, and for every folder that a
 * symbolic link on the way leads through.  (Others may write a folder with the sticky bit, since they cannot rename our
 * files there; a link in such a folder must belong to this user or root.)  "-", /dev/stdin, /dev/fd/N and
 * /proc/self/fd/N mean a duplicate of a descriptor that this process was given.  Whoever started the process chose that
 * file, so its folders are not checked, and it may be a pipe, socket or terminal.  Opening never blocks, and never
 * opens a device.  The checks use descriptors, each opened relative to that of its folder, so a path that changes
 * meanwhile cannot lead to an unchecked file.
 *   OG_OK  *fd is open, close-on-exec, and the caller's; *st (may be NULL) is what fstat() said
 *   OG_EIO *fd is -1; err names the path, what was seen, what is allowed and what to do; err->cause is ENOENT if there
 *          is no such file, EPERM if another user could have written or replaced it, else the errno
 *   OG_EINVAL  path or fd is NULL
 * Thread-safe; keeps nothing. */
OG_API OG_MUST_USE enum og_status og_file_open(const char *path, unsigned how, int *fd, struct stat *st,
                                               struct og_error *err);

/* Open path as og_file_open() does and read it to its end.  A given descriptor of a regular file is read from its
 * beginning, without moving its offset.  most is the largest file allowed, in bytes.
 *   OG_OK      *bytes holds *len bytes and a NUL; the caller frees it with free()
 *   OG_EIO     as for og_file_open(); err->cause is EFBIG if the file is larger than most
 *   OG_ENOMEM  In both *bytes is NULL. */
OG_API OG_MUST_USE enum og_status og_file_read(const char *path, unsigned how, size_t most, char **bytes, size_t *len,
                                               struct stat *st, struct og_error *err);

/* Tell a listener every path that the library is about to open in this process, whether or not a file has that path.
 * If listener is NULL, nobody is told.  Call it while no other thread opens files; the listener is called by the
 * thread that opens. */
typedef void og_file_listener(void *with, const char *path);
OG_API void og_file_listen(og_file_listener *listener, void *with);

#ifdef __cplusplus
}
#endif
#endif
