/*
 * Converts nodes of a test file into JSON, and merges JSON values. A plain word that is not a JSON number, true, false
 * or null becomes a string.
 */
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "policy_test/policy_test.h"

static size_t digits(const char *s)
{
    return strspn(s, "0123456789");
}

/* Returns true for a number in the grammar of RFC 8259. */
static bool is_number(const char *s)
{
    size_t n;

    s += *s == '-';
    n = digits(s);
    if (n == 0 || (*s == '0' && n > 1))
        return false;
    s += n;
    if (*s == '.') {
        n = digits(s + 1);
        if (n == 0)
            return false;
        s += n + 1;
    }
    if (*s == 'e' || *s == 'E') {
        s += 1 + (s[1] == '+' || s[1] == '-');
        n = digits(s);
        if (n == 0)
            return false;
        s += n;
    }
    return *s == '\0';
}

static cJSON *scalar_json(const struct og_yaml *node)
{
    const char *s = node->text.s;

    if (node->quoted || strlen(s) != node->text.len)
        return cJSON_CreateString(s);
    if (!*s || strcmp(s, "~") == 0 || strcmp(s, "null") == 0)
        return cJSON_CreateNull();
    if (strcmp(s, "true") == 0 || strcmp(s, "false") == 0)
        return cJSON_CreateBool(*s == 't');
    return is_number(s) ? cJSON_CreateRaw(s) : cJSON_CreateString(s);
}

cJSON *og_test_json(const struct og_yaml *node)
{
    cJSON *to;

    if (node->kind == OG_YAML_SCALAR)
        return scalar_json(node);
    to = node->kind == OG_YAML_MAP ? og_doc_object() : og_doc_array();
    for (const struct og_yaml *child = node->first; to && child; child = child->next) {
        cJSON *item = og_test_json(child);
        bool ok =
            node->kind == OG_YAML_MAP ? cJSON_AddItemToObject(to, child->key.s, item) : cJSON_AddItemToArray(to, item);

        if (ok)
            continue;
        cJSON_Delete(item);
        cJSON_Delete(to);
        return NULL;
    }
    return to;
}

/* Replace or append a member, or remove it if item is null.  Takes over item. */
static bool set_member(cJSON *object, const char *name, cJSON *item)
{
    cJSON *old = cJSON_GetObjectItemCaseSensitive(object, name);

    if (!item)
        return false;
    if (cJSON_IsNull(item)) {
        cJSON_DeleteItemFromObjectCaseSensitive(object, name);
        cJSON_Delete(item);
        return true;
    }
    if (old ? cJSON_ReplaceItemInObjectCaseSensitive(object, name, item) : cJSON_AddItemToObject(object, name, item))
        return true;
    cJSON_Delete(item);
    return false;
}

/* Merge one member into base.  Takes over item. */
static bool merge_member(cJSON *base, const char *name, cJSON *item)
{
    cJSON *old = cJSON_GetObjectItemCaseSensitive(base, name);

    if (!cJSON_IsObject(item))
        return set_member(base, name, item);
    if (!cJSON_IsObject(old)) {
        old = og_doc_object();
        if (!set_member(base, name, old)) {
            cJSON_Delete(item);
            return false;
        }
    }
    return og_test_merge_patch(old, item);
}

bool og_test_merge_patch(cJSON *base, cJSON *over)
{
    bool ok = over != NULL;

    while (ok && over->child) {
        cJSON *item = cJSON_DetachItemViaPointer(over, over->child);
        char *name = strdup(item->string); /* copied, since cJSON frees the name of an item when the item replaces a
                                            * member */

        ok = name && merge_member(base, name, item);
        if (!name)
            cJSON_Delete(item);
        free(name);
    }
    cJSON_Delete(over);
    return ok;
}

struct og_str og_test_path_head(struct og_str path, struct og_str *rest)
{
    bool quoted = path.len > 1 && path.s[0] == '"';
    const char *from = path.s + quoted;
    const char *end = memchr(from, quoted ? '"' : '.', path.len - quoted);
    struct og_str head = { from, end ? (size_t)(end - from) : path.len - quoted };
    size_t used = quoted + head.len + (end && quoted);

    if (used < path.len && path.s[used] == '.')
        used++;
    *rest = (struct og_str){ path.s + used, path.len - used };
    return head;
}

static cJSON *child_of(cJSON *base, const char *name)
{
    if (cJSON_IsArray(base) && is_number(name) && digits(name) == strlen(name) && strlen(name) < 6)
        return cJSON_GetArrayItem(base, (int)strtol(name, NULL, 10));
    return cJSON_GetObjectItemCaseSensitive(base, name);
}

bool og_test_set_path(cJSON *base, struct og_str path, cJSON *value)
{
    struct og_str rest, head = og_test_path_head(path, &rest);
    char name[128] = "";
    cJSON *old = NULL;
    bool ok = value && head.len > 0 && head.len < sizeof name;

    if (ok)
        memcpy(name, head.s, head.len);
    if (ok)
        old = child_of(base, name);
    ok = ok && (old || !cJSON_IsArray(base));
    if (ok && rest.len && !cJSON_IsObject(old) && !cJSON_IsArray(old)) {
        old = og_doc_object();
        ok = set_member(base, name, old);
    }
    if (ok && rest.len)
        return og_test_set_path(old, rest, value);
    if (ok)
        return cJSON_IsArray(base) ? cJSON_ReplaceItemViaPointer(base, old, value) : set_member(base, name, value);
    cJSON_Delete(value);
    return false;
}

/* Reads HH:MM, HH:MM:SS or HH:MM:SS.mmm. */
static bool time_of_day(const char *s, size_t len, int64_t *ns)
{
    static const char form[] = "00:00:00.000";
    int part[4] = { 0, 0, 0, 0 };

    if (len != 5 && len != 8 && len != 12)
        return false;
    for (size_t i = 0; i < len; i++) {
        int which = i < 9 ? (int)i / 3 : 3;

        if (form[i] != '0' ? s[i] != form[i] : s[i] < '0' || s[i] > '9')
            return false;
        if (form[i] == '0')
            part[which] = part[which] * 10 + s[i] - '0';
    }
    *ns = ((part[0] * 60 + part[1]) * 60 + part[2]) * OG_NS_PER_S + part[3] * OG_NS_PER_MS;
    return part[0] < 24 && part[1] < 60 && part[2] < 60;
}

bool og_test_read_time(struct og_str text, int64_t base, int64_t *ns)
{
    struct og_eastern day;
    int64_t of_day;

    if (og_time_read(text.s, text.len, ns))
        return true;
    if (!time_of_day(text.s, text.len, &of_day) || base == OG_TIME_UNKNOWN)
        return false;
    og_eastern_from(base, &day);
    *ns = og_eastern_instant(day.year, day.month, day.day, of_day);
    return true;
}
