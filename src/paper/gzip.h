/*
 * Packing an answer for a client that asked for it.
 */
#ifndef OG_PAPER_GZIP_H
#define OG_PAPER_GZIP_H

#include "base/buf.h"
#include "base/str.h"

/* Whether an Accept-Encoding takes gzip: it names it, and not with a weight of 0. */
bool og_paper_gzip_taken(struct og_str accept);
/* The same bytes at every call.  false: out of memory, out is empty. */
bool og_paper_gzip(struct og_str plain, struct og_buf *out);

#endif
