/*
 * Reads forms strictly: what a form of our own pages cannot send is an error, not a guess.
 */
#include "serve/form.h"

#include <strings.h>

#include "base/digits.h"
#include "base/utf8.h"

#define FIELDS_MOST ((size_t)16)

/* Decode a value. Returns NULL, or what is wrong with it. */
static const char *decode(struct og_str from, char *to, size_t size)
{
    size_t len = 0;

    for (size_t i = 0; i < from.len; i++) {
        char c = from.s[i] == '+' ? ' ' : from.s[i];

        if (c == '%') {
            if (from.len - i < 3 || og_hex_digit(from.s[i + 1]) < 0 || og_hex_digit(from.s[i + 2]) < 0)
                return "a percent sign in the form is not followed by two hexadecimal digits";
            c = (char)(og_hex_digit(from.s[i + 1]) << 4 | og_hex_digit(from.s[i + 2]));
            i += 2;
        }
        if ((unsigned char)c < ' ' || c == 127)
            return "a field of the form has a control character, such as a line break: write it on one line";
        if (len + 1 >= size)
            return "a field of the form is too long";
        to[len++] = c;
    }
    to[len] = '\0';
    for (size_t i = 0, n; i < len; i += n)
        if (!(n = og_utf8_len(to + i, to + len)))
            return "a field of the form is not UTF-8";
    return NULL;
}

const char *og_serve_form_read(struct og_str body, const struct og_serve_field *fields, size_t count)
{
    bool given[FIELDS_MOST] = { false };
    const char *wrong = NULL;

    for (size_t i = 0; i < count; i++)
        fields[i].to[0] = '\0';
    while (!wrong && body.len) {
        const char *end = memchr(body.s, '&', body.len);
        const size_t len = end ? (size_t)(end - body.s) : body.len;
        const char *equals = memchr(body.s, '=', len);
        const struct og_str name = { body.s, equals ? (size_t)(equals - body.s) : len };
        size_t i = 0;

        while (i < count && !og_str_is(name, fields[i].name))
            i++;
        if (i == count || i == FIELDS_MOST || !equals)
            return "the form has a field that is not known here";
        if (given[i])
            return "a field of the form is given twice";
        given[i] = true;
        wrong = decode((struct og_str){ equals + 1, len - name.len - 1 }, fields[i].to, fields[i].size);
        if (wrong)
            fields[i].to[0] = '\0';
        body = (struct og_str){ body.s + len + (end != NULL), body.len - len - (end != NULL) };
    }
    return wrong;
}

bool og_serve_form_type(struct og_str content_type)
{
    const size_t len = sizeof OG_SERVE_FORM_TYPE - 1;

    return content_type.s && content_type.len >= len && strncasecmp(content_type.s, OG_SERVE_FORM_TYPE, len) == 0 &&
           (content_type.len == len || content_type.s[len] == ';' || content_type.s[len] == ' ');
}
