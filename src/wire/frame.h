/*
 * What a stream frame is, told by its content, since the document names no envelope (GAP-11).
 * A frame that fits nothing is OG_FRAME_OTHER: counted by the caller, never an error.
 */
#ifndef OG_WIRE_FRAME_H
#define OG_WIRE_FRAME_H

#include "wire/row.h"

enum og_frame_kind {
    OG_FRAME_OTHER = 0,
    OG_FRAME_SYSTEM,       /* status and message */
    OG_FRAME_META,         /* confirmed */
    OG_FRAME_ORDER,        /* order */
    OG_FRAME_POSITION,     /* body is the position */
    OG_FRAME_PNL_INIT,     /* body holds the figures and positions */
    OG_FRAME_PNL_POSITION, /* body is the row with pnlCalc */
    OG_FRAME_PNL_TOTALS    /* body is the frame */
};

struct og_frame {
    enum og_frame_kind kind;
    cJSON *doc; /* owns everything below; freed by og_frame_clear() */
    const cJSON *body;
    struct og_str status, message; /* PENDING_AUTH, CONNECTED, FAILED_AUTH, INVALID_DATA, TERMINATED, ... */
    bool confirmed;
    struct og_order_row order;
};

/* Read one frame.  false: not JSON, or no object; *frame is then clear. */
bool og_frame_read(const char *bytes, size_t len, struct og_frame *frame);
void og_frame_clear(struct og_frame *frame);

#endif
