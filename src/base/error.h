/*
 * Sets errors in the caller's struct og_error.  The first error is kept.
 */
#pragma once

#include <stddef.h>

#include "ordergate/status.h"

/* Set *err (unless NULL or already set) and return status, so that a function can fail with one statement: return
 * og_fail(err, OG_EPOLICY, "..."). */
enum og_status og_fail(struct og_error *err, enum og_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Set the error for a public function that was called with NULL where NULL is not allowed; returns OG_EINVAL. */
enum og_status og_missing(struct og_error *err);

/* Do what og_fail() does, with a place in a document; source may be NULL. */
enum og_status og_fail_at(struct og_error *err, enum og_status status, const char *source, int line, int col,
                          const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Do what og_fail() does, with the number of the cause (of errno, curl or SQLite). */
enum og_status og_fail_because(struct og_error *err, enum og_status status, int cause, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Format "file:line:col: text" into to, without the parts that are not set.  Returns to. */
const char *og_error_line(const struct og_error *err, char *to, size_t size);
