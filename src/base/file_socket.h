/*
 * Sockets with a path, on which other programs of this user give a process their input.
 */
#pragma once

#include <sys/stat.h>

#include "base/file.h"

/* Listen on a socket of this path, which only this user and root may connect to (mode 0600). Its folder is checked as
 * by og_file_try(). A socket of this user that is there already, and on which nobody listens, is replaced. Returns the
 * descriptor, which is not blocking, and *st; or -1 with errno and *why set. */
int og_file_bind(const char *path, struct stat *st, struct og_file_why *why);
/* Remove the socket's name, unless it is another socket's by now. */
void og_file_unbind(const char *path, const struct stat *st);
