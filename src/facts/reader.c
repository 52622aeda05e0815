/*
 * Reads members of a facts document and keeps track of the path.  It checks types only; the callers decide which keys
 * exist.
 */
#include "facts/reader.h"

#include <stdio.h>

#include "base/error.h"
#include "base/utf8.h"
#include "text/pattern.h"

enum { SEEN_MOST = 40, KEY_MOST = 64 };

void og_facts_reader_init(struct og_facts_reader *r, const char *name, struct og_error *err)
{
    *r = (struct og_facts_reader){ .name = name, .err = err, .as_of = OG_TIME_UNKNOWN };
    og_buf_init_fixed(&r->path, r->storage, sizeof r->storage);
}

/* Extend the path. Returns the length to restore it to.  A name that does not fit is left out: only long names can
 * cause that, since the depth is limited. */
static size_t extended(struct og_facts_reader *r, size_t mark)
{
    r->path.bad = false;
    return mark;
}

size_t og_facts_enter(struct og_facts_reader *r, const char *key)
{
    size_t mark = r->path.len;

    og_buf_format(&r->path, "%s%.*s", mark ? "." : "", (int)og_utf8_cut(key, strlen(key), KEY_MOST), key);
    return extended(r, mark);
}

size_t og_facts_enter_row(struct og_facts_reader *r, int row)
{
    size_t mark = r->path.len;

    og_buf_format(&r->path, "[%d]", row);
    return extended(r, mark);
}

void og_facts_leave(struct og_facts_reader *r, size_t mark)
{
    r->path.len = mark;
    r->storage[mark] = '\0';
}

/* Write a JSON value for a message, shortened. */
static void show(const cJSON *seen, char *to, size_t size)
{
    const char *s = seen && seen->valuestring ? seen->valuestring : "";
    const char *quote = cJSON_IsString(seen) ? "\"" : "";
    int keep = (int)og_utf8_cut(s, strlen(s), SEEN_MOST);

    if (!seen)
        snprintf(to, size, "nothing");
    else if (cJSON_IsObject(seen) || cJSON_IsArray(seen))
        snprintf(to, size, cJSON_IsObject(seen) ? "an object" : "an array");
    else if (cJSON_IsString(seen) || cJSON_IsRaw(seen))
        snprintf(to, size, "%s%.*s%s%s", quote, keep, s, s[keep] ? "..." : "", quote);
    else
        snprintf(to, size, "%s", cJSON_IsNull(seen) ? "null" : cJSON_IsTrue(seen) ? "true" : "false");
}

bool og_facts_refuse(struct og_facts_reader *r, const char *key, const char *allowed, const cJSON *seen)
{
    char text[64];
    size_t mark = key ? og_facts_enter(r, key) : r->path.len;

    show(seen, text, sizeof text);
    if (!r->status)
        r->status = og_fail_at(r->err, OG_EFACTS, r->name, 0, 0, "%s%sexpected %s, saw %s",
                               r->path.len ? r->path.s : "", r->path.len ? ": " : "", allowed, text);
    og_facts_leave(r, mark);
    return false;
}

bool og_facts_refuse_key(struct og_facts_reader *r, const char *of, const char *name, const char *const *known,
                         size_t count)
{
    const char *near = og_nearest(og_str_of(name), known, count);

    if (!r->status)
        r->status = og_fail_at(r->err, OG_EFACTS, r->name, 0, 0, "%s%.64s: unknown key%s", of, name, og_meant(near).s);
    return false;
}

bool og_facts_has_no_misspelt(struct og_facts_reader *r, const cJSON *item, const char *const *known, size_t count)
{
    char squashed[OG_SQUASHED_MOST], of[sizeof r->storage + 2];
    const char *near;
    const cJSON *member;
    size_t i;

    cJSON_ArrayForEach (member, item) {
        for (i = 0; i < count && strcmp(known[i], member->string) != 0; i++)
            continue;
        if (i < count)
            continue;
        near = og_key_squash(og_str_of(member->string), squashed) ? og_nearest_key(squashed, known, count) : NULL;
        if (!near || og_doc_get(item, near))
            continue;
        snprintf(of, sizeof of, "%s%s", r->path.len ? r->path.s : "", r->path.len ? "." : "");
        return og_facts_refuse_key(r, of, member->string, &near, 1);
    }
    return true;
}

bool og_facts_no_memory(struct og_facts_reader *r)
{
    if (!r->status)
        r->status = og_fail_at(r->err, OG_ENOMEM, r->name, 0, 0, "out of memory");
    return false;
}

const cJSON *og_facts_member(const cJSON *row, const char *key, enum og_facts_need need)
{
    const cJSON *item = og_doc_get(row, key);

    return need == OG_MAY_BE_NULL && cJSON_IsNull(item) ? NULL : item;
}

bool og_facts_read_text(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need,
                        struct og_str *out)
{
    const cJSON *item = og_facts_member(row, key, need);

    *out = (struct og_str){ NULL, 0 };
    if (!item)
        return need != OG_MUST || og_facts_refuse(r, key, "a string", NULL);
    if (!cJSON_IsString(item))
        return og_facts_refuse(r, key, "a string", item);
    *out = og_str_of(item->valuestring);
    if (need == OG_MUST && out->len == 0)
        return og_facts_refuse(r, key, "a string that is not empty", item);
    return true;
}

bool og_facts_read_money(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need,
                         bool *has, struct og_money *out)
{
    const cJSON *item = og_facts_member(row, key, need);

    *has = false;
    *out = (struct og_money){ 0, 0 };
    if (!item)
        return need != OG_MUST || og_facts_refuse(r, key, "a number", NULL);
    if (!og_item_is_number(item))
        return og_facts_refuse(r, key, "a number", item);
    *has = og_item_money(item, out);
    return *has || og_facts_refuse(r, key, "a number of at most 18 digits", item);
}

bool og_facts_read_size(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need,
                        bool *has, struct og_money *out)
{
    if (!og_facts_read_money(r, row, key, need, has, out))
        return false;
    return out->coef >= 0 || og_facts_refuse(r, key, "a number that is not negative", og_doc_get(row, key));
}

bool og_facts_read_bool(struct og_facts_reader *r, const cJSON *row, const char *key, enum og_facts_need need,
                        bool *out)
{
    const cJSON *item = og_facts_member(row, key, need);

    *out = cJSON_IsTrue(item);
    if (!item && need != OG_MUST)
        return true;
    return cJSON_IsBool(item) || og_facts_refuse(r, key, "true or false", item);
}

bool og_facts_read_time(struct og_facts_reader *r, const cJSON *row, const char *key, int64_t *out)
{
    struct og_str text;

    *out = OG_TIME_UNKNOWN;
    if (!og_facts_read_text(r, row, key, OG_MAY, &text))
        return false;
    if (!text.s || og_time_read(text.s, text.len, out))
        return true;
    return og_facts_refuse(r, key, "a time with offset such as \"2026-01-15T14:31:00Z\"", og_doc_get(row, key));
}

bool og_facts_read_object(struct og_facts_reader *r, const cJSON *item)
{
    return cJSON_IsObject(item) || og_facts_refuse(r, NULL, "an object", item);
}
