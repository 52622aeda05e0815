/*
 * Decoder of HTTP chunked transfer coding (RFC 9112, 7.1).
 */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

struct og_serve_chunked {
    enum {
        OG_CHUNKED_SIZE,
        OG_CHUNKED_DATA,
        OG_CHUNKED_END,
        OG_CHUNKED_TRAILER,
        OG_CHUNKED_DONE
    } at;         /* the part of the body that is read next; OG_CHUNKED_SIZE (0) at the start */
    size_t left;  /* bytes left of the current chunk */
    size_t total; /* bytes of data decoded so far */
    bool strict;  /* reject trailers, and extensions that are long or have control characters */
};

/* Decode the next bytes and append their data to body.  Returns how many bytes were used; -1 if they are not valid
 * chunked coding.  If c->at is not OG_CHUNKED_DONE afterwards, more input is needed. */
long og_serve_chunked_decode(struct og_serve_chunked *c, struct og_str in, struct og_buf *body);
