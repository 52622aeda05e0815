/*
 * The head of an HTTP/1.1 request.
 */
#ifndef OG_PAPER_REQUEST_HEAD_H
#define OG_PAPER_REQUEST_HEAD_H

#include "paper/http.h"

#define OG_PAPER_REQUEST_HEAD_MOST ((size_t)8192)

struct og_paper_request_head {
    enum og_paper_method method;
    struct og_str path, query; /* decoded, but for "%2F" and "%25" in the path */
    struct og_str key, secret; /* s NULL: the header is absent, here and below */
    struct og_str content_type, accept_encoding, host, origin;
    struct og_str socket_key; /* Sec-WebSocket-Key; there when a WebSocket is asked for as RFC 6455 has it */
    int64_t length;           /* of the body */
    bool closes;              /* the connection is to end with the answer */
    bool chunked;             /* the body comes in chunks */
    bool expects;             /* wants to be told to go on before it sends the body */
};

/* How long the head at the start of bytes is, the empty line that ends it included; 0: it is not all there.  Of a head
 * looked at before, as many bytes as were there then need no second look. */
size_t og_paper_request_head_end(struct og_str bytes, size_t looked_at);

/* Read a whole head; its texts stay in bytes, which are written over.  prefix is that of the key headers.  NULL, or
 * what is wrong with it. */
const char *og_paper_request_head_read(char *bytes, size_t len, struct og_str prefix,
                                       struct og_paper_request_head *head);

/* A part of the path between its slashes, wholly decoded; in room if need be.  false: it is longer than that. */
bool og_paper_request_head_segment(struct og_str *segment, char *room, size_t size);

#endif
