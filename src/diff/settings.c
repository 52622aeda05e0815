/*
 * Settings of two policies side by side.  It refuses to guess which way a setting is stricter where its table does not say.
 */
#include "diff/settings.h"

#include <stdlib.h>

#include "base/time.h"
#include "policy/show.h"
#include "policy/value.h"
#include "text/yaml.h"

#include "base/banned.h"

struct entry {
    struct og_str path, text;
};

struct entries {
    struct og_arena *arena;
    struct entry *item;
    size_t count, room;
    bool oom;
};

static void add(struct entries *e, const char *path, struct og_str text)
{
    if (e->count == e->room) {
        size_t room = e->room ? 2 * e->room : 1024;
        struct entry *more = og_arena_take(e->arena, room * sizeof *more);

        if (!more) {
            e->oom = true;
            return;
        }
        if (e->count)
            memcpy(more, e->item, e->count * sizeof *more);
        e->item = more;
        e->room = room;
    }
    e->item[e->count].path = og_arena_copy(e->arena, og_str_of(path));
    e->item[e->count].text = og_arena_copy(e->arena, text);
    e->oom |= !e->item[e->count].path.s || !e->item[e->count].text.s;
    e->count++;
}

static void flatten(struct entries *e, struct og_buf *path, const struct og_yaml *node);

/* [a, b] of scalars is one value; a list of maps is one after the other, by id where they have one. */
static void flatten_list(struct entries *e, struct og_buf *path, const struct og_yaml *node)
{
    size_t len = path->len, i = 0;
    struct og_buf text;

    if (node->first && node->first->kind != OG_YAML_SCALAR) {
        for (const struct og_yaml *n = node->first; n; n = n->next, i++) {
            const struct og_yaml *id = og_yaml_get(n, "id");

            og_buf_format(path, id ? ".%s" : "[%s%zu]", id ? id->text.s : "", i);
            flatten(e, path, n);
            path->len = len;
            path->s[len] = '\0';
        }
        return;
    }
    og_buf_init(&text, 0);
    for (const struct og_yaml *n = node->first; n; n = n->next)
        og_buf_format(&text, "%s%s", n == node->first ? "[" : ", ", n->text.s ? n->text.s : "");
    og_buf_text(&text, node->first ? "]" : "[]");
    e->oom |= text.bad;
    if (!text.bad)
        add(e, path->s, (struct og_str){ text.s, text.len });
    og_buf_clear(&text);
}

static bool is_words(const struct og_yaml *n)
{
    return og_str_is(n->key, "ordergate") || og_str_is(n->key, "name") || og_str_is(n->key, "description") ||
           og_str_is(n->key, "extends");
}

static void flatten(struct entries *e, struct og_buf *path, const struct og_yaml *node)
{
    size_t len = path->len;

    if (node->kind == OG_YAML_SCALAR) {
        add(e, path->s, node->text);
        return;
    }
    if (node->kind == OG_YAML_LIST) {
        flatten_list(e, path, node);
        return;
    }
    for (const struct og_yaml *n = node->first; n && !path->bad; n = n->next) {
        if (len == 0 && is_words(n))
            continue;
        og_buf_format(path, "%s%s", len ? "." : "", n->key.s);
        flatten(e, path, n);
        path->len = len;
        path->s[len] = '\0';
    }
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->path.s, ((const struct entry *)b)->path.s);
}

static enum og_status read_all(const struct og_policy *p, struct entries *e)
{
    struct og_buf text, path;
    struct og_yaml *root = NULL;
    enum og_status status;

    og_buf_init(&text, 0);
    og_buf_init(&path, 0);
    og_show(p, &text);
    og_buf_text(&path, "");
    status = text.bad ? OG_ENOMEM : og_yaml_read(text.s, text.len, e->arena, NULL, NULL, &root);
    if (status == OG_OK)
        flatten(e, &path, root);
    if (status == OG_OK && (e->oom || path.bad))
        status = OG_ENOMEM;
    og_buf_clear(&text);
    og_buf_clear(&path);
    if (status == OG_OK && e->count)
        qsort(e->item, e->count, sizeof *e->item, by_path);
    return status;
}

/* "rules.order-notional.overrides[0].most" belongs to "rules.order-notional". */
static struct og_str group_of(struct og_str path)
{
    size_t len = 0;
    bool two = strncmp(path.s, "rules.", 6) == 0 || strncmp(path.s, "custom.", 7) == 0;

    for (int dots = 0; len < path.len && (dots += path.s[len] == '.') < 1 + two; len++)
        continue;
    return (struct og_str){ path.s, len };
}

/* --- which way ---------------------------------------------------------------------------------------------------- */

static enum og_diff_what by_order(int before, int after)
{
    return after > before ? OG_DIFF_TIGHTENED : after < before ? OG_DIFF_LOOSENED : OG_DIFF_NOTED;
}

static int place_in(struct og_str word, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (og_str_is(word, words[i]))
            return i;
    return -1;
}

static enum og_diff_what of_words(const struct og_setting_pair *p, const char *const *words)
{
    int before = place_in(p->before, words), after = place_in(p->after, words);

    return before < 0 || after < 0 ? OG_DIFF_NOTED : by_order(before, after);
}

/* A shorter time is stricter; "any" is none at all. */
static enum og_diff_what of_age(const struct og_setting_pair *p)
{
    int64_t before = INT64_MAX, after = INT64_MAX;

    if ((!og_str_is(p->before, "any") && !og_duration_read(p->before.s, p->before.len, &before)) ||
        (!og_str_is(p->after, "any") && !og_duration_read(p->after.s, p->after.len, &after)))
        return OG_DIFF_NOTED;
    return before == after ? OG_DIFF_NOTED : by_order(after > before, before > after);
}

static enum og_diff_what of_param(const struct og_policy *before, const struct og_policy *after, size_t rule, const char *key)
{
    const struct og_param *p = og_rules[rule]->params;
    const void *a = before->rules[rule].setting.settings, *b = after->rules[rule].setting.settings;
    int order;

    while (p && p->key && strcmp(p->key, key) != 0)
        p++;
    if (!p || !p->key || !a || !b || p->tighter == OG_TIGHTER_UNKNOWN || before->rules[rule].setting.level == OG_LEVEL_OFF ||
        after->rules[rule].setting.level == OG_LEVEL_OFF)
        return OG_DIFF_NOTED;
    order = og_value_cmp(p, b, a);
    return p->tighter == OG_TIGHTER_HIGHER ? by_order(0, order) : by_order(0, -order);
}

static enum og_diff_what direction(const struct og_policy *before, const struct og_policy *after, const struct og_setting_pair *p)
{
    static const char *const levels[] = { "off", "info", "warn", "refuse", NULL };
    static const char *const unsure[] = { "warn", "refuse", NULL }, *const modes[] = { "shadow", "warn", "enforce", NULL };
    const char *key = strrchr(p->path.s, '.');

    key = key ? key + 1 : p->path.s;
    if (!p->before.s || !p->after.s || strchr(p->path.s, '['))
        return OG_DIFF_NOTED;
    if (strncmp(p->path.s, "max_age.", 8) == 0)
        return of_age(p);
    if (strcmp(key, "unsure") == 0)
        return of_words(p, unsure);
    if (strcmp(key, "mode") == 0)
        return of_words(p, modes);
    if (strcmp(key, "level") == 0 || strstr(p->path.s, ".reasons."))
        return of_words(p, levels);
    if (strncmp(p->path.s, "rules.", 6) != 0)
        return OG_DIFF_NOTED;
    for (size_t rule = 0; rule < og_rules_size; rule++) {
        size_t len = strlen(og_rules[rule]->id);

        if (strncmp(og_rules[rule]->id, p->path.s + 6, len) == 0 && p->path.s[6 + len] == '.')
            return of_param(before, after, rule, key);
    }
    return OG_DIFF_NOTED;
}

enum og_status og_settings_compare(const struct og_policy *before, const struct og_policy *after, struct og_arena *arena,
                                   struct og_settings_diff *diff)
{
    struct entries a = { .arena = arena }, b = { .arena = arena };
    enum og_status status = read_all(before, &a);
    size_t i = 0, k = 0;

    *diff = (struct og_settings_diff){ 0 };
    if (status == OG_OK)
        status = read_all(after, &b);
    if (status == OG_OK && !(diff->pair = og_arena_take(arena, (a.count + b.count + 1) * sizeof *diff->pair)))
        status = OG_ENOMEM;
    while (status == OG_OK && (i < a.count || k < b.count)) {
        int order = i == a.count ? 1 : k == b.count ? -1 : by_path(&a.item[i], &b.item[k]);
        struct og_setting_pair *p = &diff->pair[diff->count++];

        p->path = order <= 0 ? a.item[i].path : b.item[k].path;
        p->before = order <= 0 ? a.item[i++].text : (struct og_str){ NULL, 0 };
        p->after = order >= 0 ? b.item[k++].text : (struct og_str){ NULL, 0 };
        p->group = group_of(p->path);
        p->differs = !p->before.s || !p->after.s || !og_str_eq(p->before, p->after);
        if (p->differs)
            p->what = direction(before, after, p);
    }
    return status;
}
