/*
 * A body that comes in chunks (RFC 9112, 7.1).
 */
#ifndef OG_PAPER_CHUNK_H
#define OG_PAPER_CHUNK_H

#include "base/buf.h"

struct og_paper_chunks {
    enum { OG_CHUNK_SIZE, OG_CHUNK_DATA, OG_CHUNK_END, OG_CHUNK_TRAILER, OG_CHUNK_DONE } at; /* zero at the start */
    size_t left;                                                                             /* of the chunk */
    size_t total;                                                                            /* of all so far */
};

/* Read on, adding data to the body; answers how many bytes were used, more being needed unless c->at is OG_CHUNK_DONE.
 * -1: these are no chunks. */
long og_paper_chunks_read(struct og_paper_chunks *c, struct og_str in, struct og_buf *body);

#endif
