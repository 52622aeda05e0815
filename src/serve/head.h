/*
 * The head of an HTTP/1.1 request.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define OG_SERVE_HEAD_MOST ((size_t)8192)

enum og_serve_method {
    OG_METHOD_GET,
    OG_METHOD_POST,
    OG_METHOD_PUT,
    OG_METHOD_PATCH,
    OG_METHOD_DELETE,
    OG_METHOD_HEAD,
    OG_METHOD_OPTIONS,
    OG_METHOD_COUNT
};
extern const char *const og_serve_methods[OG_METHOD_COUNT];

struct og_serve_head {
    enum og_serve_method method;
    struct og_str path, query; /* percent-decoded, except "%2F" and "%25" in the path */
    struct og_str key, secret; /* .s is NULL if the header is absent, also for the following members */
    struct og_str content_type, accept, accept_encoding, host, origin;
    struct og_str socket_key; /* Sec-WebSocket-Key; set only for a valid WebSocket upgrade (RFC 6455) */
    int64_t length;           /* length of the body, in bytes */
    bool closes;              /* the connection must be closed after the answer */
    bool chunked;             /* the body has chunked transfer coding */
    bool old;                 /* the request is HTTP/1.0 */
    bool expects;             /* the client sent "Expect: 100-continue" */
};

/* Returns the length of the head at the start of bytes, including the empty line that ends it; 0 if the head is
 * incomplete. looked_at: number of bytes that earlier calls have already searched. */
size_t og_serve_head_end(struct og_str bytes, size_t looked_at);

/* How heads are read. */
struct og_serve_reading {
    struct og_str prefix; /* how the names of the key headers begin; empty if there are no key headers */
    /* also reject heads that one reader understands but others may not: no Host, two Hosts, Origins or Content-Types, a
     * target that is not a path, a body with a method that has none, chunked coding in HTTP/1.0, control characters.
     * The paper brokerage accepts these, as the service that it simulates does */
    bool strict;
};

/* Parse a complete head in place: its texts point into bytes, which are overwritten. Returns NULL, or a text that says
 * what is wrong with the head. */
const char *og_serve_head_read(char *bytes, size_t len, const struct og_serve_reading *how, struct og_serve_head *head);

/* Percent-decode a segment of the path; if it has escapes, it is decoded into `room`. Returns false if it is longer
 * than size. */
bool og_serve_head_segment(struct og_str *segment, char *room, size_t size);
