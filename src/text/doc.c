/*
 * JSON documents: makes cJSON trees from the strict reader's tokens, and builds trees for writing.  Numbers are stored
 * as their text (cJSON_Raw), never as doubles.  A builder that fails makes its object cJSON_Invalid, which cJSON does
 * not print.
 */
#include "text/doc.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/utf8.h"
#include "text/duplicate_keys.h"
#include "text/json.h"

/* --- reading ------------------------------------------------------------------------------------------------------ */

struct reading {
    struct og_json json;
    struct og_seen_keys keys;
    const char *bytes, *name;
    size_t len;
    struct og_error *err;
    cJSON *open[OG_JSON_DEPTH]; /* the containers around the next value */
    size_t opened[OG_JSON_DEPTH];
    int depth;
    cJSON *root;
    char *key;  /* key of the next value; in memory of cJSON's allocator */
    int values; /* number of values so far */
};

static enum og_status fail_at(const struct reading *r, size_t at, const char *what, struct og_str which)
{
    int line, col, shown = which.len < 64 ? (int)which.len : 64;

    og_json_place(r->bytes, r->len, at, &line, &col);
    if (which.s)
        return og_fail_at(r->err, OG_ESYNTAX, r->name, line, col, "%s '%.*s'", what, shown, which.s);
    return og_fail_at(r->err, OG_ESYNTAX, r->name, line, col, "%s", what);
}

static enum og_status no_memory(struct og_error *err)
{
    return og_fail(err, OG_ENOMEM, "out of memory");
}

static char *copy(struct og_str s)
{
    char *to = cJSON_malloc(s.len + 1);

    if (to) {
        if (s.len)
            memcpy(to, s.s, s.len);
        to[s.len] = '\0';
    }
    return to;
}

/* Returns an item of a type that has text, with a copy of the text. */
static cJSON *text_item(int type, struct og_str s)
{
    cJSON *item = cJSON_CreateNull();

    if (!item)
        return NULL;
    item->valuestring = copy(s);
    if (!item->valuestring) {
        cJSON_Delete(item);
        return NULL;
    }
    item->type = type;
    return item;
}

static cJSON *item_of(enum og_json_kind kind, struct og_str text)
{
    switch (kind) {
    case OG_JSON_OBJECT: return cJSON_CreateObject();
    case OG_JSON_ARRAY: return cJSON_CreateArray();
    case OG_JSON_STRING: return text_item(cJSON_String, text);
    case OG_JSON_NUMBER: return text_item(cJSON_Raw, text);
    case OG_JSON_TRUE:
    case OG_JSON_FALSE: return cJSON_CreateBool(kind == OG_JSON_TRUE);
    default: return cJSON_CreateNull();
    }
}

static enum og_status add_key(struct reading *r)
{
    struct og_str key = r->json.text;

    switch (og_seen_keys_add(&r->keys, key)) {
    case OG_KEY_AGAIN: return fail_at(r, r->json.token_at, "duplicate key", key);
    case OG_KEY_NOMEM: return no_memory(r->err);
    default: r->key = copy(key); return r->key ? OG_OK : no_memory(r->err);
    }
}

static enum og_status add_value(struct reading *r, enum og_json_kind kind)
{
    cJSON *item;

    if (r->values++ == OG_DOC_VALUES)
        return fail_at(r, r->json.token_at, "more values than a document may have", (struct og_str){ NULL, 0 });
    item = item_of(kind, r->json.text);
    if (!item)
        return no_memory(r->err);
    item->string = r->key;
    r->key = NULL;
    if (r->depth == 0)
        r->root = item;
    else
        cJSON_AddItemToArray(r->open[r->depth - 1], item); /* adds the item with its key */
    if (kind == OG_JSON_OBJECT || kind == OG_JSON_ARRAY) {
        r->opened[r->depth] = og_seen_keys_open(&r->keys);
        r->open[r->depth++] = item;
    }
    return OG_OK;
}

static enum og_status read_tokens(struct reading *r)
{
    enum og_status status = OG_OK;

    while (status == OG_OK) {
        enum og_json_kind kind = og_json_next(&r->json);

        switch (kind) {
        case OG_JSON_FAULT: return fail_at(r, r->json.fault_at, r->json.fault, (struct og_str){ NULL, 0 });
        case OG_JSON_END: return OG_OK;
        case OG_JSON_KEY: status = add_key(r); break;
        case OG_JSON_OBJECT_END:
        case OG_JSON_ARRAY_END:
            r->depth--;
            og_seen_keys_close(&r->keys, r->opened[r->depth]);
            break;
        default: status = add_value(r, kind);
        }
    }
    return status;
}

enum og_status og_doc_read(const char *bytes, size_t len, const char *name, cJSON **doc, struct og_error *err)
{
    struct reading r = { .bytes = bytes, .name = name, .len = len, .err = err };
    char *spill = malloc(len + 1);
    enum og_status status;

    *doc = NULL;
    if (!spill)
        return no_memory(err);
    og_json_init(&r.json, bytes, len, spill, len);
    og_seen_keys_init(&r.keys);
    status = read_tokens(&r);
    if (status != OG_OK)
        cJSON_Delete(r.root);
    else
        *doc = r.root;
    cJSON_free(r.key);
    og_seen_keys_clear(&r.keys);
    free(spill);
    return status;
}

/* --- access ------------------------------------------------------------------------------------------------------- */

const cJSON *og_doc_get(const cJSON *object, const char *key)
{
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

bool og_doc_str(const cJSON *object, const char *key, struct og_str *out)
{
    const cJSON *item = og_doc_get(object, key);

    if (!cJSON_IsString(item))
        return false;
    *out = og_str_of(item->valuestring);
    return true;
}

bool og_item_is_number(const cJSON *item)
{
    return cJSON_IsRaw(item);
}

bool og_item_money(const cJSON *item, struct og_money *out)
{
    return og_item_is_number(item) && og_money_read(item->valuestring, strlen(item->valuestring), out);
}

bool og_item_int(const cJSON *item, int64_t *out)
{
    struct og_money m;

    if (!og_item_money(item, &m) || m.scale != 0)
        return false;
    *out = m.coef;
    return true;
}

bool og_doc_money(const cJSON *object, const char *key, struct og_money *out)
{
    return og_item_money(og_doc_get(object, key), out);
}

bool og_doc_int(const cJSON *object, const char *key, int64_t *out)
{
    return og_item_int(og_doc_get(object, key), out);
}

struct og_str og_doc_str_or_empty(const cJSON *object, const char *key)
{
    struct og_str s = { "", 0 };

    (void)og_doc_str(object, key, &s);
    return s;
}

int64_t og_doc_int_or_0(const cJSON *object, const char *key)
{
    int64_t n = 0;

    (void)og_doc_int(object, key, &n);
    return n;
}

bool og_doc_bool(const cJSON *object, const char *key, bool *out)
{
    const cJSON *item = og_doc_get(object, key);

    if (!cJSON_IsBool(item))
        return false;
    *out = cJSON_IsTrue(item);
    return true;
}

bool og_doc_id(const cJSON *object, const char *key, struct og_str *out)
{
    const cJSON *item = og_doc_get(object, key);

    if (!cJSON_IsString(item) && !og_item_is_number(item))
        return false;
    *out = og_str_of(item->valuestring);
    return true;
}

/* --- building ----------------------------------------------------------------------------------------------------- */

cJSON *og_doc_object(void)
{
    return cJSON_CreateObject();
}

cJSON *og_doc_array(void)
{
    return cJSON_CreateArray();
}

static void invalidate(cJSON *container, cJSON *item)
{
    cJSON_Delete(item);
    if (container)
        container->type = cJSON_Invalid;
}

void og_doc_put(cJSON *object, const char *key, cJSON *item)
{
    if (!item || !cJSON_IsObject(object) || !cJSON_AddItemToObject(object, key, item))
        invalidate(object, item);
}

/* Returns a string item with valid UTF-8: other bytes become U+FFFD (the text of a broker's 400 answer may be
 * anything). */
static cJSON *string_item(struct og_str s)
{
    cJSON *item = text_item(cJSON_String, (struct og_str){ NULL, 0 });
    char *to = cJSON_malloc(s.len * 3 + 1);
    const char *p = s.s, *end = s.len ? p + s.len : p;

    if (!item || !to) {
        cJSON_free(to);
        cJSON_Delete(item);
        return NULL;
    }
    cJSON_free(item->valuestring);
    item->valuestring = to;
    while (p != end) {
        size_t len = og_utf8_len(p, end);

        if (len == 0 || *p == '\0')
            memcpy(to, "\xEF\xBF\xBD", 3);
        else
            memcpy(to, p, len);
        to += len == 0 || *p == '\0' ? 3 : len;
        p += len == 0 ? 1 : len;
    }
    *to = '\0';
    return item;
}

void og_doc_put_str(cJSON *object, const char *key, struct og_str s)
{
    og_doc_put(object, key, s.s ? string_item(s) : cJSON_CreateNull());
}

void og_doc_put_text(cJSON *object, const char *key, const char *s)
{
    og_doc_put_str(object, key, og_str_of(s));
}

void og_doc_put_money(cJSON *object, const char *key, struct og_money m)
{
    og_doc_put(object, key, cJSON_CreateRaw(og_money_text(m).s));
}

void og_doc_put_int(cJSON *object, const char *key, int64_t n)
{
    og_doc_put_money(object, key, og_money_from(n));
}

bool og_doc_text(const cJSON *doc, struct og_buf *b)
{
    char *text = cJSON_PrintUnformatted(doc);

    if (!text)
        return false;
    og_buf_text(b, text);
    cJSON_free(text);
    return !b->bad;
}
