/*
 * The folder of files that outlive a run: $XDG_STATE_HOME/ordergate, or ~/.local/state/ordergate if XDG_STATE_HOME is
 * not set. Makes and checks folders (mode 0700); the caller opens the files.
 */
#pragma once

#include <stddef.h>

#include "ordergate/status.h"

/* Write the path of a file in the state folder; creates nothing.   OG_EIO  neither XDG_STATE_HOME, nor HOME, nor the
 * home in the user database is an absolute path, or it does not           fit */
enum og_status og_state_dir_path(const char *name, char *to, size_t size, struct og_error *err);

/* Write the path of a file in the state folder ("budgets/ab12"), and create the folders above it.
 *   OG_EIO  as above, a folder cannot be made, or the state folder is not safe: it must be this user's own, and neither
 *   it nor a folder above it may be written by others.  One that others may only read is closed (mode 0700) */
enum og_status og_state_dir_file(const char *name, char *to, size_t size, struct og_error *err);
