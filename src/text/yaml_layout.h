/*
 * The usual layout of a YAML document: indentation, blanks, blank lines and the columns of trailing comments.  Values
 * and their quoting, their sequence, line breaks and comments do not change.
 */
#pragma once

#include "base/buf.h"
#include "ordergate/status.h"

/* Append the document in its usual layout.  The document must be one that og_yaml_read() reads without a fault.
 *   OG_ESYNTAX  the new layout would have another meaning: nothing of it may be used
 *   OG_ENOMEM */
enum og_status og_yaml_layout(const char *bytes, size_t len, struct og_buf *to);
