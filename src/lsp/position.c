/*
 * Converts the positions of LSP to offsets and back. A line ends with "\n", "\r\n" or "\r".
 */
#include "lsp/position.h"

static size_t length_at(struct og_str text, size_t at)
{
    unsigned char c = (unsigned char)text.s[at];
    size_t len = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;

    return len < text.len - at ? len : text.len - at;
}

/* Returns the number of units (bytes or UTF-16 code units) that a character of len bytes takes in a position. */
static int units_of(size_t len, bool bytes)
{
    return bytes ? (int)len : len == 4 ? 2 : 1;
}

size_t og_lsp_line_end(struct og_str text, size_t offset)
{
    while (offset < text.len && text.s[offset] != '\n' && text.s[offset] != '\r')
        offset++;
    return offset;
}

/* Returns the offset of the next line, text.len + 1 if there is none. */
static size_t next_line(struct og_str text, size_t at)
{
    at = og_lsp_line_end(text, at);
    if (at + 1 < text.len && text.s[at] == '\r' && text.s[at + 1] == '\n')
        at++;
    return at + 1;
}

size_t og_lsp_offset(struct og_str text, struct og_lsp_position at, bool bytes)
{
    size_t start = 0, end;
    int64_t done = 0;

    for (int64_t line = 0; line < at.line && start <= text.len; line++)
        start = next_line(text, start);
    if (start > text.len)
        return text.len;
    for (end = og_lsp_line_end(text, start); start < end && done < at.character;) {
        size_t len = length_at(text, start);

        done += units_of(len, bytes);
        if (done > at.character) /* the position is in the middle of a character */
            break;
        start += len;
    }
    return start < end ? start : end;
}

struct og_lsp_position og_lsp_position_of(struct og_str text, size_t offset, bool bytes)
{
    struct og_lsp_position at = { 0, 0 };
    size_t start = 0, next;

    offset = offset < text.len ? offset : text.len;
    while ((next = next_line(text, start)) <= offset) {
        start = next;
        at.line++;
    }
    while (start < offset) {
        size_t len = length_at(text, start);

        at.character += units_of(len, bytes);
        start += len;
    }
    return at;
}

size_t og_lsp_offset_of_place(struct og_str text, int line, int col)
{
    size_t at = og_lsp_offset(text, (struct og_lsp_position){ line > 0 ? line - 1 : 0, 0 }, true), end;

    if (at == 0 && text.len >= 3 && memcmp(text.s, "\xEF\xBB\xBF", 3) == 0)
        at = 3;
    end = og_lsp_line_end(text, at);
    at += col > 0 ? (size_t)col - 1 : 0;
    return at < end ? at : end;
}
