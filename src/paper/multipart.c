/*
 * Parser of multipart forms, in place. A field's value is the bytes between the field's blank line and the next
 * boundary; files, encodings and nested parts are not supported.
 */
#include "paper/multipart.h"

#include <strings.h>

#define MEDIA_TYPE    "multipart/form-data"
#define MOST_BOUNDARY 70 /* maximum length in RFC 2046 */

static struct og_str behind(struct og_str text, size_t n)
{
    return (struct og_str){ text.s + n, text.len - n };
}

static const char *seek(struct og_str text, const char *what, size_t len)
{
    return text.len >= len ? memmem(text.s, text.len, what, len) : NULL;
}

/* Get the value of a parameter, quoted or bare.  A longer name that ends in `name` does not match. */
static bool parameter(struct og_str text, const char *name, struct og_str *value)
{
    size_t len = strlen(name), i;
    const char *end;

    for (i = 1; i + len < text.len; i++)
        if ((text.s[i - 1] == ' ' || text.s[i - 1] == ';' || text.s[i - 1] == '\t') && text.s[i + len] == '=' &&
            strncasecmp(text.s + i, name, len) == 0)
            break;
    if (i + len >= text.len)
        return false;
    *value = behind(text, i + len + 1);
    if (value->len && value->s[0] == '"') {
        *value = behind(*value, 1);
        end = memchr(value->s, '"', value->len);
        if (!end)
            return false;
        value->len = (size_t)(end - value->s);
        return true;
    }
    for (i = 0; i < value->len && !strchr("; \t\r\n", value->s[i]); i++)
        ;
    value->len = i;
    return true;
}

bool og_paper_multipart_boundary(struct og_str content_type, struct og_str *boundary)
{
    size_t len = sizeof(MEDIA_TYPE) - 1;

    return content_type.len > len && strncasecmp(content_type.s, MEDIA_TYPE, len) == 0 &&
           strchr("; \t", content_type.s[len]) && parameter(behind(content_type, len), "boundary", boundary) &&
           boundary->len > 0 && boundary->len <= MOST_BOUNDARY;
}

/* Returns true if the header lines of a part say that its field has this name. */
static bool is_field(struct og_str head, const char *name)
{
    static const char disposition[] = "content-disposition:";
    struct og_str line, value;
    const char *end;

    for (; head.len; head = behind(head, line.len + (end ? 2 : 0))) {
        end = seek(head, "\r\n", 2);
        line = (struct og_str){ head.s, end ? (size_t)(end - head.s) : head.len };
        if (line.len > sizeof disposition && strncasecmp(line.s, disposition, sizeof disposition - 1) == 0)
            return parameter(behind(line, sizeof disposition - 1), "name", &value) && og_str_is(value, name);
    }
    return false;
}

/* Returns the beginning of the first part: after a boundary at the very start of the body, or after a preamble. */
static const char *first_part(struct og_str body, const char *mark, size_t len)
{
    const char *at;

    if (body.len >= len - 2 && memcmp(body.s, mark + 2, len - 2) == 0)
        return body.s + len - 2;
    at = seek(body, mark, len);
    return at ? at + len : NULL;
}

struct og_str og_paper_multipart_field(struct og_str body, struct og_str boundary, const char *name)
{
    static const struct og_str none;
    char mark[MOST_BOUNDARY + 4] = "\r\n--";
    size_t len = boundary.len + 4;
    const char *at, *end, *blank;
    struct og_str part;

    memcpy(mark + 4, boundary.s, boundary.len);
    for (at = first_part(body, mark, len); at; at = end + len) {
        part = behind(body, (size_t)(at - body.s));
        end = seek(part, mark, len);
        blank = seek(part, "\r\n\r\n", 4);
        if (!end || !blank || blank >= end) /* this is after the last boundary, or the part is incomplete */
            return none;
        part.len = (size_t)(blank - at);
        if (is_field(part, name))
            return (struct og_str){ blank + 4, end - blank > 4 ? (size_t)(end - blank - 4) : 0 };
    }
    return none;
}
