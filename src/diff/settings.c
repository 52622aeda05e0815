/*
 * Puts the settings of two policies side by side.  Each policy is written out and read as a tree, whose leaves are
 * the settings; an override or custom rule that only one policy has is one setting as a whole.  Whether a setting
 * became stricter is decided by setting_strictness.c, from the compiled policies.
 */
#include "diff/settings.h"

#include <stdlib.h>

#include "policy/show.h"
#include "text/yaml.h"

struct entry {
    struct og_str key; /* key by which the other policy's entries are searched; it begins with the setting's path */
    struct og_str text;
    size_t path; /* length of the path */
    int rule, twin;
};

struct entries {
    struct og_arena *arena;
    const struct og_settings_diff *diff;
    int side;
    struct entry *item;
    size_t count, room;
    int rule, twin; /* the rule and the override (index in og_alignment.twins) that the walk is in; -1 if it is in
                     * none */
    bool gone;      /* the walk is in an override that the other policy does not have */
    bool oom;
};

static void add(struct entries *e, const struct og_buf *path, struct og_str text)
{
    struct entry *to;

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
    to = &e->item[e->count++];
    *to = (struct entry){ .path = path->len, .rule = e->rule, .twin = e->twin };
    to->text = og_arena_copy(e->arena, text);
    /* the key of a removed override has one byte more, so that it equals no key of the other policy */
    to->key = og_arena_copy(e->arena, (struct og_str){ path->s, path->len + e->gone });
    e->oom |= !to->text.s || !to->key.s;
    if (e->gone && to->key.s)
        ((char *)(uintptr_t)to->key.s)[path->len] = '~';
}

/* Write a node in flow style: {match: {symbol: GME}, most: 5000} */
static void put_whole(struct og_buf *b, const struct og_yaml *node)
{
    const char *comma = "";

    if (node->kind == OG_YAML_SCALAR) {
        og_buf_str(b, node->text);
        return;
    }
    og_buf_char(b, node->kind == OG_YAML_MAP ? '{' : '[');
    for (const struct og_yaml *n = node->first; n; n = n->next, comma = ", ") {
        og_buf_text(b, comma);
        if (node->kind == OG_YAML_MAP)
            og_buf_format(b, "%s: ", n->key.s);
        put_whole(b, n);
    }
    og_buf_char(b, node->kind == OG_YAML_MAP ? '}' : ']');
}

static void add_whole(struct entries *e, const struct og_buf *path, const struct og_yaml *node)
{
    struct og_buf text;

    og_buf_init(&text, 0);
    put_whole(&text, node);
    e->oom |= text.bad;
    if (!text.bad)
        add(e, path, (struct og_str){ text.s, text.len });
    og_buf_clear(&text);
}

static void flatten(struct entries *e, struct og_buf *path, const struct og_yaml *node);

static void cut(struct og_buf *path, size_t len)
{
    path->len = len;
    path->s[len] = '\0';
}

static int twin_of(const struct entries *e, int override)
{
    const struct og_alignment *all = &e->diff->overrides[e->rule];

    for (size_t i = 0; i < all->count; i++)
        if ((e->side ? all->twins[i].after : all->twins[i].before) == override)
            return (int)i;
    return -1;
}

/* Add the settings of a rule's overrides. An override is numbered by its place in the policy `after`; a removed
 * override, by its place in the policy `before`. */
static void flatten_overrides(struct entries *e, struct og_buf *path, const struct og_yaml *node)
{
    size_t len = path->len;
    int i = 0;

    for (const struct og_yaml *n = node->first; n && !path->bad; n = n->next, i++) {
        const struct og_override_pair *t;

        e->twin = twin_of(e, i);
        t = &e->diff->overrides[e->rule].twins[e->twin];
        og_buf_format(path, "[%d]", t->after >= 0 ? t->after : t->before);
        e->gone = t->after < 0;
        if (t->before < 0 || t->after < 0) {
            add_whole(e, path, n);
        } else {
            flatten(e, path, n);
            if (t->moved) {
                char place[32];
                struct og_buf b;

                og_buf_init_fixed(&b, place, sizeof place);
                og_buf_format(&b, "overrides[%d]", i);
                add(e, path, (struct og_str){ place, b.len });
            }
        }
        cut(path, len);
        e->twin = -1;
        e->gone = false;
    }
}

static void flatten_customs(struct entries *e, struct og_buf *path, const struct og_yaml *node)
{
    size_t len = path->len;

    for (const struct og_yaml *n = node->first; n && !path->bad; n = n->next) {
        const struct og_yaml *id = og_yaml_get(n, "id");

        og_buf_format(path, ".%s", id->text.s);
        if (og_settings_custom(e->diff->policy[!e->side], id->text))
            flatten(e, path, n);
        else
            add_whole(e, path, n);
        cut(path, len);
    }
}

static bool is_words(const struct og_yaml *n)
{
    return og_str_is(n->key, "ordergate") || og_str_is(n->key, "name") || og_str_is(n->key, "description") ||
           og_str_is(n->key, "extends");
}

static int rule_named(struct og_str id)
{
    for (size_t i = 0; i < og_rules_size; i++)
        if (og_str_is(id, og_rules[i]->id))
            return (int)i;
    return -1;
}

int og_settings_rule(struct og_str group)
{
    bool is = group.len > 6 && memcmp(group.s, "rules.", 6) == 0;

    return is ? rule_named((struct og_str){ group.s + 6, group.len - 6 }) : -1;
}

static void flatten(struct entries *e, struct og_buf *path, const struct og_yaml *node)
{
    size_t len = path->len;

    if (node->kind != OG_YAML_MAP) {
        add_whole(e, path, node);
        return;
    }
    for (const struct og_yaml *n = node->first; n && !path->bad; n = n->next) {
        bool is_rule = og_str_is((struct og_str){ path->s, len }, "rules");

        if (len == 0 && is_words(n))
            continue;
        if (is_rule)
            e->rule = rule_named(n->key);
        og_buf_format(path, "%s%s", len ? "." : "", n->key.s);
        if (n->kind == OG_YAML_LIST && e->rule >= 0 && e->twin < 0 && og_str_is(n->key, "overrides"))
            flatten_overrides(e, path, n);
        else if (n->kind == OG_YAML_LIST && len == 0 && og_str_is(n->key, "custom"))
            flatten_customs(e, path, n);
        else
            flatten(e, path, n);
        cut(path, len);
        if (is_rule)
            e->rule = -1;
    }
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->key.s, ((const struct entry *)b)->key.s);
}

static enum og_status read_all(struct entries *e)
{
    struct og_buf text, path;
    struct og_yaml *root = NULL;
    enum og_status status;

    og_buf_init(&text, 0);
    og_buf_init(&path, 0);
    og_show(e->diff->policy[e->side], false, &text);
    og_buf_text(&path, "");
    status = text.bad ? OG_ENOMEM : og_yaml_read(text.s, text.len, e->arena, NULL, NULL, &root);
    if (status == OG_OK)
        flatten(e, &path, root);
    if (status == OG_OK && (e->oom || path.bad))
        status = OG_ENOMEM;
    og_buf_clear(&text);
    og_buf_clear(&path);
    if (status == OG_OK && e->count)
        qsort(e->item, e->count, sizeof *e->item, by_key);
    return status;
}

/* Returns the group of a path: "rules.order-notional.overrides[0].most" belongs to "rules.order-notional". */
static struct og_str group_of(struct og_str path)
{
    size_t len = 0;
    bool two = strncmp(path.s, "rules.", 6) == 0 || strncmp(path.s, "custom.", 7) == 0;

    for (int dots = 0; len < path.len && (dots += path.s[len] == '.') < 1 + two; len++)
        continue;
    return (struct og_str){ path.s, len };
}

/* Returns the key of a pair, such as "most"; empty for a whole override or custom rule. */
static const char *key_of(const struct og_setting_pair *p)
{
    const char *override = p->twin >= 0 ? strchr(p->path.s, ']') : NULL;

    if (override)
        return override[1] ? override + 2 : "";
    return p->group.len < p->path.len ? p->path.s + p->group.len + 1 : "";
}

static struct og_str path_of(const struct entry *e, struct og_arena *arena)
{
    return og_arena_copy(arena, (struct og_str){ e->key.s, e->path });
}

static bool join(const struct entry *a, const struct entry *b, struct og_arena *arena, struct og_setting_pair *p)
{
    const struct entry *either = a ? a : b;

    *p = (struct og_setting_pair){ .path = path_of(either, arena), .rule = either->rule, .twin = either->twin };
    if (!p->path.s)
        return false;
    if (a)
        p->before = a->text;
    if (b)
        p->after = b->text;
    p->group = group_of(p->path);
    p->key = key_of(p);
    p->differs = !a || !b || !og_str_eq(a->text, b->text);
    return true;
}

static bool align_all(struct og_settings_diff *diff, struct og_arena *arena)
{
    diff->overrides = og_arena_take(arena, og_rules_size * sizeof *diff->overrides);
    for (size_t i = 0; diff->overrides && i < og_rules_size; i++)
        if (!og_align(&diff->policy[0]->rules[i], &diff->policy[1]->rules[i], arena, &diff->overrides[i]))
            return false;
    return diff->overrides != NULL;
}

static bool index_lists(struct og_settings_diff *diff, struct og_arena *arena)
{
    for (int side = 0; side < 2; side++) {
        const struct og_expr_names *lists = &diff->policy[side]->lists;

        diff->list[side] = og_arena_take(arena, (lists->count + 1) * sizeof *diff->list[side]);
        for (size_t i = 0; diff->list[side] && i < lists->count; i++) {
            diff->list[side][i] = lists->lists[i].words;
            if (!diff->list[side][i].slot && !og_string_set_index(&diff->list[side][i], arena))
                return false;
        }
        if (!diff->list[side])
            return false;
    }
    return true;
}

enum og_status og_settings_compare(const struct og_policy *before, const struct og_policy *after,
                                   struct og_arena *arena, struct og_settings_diff *diff)
{
    struct entries a = { .arena = arena, .diff = diff, .side = 0, .rule = -1, .twin = -1 }, b = a;
    enum og_status status;
    size_t i = 0, k = 0;

    *diff = (struct og_settings_diff){ .policy = { before, after } };
    b.side = 1;
    status = align_all(diff, arena) && index_lists(diff, arena) ? read_all(&a) : OG_ENOMEM;
    if (status == OG_OK)
        status = read_all(&b);
    if (status == OG_OK && (!(diff->pair = og_arena_take(arena, (a.count + b.count + 1) * sizeof *diff->pair)) ||
                            !(diff->differs = og_arena_take(arena, (a.count + b.count + 1) * sizeof *diff->differs))))
        status = OG_ENOMEM;
    while (status == OG_OK && (i < a.count || k < b.count)) {
        int order = i == a.count ? 1 : k == b.count ? -1 : by_key(&a.item[i], &b.item[k]);
        struct og_setting_pair *p = &diff->pair[diff->count++];

        if (!join(order <= 0 ? &a.item[i++] : NULL, order >= 0 ? &b.item[k++] : NULL, arena, p))
            return OG_ENOMEM;
        diff->lists_differ |= p->differs && strncmp(p->path.s, "lists.", 6) == 0;
        if (!p->differs)
            continue;
        diff->differs[diff->differ++] = diff->count - 1;
        og_settings_set_strictness(diff, p);
    }
    return status;
}
