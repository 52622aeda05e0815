/*
 * WebSocket frames (RFC 6455), as a server reads and writes them.
 */
#pragma once

#include "base/str.h"

enum og_serve_ws_opcode {
    OG_WS_OP_CONTINUATION = 0,
    OG_WS_OP_TEXT = 1,
    OG_WS_OP_BINARY = 2,
    OG_WS_OP_CLOSE = 8,
    OG_WS_OP_PING = 9,
    OG_WS_OP_PONG = 10
};
enum og_serve_ws_close_code {
    OG_WS_CLOSE_NORMAL = 1000,
    OG_WS_CLOSE_GOING_AWAY = 1001,
    OG_WS_CLOSE_PROTOCOL = 1002,
    OG_WS_CLOSE_UNSUPPORTED = 1003,
    OG_WS_CLOSE_POLICY = 1008,
    OG_WS_CLOSE_TOO_LARGE = 1009,
};

#define OG_WS_FRAME_HEADER_MOST  10
#define OG_WS_FRAME_CONTROL_MOST 125

struct og_serve_ws_frame {
    enum og_serve_ws_opcode opcode;
    bool last;             /* the final frame of its message */
    struct og_str payload; /* the payload, within the bytes that were read */
    size_t len;            /* length of the whole frame; 0 if more bytes are needed */
};

/* Parse the frame at the start of bytes, and unmask its payload in place. most: the maximum size of a payload. Returns
 * 0, or the close code for an invalid frame. */
int og_serve_ws_frame_read(char *bytes, size_t len, size_t most, struct og_serve_ws_frame *frame);

/* Write a frame header directly before the payload, where the caller must have left room. Returns the header's
 * length. */
size_t og_serve_ws_frame_write_header(unsigned char *payload, enum og_serve_ws_opcode opcode, size_t len);

/* Compute Sec-WebSocket-Accept for a Sec-WebSocket-Key. */
bool og_serve_ws_accept_key(struct og_str key, char *to, size_t size);
