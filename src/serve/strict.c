/*
 * What a strict reader rejects in addition to what every reader rejects (head.c): bytes that are not allowed in a head,
 * a target that is not a path, no Host, a field given twice that has one value, a body with a method that has none, and
 * chunked coding in HTTP/1.0, which does not define it.
 */
#include "serve/strict.h"

#include <string.h>
#include <strings.h>

/* Fields with one value, by which requests are decided: of two, another reader may take the other one. */
enum { HOST, ORIGIN, CONTENT_TYPE, SINGLES };
static const struct {
    const char *name, *twice;
} singles[SINGLES] = {
    [HOST] = { "host", "there are two Hosts" },
    [ORIGIN] = { "origin", "there are two Origins" },
    [CONTENT_TYPE] = { "content-type", "there are two Content-Types" },
};

/* Returns true if the byte may be in the name of a field (RFC 9110, 5.6.2). */
static bool is_token(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("!#$%&'*+-.^_`|~", c));
}

static bool has_control(struct og_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (((unsigned char)s.s[i] < ' ' && s.s[i] != '\t') || s.s[i] == 127)
            return true;
    return false;
}

static const char *check_first_line(struct og_str line)
{
    const char *blank = memchr(line.s, ' ', line.len);
    const size_t at = blank ? (size_t)(blank - line.s) + 1 : line.len;

    if (memchr(line.s, '\t', line.len))
        return "there is a tab in the first line";
    return at < line.len && line.s[at] == '/' ? NULL : "the target is not a path";
}

static const char *check_field(struct og_str line, bool seen[SINGLES])
{
    size_t i = 0, len, which = 0;

    while (i < line.len && is_token(line.s[i]))
        i++;
    if (!i || i == line.len || line.s[i] != ':')
        return "the name of a header has bytes that no name has";
    len = i;
    while (which < SINGLES &&
           (strlen(singles[which].name) != len || strncasecmp(line.s, singles[which].name, len) != 0))
        which++;
    if (which == SINGLES)
        return NULL;
    for (i++; i < line.len && (line.s[i] == ' ' || line.s[i] == '\t'); i++)
        continue;
    if (which == HOST && (i == line.len || memchr(line.s + i, ',', line.len - i)))
        return "Host is not one host";
    if (seen[which])
        return singles[which].twice;
    seen[which] = true;
    return NULL;
}

const char *og_serve_strict_bytes(struct og_str bytes)
{
    const char *line = bytes.s, *last = bytes.s + bytes.len - 2, *end, *wrong = NULL;
    bool seen[SINGLES] = { false };

    for (; !wrong && line < last; line = end + 2) {
        struct og_str s;

        end = memmem(line, (size_t)(last + 2 - line), "\r\n", 2);
        if (!end)
            return "the head does not end";
        s = (struct og_str){ line, (size_t)(end - line) };
        wrong = has_control(s)    ? "there is a control character"
                : line == bytes.s ? check_first_line(s)
                                  : check_field(s, seen);
    }
    return wrong ? wrong : seen[HOST] ? NULL : "there is no Host";
}

const char *og_serve_strict_head(const struct og_serve_head *head)
{
    if (head->chunked && head->old)
        return "there is chunked coding in HTTP/1.0";
    if ((head->chunked || head->length) && head->method != OG_METHOD_POST && head->method != OG_METHOD_PUT &&
        head->method != OG_METHOD_PATCH)
        return "there is a body where the method has none";
    return NULL;
}
