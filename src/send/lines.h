/*
 * Splits NDJSON into lines: bytes are pushed in, and lines are passed to a callback. At most one line of
 * OG_SEND_LINE_MOST bytes is kept; a longer line is passed on with one byte more than that.
 */
#pragma once

#include "base/buf.h"

#define OG_SEND_LINE_MOST \
    ((size_t)1 << 20) /* maximum length of a line in bytes, without its newline; see "Candidate orders" in
                       * docs/contract.md */

struct og_lines {
    struct og_buf held; /* the bytes read so far of a line that has not ended */
    bool too_long;      /* the line is longer than `held` can be; the rest of its bytes are dropped */
    long long number;   /* number of the newest line, from 1; blank lines count */
};

typedef void og_line_taker(void *with, long long number, const char *line, size_t len);

void og_lines_init(struct og_lines *l);
void og_lines_clear(struct og_lines *l);
/* Split bytes into lines and pass each complete line to take(), without its newline. Blank lines are counted, but not
 * passed on. A carriage return before the newline, and a byte order mark at the start of the input, are removed. */
void og_lines_push(struct og_lines *l, const char *bytes, size_t len, og_line_taker *take, void *with);
/* Pass on the last line if it has no newline. Call this at the end of the input. */
void og_lines_end(struct og_lines *l, og_line_taker *take, void *with);
