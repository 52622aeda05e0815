/*
 * Reads the frames of LSP messages. A wrong header ends the session, because the next message cannot be found.
 */
#include "lsp/frame.h"

#include <ctype.h>
#include <strings.h>

#include "lsp/lsp.h"

#define LENGTH "Content-Length:"

/* Read a length. Returns false unless the line consists of a number of at most OG_LSP_MESSAGE_MOST. */
static bool read_length(struct og_str text, size_t *n)
{
    while (text.len && (text.s[0] == ' ' || text.s[0] == '\t'))
        text = (struct og_str){ text.s + 1, text.len - 1 };
    while (text.len && (text.s[text.len - 1] == ' ' || text.s[text.len - 1] == '\t'))
        text.len--;
    *n = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] < '0' || text.s[i] > '9' || *n > OG_LSP_MESSAGE_MOST)
            return false;
        *n = *n * 10 + (size_t)(text.s[i] - '0');
    }
    return text.len > 0 && *n <= OG_LSP_MESSAGE_MOST;
}

static bool has_name(struct og_str line)
{
    size_t len = 0;

    while (len < line.len && (isalnum((unsigned char)line.s[len]) || line.s[len] == '-'))
        len++;
    return len > 0 && len < line.len && line.s[len] == ':';
}

static bool read_line(struct og_str line, bool *known, size_t *length, const char **why)
{
    size_t n;

    if (line.len >= strlen(LENGTH) && strncasecmp(line.s, LENGTH, strlen(LENGTH)) == 0) {
        if (!read_length((struct og_str){ line.s + strlen(LENGTH), line.len - strlen(LENGTH) }, &n))
            *why = "Content-Length is not a number of at most 101711872 bytes";
        else if (*known && n != *length)
            *why = "the head has two lengths";
        *known = true;
        *length = n;
    } else if (!has_name(line)) {
        *why = "a line of the head has no name and colon: messages begin with Content-Length";
    }
    return !*why;
}

size_t og_lsp_frame(struct og_str bytes, struct og_str *body, const char **why)
{
    size_t at = 0, length = 0;
    bool known = false;

    *why = NULL;
    for (;;) {
        struct og_str rest = { bytes.s + at, bytes.len - at }, line = rest;
        const char *end = rest.len ? memchr(rest.s, '\n', rest.len) : NULL;

        if ((end ? (size_t)(end - bytes.s) : bytes.len) >= OG_LSP_HEAD_MOST) {
            *why = "the head of a message has more than 4096 bytes";
            return 0;
        }
        if (!end)
            return 0;
        line.len = (size_t)(end - rest.s);
        at += line.len + 1;
        if (line.len && line.s[line.len - 1] == '\r')
            line.len--;
        if (line.len == 0)
            break;
        if (!read_line(line, &known, &length, why))
            return 0;
    }
    if (!known)
        *why = "the head of a message has no Content-Length";
    if (!known || bytes.len - at < length)
        return 0;
    *body = (struct og_str){ bytes.s + at, length };
    return at + length;
}
