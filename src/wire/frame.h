/*
 * Stream frames, classified by content, since the service's document describes no envelope (docs/readings.md, GAP-11).
 * A frame that fits no kind is OG_FRAME_OTHER, which is not an error.
 */
#pragma once

#include "wire/row.h"

enum og_frame_kind {
    OG_FRAME_OTHER = 0,
    OG_FRAME_SYSTEM,       /* a message about the stream; the members status and message are set */
    OG_FRAME_META,         /* an acknowledgement; the member confirmed is set */
    OG_FRAME_ORDER,        /* the member order is set */
    OG_FRAME_POSITION,     /* body is the position */
    OG_FRAME_PNL_INIT,     /* body holds the figures and positions */
    OG_FRAME_PNL_POSITION, /* body is the row with pnlCalc */
    OG_FRAME_PNL_TOTALS    /* body is the whole frame */
};

struct og_frame {
    enum og_frame_kind kind;
    cJSON *doc; /* owns all texts below; freed by og_frame_clear() */
    const cJSON *body;
    struct og_str status, message; /* PENDING_AUTH, CONNECTED, FAILED_AUTH, INVALID_DATA, TERMINATED, ... */
    bool confirmed;
    struct og_order_row order;
};

/* Parse one frame. Returns false if it is not a JSON object; *frame is then cleared. */
bool og_frame_read(const char *bytes, size_t len, struct og_frame *frame);
void og_frame_clear(struct og_frame *frame);
