/*
 * Parsing of request bodies into named fields.  The caller decides what a field means, its type, and its allowed words.
 */
#include "paper/fields.h"

#include <stdarg.h>
#include <stdio.h>

#include "paper/ticket.h"

void og_paper_fields_line(struct og_buf *errors, const char *format, ...)
{
    char text[200];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (errors->len)
        og_buf_char(errors, '\n');
    og_buf_text(errors, text);
}

int og_paper_field_index(const char *const *names, int count, struct og_str key)
{
    int i;

    for (i = 0; i < count; i++)
        if (og_str_is(key, names[i]))
            return i;
    return -1;
}

bool og_paper_field_parse(struct og_json *r, struct og_paper_field *field)
{
    struct og_paper_field value;

    value.kind = og_json_next(r);
    value.text = r->text;
    if (value.kind == OG_JSON_FAULT || !og_json_skip(r, value.kind))
        return false;
    if (field)
        *field = value;
    return true;
}

void og_paper_fields_bad(struct og_json *r, enum og_json_kind kind, struct og_buf *errors)
{
    bool whole = kind != OG_JSON_OBJECT && kind != OG_JSON_FAULT && og_json_skip(r, kind);

    if (!whole)
        og_buf_format(errors, "invalid JSON: %s", r->fault ? r->fault : "bytes after the value");
    else
        og_paper_fields_line(errors, "- (root): Invalid type. Expected: object, given: %s",
                             og_json_type_name(kind, r->text));
}

static bool read_members(struct og_json *r, const char *const *names, int count, struct og_paper_field *fields)
{
    enum og_json_kind kind;
    int i;

    while ((kind = og_json_next(r)) == OG_JSON_KEY) {
        i = og_paper_field_index(names, count, r->text);
        if (!og_paper_field_parse(r, i < 0 ? NULL : &fields[i]))
            return false;
    }
    return kind == OG_JSON_OBJECT_END && og_json_next(r) == OG_JSON_END;
}

bool og_paper_fields_read(struct og_str body, char *spill, const char *const *names, int count,
                          struct og_paper_field *fields, struct og_buf *errors)
{
    struct og_json r;
    enum og_json_kind kind;

    memset(fields, 0, (size_t)count * sizeof *fields);
    og_json_init(&r, body.s, body.len, spill, body.len);
    kind = og_json_next(&r);
    if (kind == OG_JSON_OBJECT && read_members(&r, names, count, fields))
        return true;
    og_paper_fields_bad(&r, kind, errors);
    return false;
}

bool og_paper_field_is(const struct og_paper_field *f, const char *name, const char *expected, struct og_buf *errors)
{
    const char *given = og_json_type_name(f->kind, f->text);

    if (strcmp(given, expected) == 0 || (strcmp(expected, "number") == 0 && f->kind == OG_JSON_NUMBER))
        return true;
    og_paper_fields_line(errors, "- %s: Invalid type. Expected: %s, given: %s", name, expected, given);
    return false;
}

int og_paper_field_word(const struct og_paper_field *f, const char *name, const char *const *words,
                        struct og_buf *errors)
{
    char list[160];
    struct og_buf b;
    int word, i;

    if (!og_paper_field_is(f, name, "string", errors))
        return 0;
    word = og_paper_word(words, f->text);
    if (word)
        return word;
    og_buf_init_fixed(&b, list, sizeof list);
    for (i = 1; words[i]; i++)
        og_buf_format(&b, "%s\"%s\"", i > 1 ? ", " : "", words[i]);
    og_paper_fields_line(errors, "- %s: %s must be one of the following: %s", name, name, list);
    return 0;
}
