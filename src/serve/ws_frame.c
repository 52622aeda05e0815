/*
 * Parser and writer of WebSocket frames.  Frames without a mask, reserved bits, extensions, and fragmented control
 * frames are rejected.
 */
#include "serve/ws_frame.h"

#include <libwebsockets.h>
#include <stdint.h>

#define GUID     "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
#define SHA1_LEN 20

/* Read a frame header.  Returns its length, including the mask's four bytes; 0 if it is incomplete. */
static size_t read_head(const unsigned char *b, size_t len, uint64_t *payload)
{
    size_t extra = (b[1] & 127) == 127 ? 8 : (b[1] & 127) == 126 ? 2 : 0, i;

    if (len < 2 + extra + 4)
        return 0;
    *payload = extra ? 0 : b[1] & 127;
    for (i = 0; i < extra; i++)
        *payload = *payload << 8 | b[2 + i];
    return 2 + extra + 4;
}

static bool is_known_opcode(int opcode)
{
    return opcode <= OG_WS_OP_BINARY || (opcode >= OG_WS_OP_CLOSE && opcode <= OG_WS_OP_PONG);
}

int og_serve_ws_frame_read(char *bytes, size_t len, size_t most, struct og_serve_ws_frame *frame)
{
    unsigned char *b = (unsigned char *)bytes;
    uint64_t payload;
    size_t at, i;
    int opcode;

    *frame = (struct og_serve_ws_frame){ .len = 0 };
    if (len < 2)
        return 0;
    opcode = b[0] & 15;
    if ((b[0] & 0x70) || !(b[1] & 0x80) || !is_known_opcode(opcode) ||
        (opcode >= OG_WS_OP_CLOSE && (!(b[0] & 0x80) || (b[1] & 127) > OG_WS_FRAME_CONTROL_MOST)))
        return OG_WS_CLOSE_PROTOCOL;
    at = read_head(b, len, &payload);
    if (at && payload > most)
        return OG_WS_CLOSE_TOO_LARGE;
    if (!at || len - at < payload)
        return 0;
    for (i = 0; i < payload; i++)
        b[at + i] ^= b[at - 4 + i % 4];
    *frame = (struct og_serve_ws_frame){
        (enum og_serve_ws_opcode)opcode, b[0] & 0x80, { bytes + at, (size_t)payload }, at + (size_t)payload
    };
    return 0;
}

size_t og_serve_ws_frame_write_header(unsigned char *payload, enum og_serve_ws_opcode opcode, size_t len)
{
    size_t extra = len > 0xffff ? 8 : len > 125 ? 2 : 0, i;
    unsigned char *head = payload - extra - 2;

    head[0] = (unsigned char)(0x80 | opcode);
    head[1] = (unsigned char)(extra == 8 ? 127 : extra == 2 ? 126 : len);
    for (i = 0; i < extra; i++)
        head[2 + i] = (unsigned char)((uint64_t)len >> 8 * (extra - 1 - i));
    return 2 + extra;
}

bool og_serve_ws_accept_key(struct og_str key, char *to, size_t size)
{
    unsigned char text[128], digest[SHA1_LEN];

    if (key.len + sizeof(GUID) > sizeof text)
        return false;
    memcpy(text, key.s, key.len);
    memcpy(text + key.len, GUID, sizeof(GUID) - 1);
    lws_SHA1(text, key.len + sizeof(GUID) - 1, digest);
    return lws_b64_encode_string((const char *)digest, SHA1_LEN, to, (int)size) > 0;
}
