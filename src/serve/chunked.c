/*
 * Incremental decoder of chunked bodies. Rejects sizes of more than eight digits and lines over 1 KiB. Chunk extensions
 * and trailers are ignored; a strict decoder rejects trailers and unusual extensions.
 */
#include "serve/chunked.h"

#include "base/digits.h"

#define MOST_LINE   ((size_t)1024)
#define MOST_DIGITS 8
#define MOST_STRICT ((size_t)256) /* maximum length in bytes of an extension that a strict decoder ignores */

/* Returns the length of the first line without its line end; -1 if the line is incomplete; -2 if it is too long. */
static long line_len(struct og_str in)
{
    const char *end = in.len ? memmem(in.s, in.len, "\r\n", 2) : NULL;

    if (end ? end - in.s > (long)MOST_LINE : in.len > MOST_LINE)
        return -2;
    return end ? end - in.s : -1;
}

/* Returns true if a strict decoder ignores the extension, which is the part of the line from `from` on. */
static bool is_plain_extension(const char *line, size_t from, size_t len)
{
    for (size_t i = from; i < len; i++)
        if ((unsigned char)line[i] < ' ' || line[i] == 127)
            return false;
    return len - from <= MOST_STRICT;
}

static bool read_size(struct og_serve_chunked *c, const char *line, size_t len)
{
    size_t i;

    c->left = 0;
    for (i = 0; i < len && i < MOST_DIGITS && og_hex_digit(line[i]) >= 0; i++)
        c->left = c->left << 4 | (size_t)og_hex_digit(line[i]);
    c->at = c->left ? OG_CHUNKED_DATA : OG_CHUNKED_TRAILER;
    return i > 0 && (i == len || line[i] == ';' || (line[i] == ' ' && !c->strict)) &&
           (!c->strict || is_plain_extension(line, i, len));
}

/* Read a line: a chunk size, the end of a chunk's data, or a trailer.  Returns the bytes used, 0 if more are needed, or
 * -1 on a syntax error. */
static long read_line(struct og_serve_chunked *c, struct og_str in)
{
    long len = line_len(in);

    if (len < 0)
        return len == -1 ? 0 : -1;
    if (c->at == OG_CHUNKED_SIZE && !read_size(c, in.s, (size_t)len))
        return -1;
    if (c->at == OG_CHUNKED_END && len > 0)
        return -1;
    if (c->at == OG_CHUNKED_END)
        c->at = OG_CHUNKED_SIZE;
    return len + 2;
}

static long read_trailer(struct og_serve_chunked *c, struct og_str in)
{
    long len = read_line(c, in);

    if (len == 2)
        c->at = OG_CHUNKED_DONE;
    return c->strict && len > 2 ? -1 : len;
}

static long read_data(struct og_serve_chunked *c, struct og_str in, struct og_buf *body)
{
    size_t len = in.len < c->left ? in.len : c->left;

    og_buf_bytes(body, in.s, len);
    c->left -= len;
    c->total += len;
    if (!c->left)
        c->at = OG_CHUNKED_END;
    return (long)len;
}

long og_serve_chunked_decode(struct og_serve_chunked *c, struct og_str in, struct og_buf *body)
{
    long used = 0, n = 1;

    while (n > 0 && (size_t)used < in.len && c->at != OG_CHUNKED_DONE) {
        struct og_str rest = { in.s + used, in.len - (size_t)used };

        if (c->at == OG_CHUNKED_DATA)
            n = read_data(c, rest, body);
        else
            n = c->at == OG_CHUNKED_TRAILER ? read_trailer(c, rest) : read_line(c, rest);
        used += n > 0 ? n : 0;
    }
    return n < 0 ? -1 : used;
}
