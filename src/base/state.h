/*
 * Where the gate keeps what outlives a run: $XDG_STATE_HOME/ordergate, else ~/.local/state/ordergate.
 * It refuses to open files: folders are made (mode 0700) and looked at, the files are the caller's.
 */
#ifndef OG_BASE_STATE_H
#define OG_BASE_STATE_H

#include "ordergate/status.h"

#include <stddef.h>

/* The path of a file there, nothing made.
 *   OG_EIO  neither XDG_STATE_HOME nor HOME, nor without that the user's home, is an absolute path, or it is longer
 *   than size */
enum og_status og_state_path(const char *name, char *to, size_t size, struct og_error *err);

/* The path of a file there ("budgets/ab12"), its folders made.
 *   OG_EIO  as above, a folder cannot be made, or the state folder is not safe: it must be this user's own, and neither
 *   it nor a folder above it may be written by others.  One that others may only read is closed (mode 0700) */
enum og_status og_state_file(const char *name, char *to, size_t size, struct og_error *err);

#endif
