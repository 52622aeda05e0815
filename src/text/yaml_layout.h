/*
 * The format of a YAML document: indentation, blanks, blank lines and the columns of trailing comments.  Formatting
 * does not change values and their quoting, their sequence, line breaks and comments.
 */
#pragma once

#include "base/buf.h"
#include "ordergate/status.h"

/* Append the formatted document.  The document must be one that og_yaml_read() reads without a fault.
 *   OG_ESYNTAX  the formatted document would have another meaning: nothing of it may be used
 *   OG_ENOMEM */
enum og_status og_yaml_layout(const char *bytes, size_t len, struct og_buf *to);
