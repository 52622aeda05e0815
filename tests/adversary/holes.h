/*
 * Holes that are known and not mended yet.  It refuses to hide any other.
 */
#ifndef ADVERSARY_HOLES_H
#define ADVERSARY_HOLES_H

#include <stdbool.h>

/* Whether a hole that a test names so is known. */
bool hole_is_known(const char *name);

#endif
