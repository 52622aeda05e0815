/*
 * Reading and writing by tables of fields. Functions that write have no status: a failed append marks the buffer as
 * bad.
 */
#include "wire/fields.h"

#include "base/json_write.h"

#define COUNT_MOST 1000

/* Returns the strings of a list, or a single string, as a NULL-terminated array; NULL if memory ran out. */
static const char *const *read_words(struct og_arena *arena, const cJSON *of)
{
    int n = cJSON_IsArray(of) ? cJSON_GetArraySize(of) : 1;
    const char **to = og_arena_take(arena, ((size_t)n + 1) * sizeof *to);
    const char **at = to;
    const cJSON *item;

    if (!to)
        return NULL;
    if (cJSON_IsString(of))
        *at = of->valuestring;
    if (!cJSON_IsArray(of))
        return to;
    cJSON_ArrayForEach (item, of) {
        if (cJSON_IsString(item))
            *at++ = item->valuestring;
    }
    return to;
}

static bool is_str(enum og_wire_field_kind kind)
{
    return kind == OG_WIRE_STR || kind == OG_WIRE_STR_NUMBER;
}

/* Set a text member. The text points into cJSON's own memory, where it ends with a NUL. */
static bool read_text(const cJSON *object, const char *key, enum og_wire_field_kind kind, void *to)
{
    struct og_str text;

    if (kind == OG_WIRE_STR || kind == OG_WIRE_TEXT ? !og_doc_str(object, key, &text) : !og_doc_id(object, key, &text))
        return false;
    if (is_str(kind))
        *(struct og_str *)to = text;
    else
        *(const char **)to = text.s;
    return true;
}

static bool read_as(const cJSON *object, const char *key, enum og_wire_field_kind kind, void *to)
{
    int64_t n;

    switch (kind) {
    case OG_WIRE_MONEY: return og_doc_money(object, key, to);
    case OG_WIRE_INT: return og_doc_int(object, key, to);
    case OG_WIRE_BOOL: return og_doc_bool(object, key, to);
    case OG_WIRE_COUNT:
        if (!og_doc_int(object, key, &n) || n < 0 || n > COUNT_MOST)
            return false;
        *(int *)to = (int)n;
        return true;
    case OG_WIRE_WORDS:
    case OG_WIRE_NONE: return false;
    default: return read_text(object, key, kind, to);
    }
}

static bool is_in(const struct og_wire_field *f, unsigned shapes)
{
    return !(f->flags & OG_WIRE_ALL) || (f->flags & shapes);
}

bool og_wire_fields_read(const struct og_wire_field *fields, unsigned shapes, const cJSON *object,
                         struct og_arena *arena, void *row, const char **missing)
{
    *missing = NULL;
    for (const struct og_wire_field *f = fields; f->key; f++) {
        void *to = (char *)row + f->at;
        bool has;

        if (!is_in(f, shapes))
            continue;
        if (f->kind == OG_WIRE_WORDS && !(*(const char *const **)to = read_words(arena, og_doc_get(object, f->key))))
            return false;
        has = read_as(object, f->key, f->kind, to) || (f->other && read_as(object, f->other, f->kind, to));
        if (f->has_at)
            *(bool *)((char *)row + f->has_at) = has;
        if (!has && (f->flags & OG_WIRE_MUST)) {
            *missing = f->key;
            return false;
        }
    }
    return true;
}

static void write_words(struct og_buf *b, const char *key, const char *const *words)
{
    og_member_key(b, key);
    og_buf_char(b, '[');
    for (; *words; words++)
        og_member_text(b, NULL, *words);
    og_buf_char(b, ']');
}

static void write_as(struct og_buf *b, const char *key, enum og_wire_field_kind kind, const void *at)
{
    struct og_str text = { NULL, 0 };

    switch (kind) {
    case OG_WIRE_MONEY: og_member_money(b, key, *(const struct og_money *)at); return;
    case OG_WIRE_INT: og_member_int(b, key, *(const int64_t *)at); return;
    case OG_WIRE_COUNT: og_member_int(b, key, *(const int *)at); return;
    case OG_WIRE_BOOL: og_member_bool(b, key, *(const bool *)at); return;
    case OG_WIRE_WORDS: write_words(b, key, *(const char *const *const *)at); return;
    case OG_WIRE_NONE: break;
    default: text = is_str(kind) ? *(const struct og_str *)at : og_str_of(*(const char *const *)at);
    }
    if (kind == OG_WIRE_NUMBER || kind == OG_WIRE_STR_NUMBER)
        og_member_digits(b, key, text.len ? text : OG_STR("0"));
    else
        og_member_str(b, key, text);
}

void og_wire_fields_write(struct og_buf *b, const struct og_wire_field *fields, unsigned shapes, const void *row)
{
    for (const struct og_wire_field *f = fields; f->key; f++) {
        const void *at = (const char *)row + f->at;
        bool renamed = shapes == OG_WIRE_SECOND && (f->flags & OG_WIRE_RENAMED);

        if (!is_in(f, shapes))
            continue;
        write_as(b, renamed ? f->other : f->key, f->kind, at);
        if (shapes == OG_WIRE_SECOND && (f->flags & OG_WIRE_TWICE))
            write_as(b, f->other, f->kind, at);
    }
}

static const char *schema_of(enum og_wire_field_kind kind)
{
    switch (kind) {
    case OG_WIRE_STR:
    case OG_WIRE_TEXT: return "{\"type\":[\"string\",\"null\"]}";
    case OG_WIRE_ID: return "{\"type\":\"string\"}";
    case OG_WIRE_STR_NUMBER:
    case OG_WIRE_NUMBER:
    case OG_WIRE_INT:
    case OG_WIRE_COUNT: return "{\"type\":\"integer\"}";
    case OG_WIRE_MONEY: return "{\"type\":\"number\"}";
    case OG_WIRE_BOOL: return "{\"type\":\"boolean\"}";
    case OG_WIRE_WORDS: return "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}";
    case OG_WIRE_NONE: break;
    }
    return "{\"type\":\"null\"}";
}

/* Returns true if the field may be written under its second key, instead of its first or beside it. */
static bool is_spelled_freely(const struct og_wire_field *f, unsigned shapes)
{
    return f->other && shapes == OG_WIRE_ALL;
}

/* Get the keys under which a shape has the field; the second is NULL if there is only one. */
static void find_keys(const struct og_wire_field *f, unsigned shapes, const char *keys[2])
{
    const bool second = shapes == OG_WIRE_SECOND;

    keys[0] = second && (f->flags & OG_WIRE_RENAMED) ? f->other : f->key;
    keys[1] = (second && (f->flags & OG_WIRE_TWICE)) || is_spelled_freely(f, shapes) ? f->other : NULL;
}

void og_wire_fields_schema(struct og_buf *b, const struct og_wire_field *fields, unsigned shapes)
{
    const struct og_wire_field *f;
    const char *keys[2];

    og_member_text(b, "type", "object");
    og_member_key(b, "properties");
    og_buf_char(b, '{');
    for (f = fields; f->key; f++) {
        find_keys(f, shapes, keys);
        for (int i = 0; is_in(f, shapes) && i < 2 && keys[i]; i++) {
            og_member_key(b, keys[i]);
            og_buf_text(b, schema_of(f->kind));
        }
    }
    og_buf_char(b, '}');
    og_member_key(b, "required");
    og_buf_char(b, '[');
    for (f = fields; f->key; f++) {
        find_keys(f, shapes, keys);
        for (int i = 0; is_in(f, shapes) && !is_spelled_freely(f, shapes) && i < 2 && keys[i]; i++)
            og_member_text(b, NULL, keys[i]);
    }
    og_buf_char(b, ']');
}
