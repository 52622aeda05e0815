/*
 * Compression of an answer for a client that accepts gzip.
 */
#pragma once

#include "base/buf.h"
#include "base/str.h"

/* Returns true if an Accept-Encoding header lists gzip with a weight above 0. */
bool og_paper_gzip_taken(struct og_str accept);
/* Compress; equal input gives equal output.  Returns false if out of memory; out is then empty. */
bool og_paper_gzip(struct og_str plain, struct og_buf *out);
