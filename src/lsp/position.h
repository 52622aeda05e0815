/*
 * The positions of LSP: a line, counted from 0, and an offset in the line, in UTF-16 code units, or in bytes if the
 * client accepts bytes.
 */
#pragma once

#include <stdint.h>

#include "base/str.h"

struct og_lsp_position {
    int64_t line, character;
};

/* Returns the byte offset of a position; if the position is outside of the text, the nearest offset in the text. */
size_t og_lsp_offset(struct og_str text, struct og_lsp_position at, bool bytes);
struct og_lsp_position og_lsp_position_of(struct og_str text, size_t offset, bool bytes);
/* Returns the byte offset in `text` of a diagnostic's place: line and col count from 1, col counts bytes, and a byte
 * order mark is not counted. */
size_t og_lsp_offset_of_place(struct og_str text, int line, int col);
/* Returns the end of the line that contains the offset, not counting the line end. */
size_t og_lsp_line_end(struct og_str text, size_t offset);
