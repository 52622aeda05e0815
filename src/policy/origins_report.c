/*
 * The memory of a report of where settings come from: a list of rules, each with a list of settings.
 */
#include <stdlib.h>

#include "policy/origins.h"

#define ROOM_MOST ((size_t)1 << 30)

struct told_setting {
    struct og_origin_setting is;
    struct told_setting *next;
};

struct told_rule {
    struct og_origin_rule is;
    struct told_setting *first, **end;
    struct told_setting **by_index; /* array of the settings, made when the report is finished */
    size_t count;
    struct told_rule *next;
};

static void *take(struct og_origins *o, size_t size)
{
    void *to = og_arena_take(&o->room, size);

    o->oom = o->oom || !to;
    return to;
}

const char *og_origins_keep(struct og_origins *o, struct og_str text)
{
    const char *to = og_arena_copy(&o->room, text.s ? text : OG_STR("")).s;

    o->oom = o->oom || !to;
    return to ? to : "";
}

/* Keep the buffer's text, and clear the buffer. */
const char *og_origins_keep_buf(struct og_origins *o, struct og_buf *b)
{
    const char *to = og_origins_keep(o, (struct og_str){ b->s, b->len });

    o->oom = o->oom || b->bad;
    og_buf_clear(b);
    return to;
}

struct og_origin_place og_origins_place(struct og_origins *o, enum og_origin_kind kind, struct og_srcloc at,
                                        const char *value)
{
    if (!at.source)
        return (struct og_origin_place){ .kind = OG_ORIGIN_DEFAULT, .value = value, .layer = "", .file = "" };
    return (struct og_origin_place){ .kind = kind,
                                     .value = value,
                                     .layer = og_origins_keep(o, og_str_of(at.source->title ? at.source->title : "")),
                                     .file = og_origins_keep(o, og_str_of(at.source->name)),
                                     .line = at.line,
                                     .col = at.col };
}

const struct og_origin_place *og_origins_keep_place(struct og_origins *o, struct og_origin_place of)
{
    struct og_origin_place *to = take(o, sizeof *to);

    if (to)
        *to = of;
    return to;
}

struct og_origin_rule *og_origins_begin_rule(struct og_origins *o)
{
    struct told_rule *t = take(o, sizeof *t);

    if (!t)
        return NULL;
    t->end = &t->first;
    *o->end = o->last = t;
    o->end = &t->next;
    o->count++;
    return &t->is;
}

struct og_origin_setting *og_origins_begin(struct og_origins *o, const char *key, const char *value)
{
    struct told_setting *s = take(o, sizeof *s);

    if (!s)
        return NULL;
    *o->last->end = s;
    o->last->end = &s->next;
    o->last->count++;
    s->is = (struct og_origin_setting){ .key = key, .value = value };
    og_buf_reset(&o->hides);
    return &s->is;
}

void og_origins_hide(struct og_origins *o, struct og_origin_place what)
{
    og_buf_bytes(&o->hides, (const char *)&what, sizeof what);
}

void og_origins_end(struct og_origins *o, struct og_origin_setting *s)
{
    const struct og_buf *all = &o->hides;
    struct og_origin_place *hides = all->len ? take(o, all->len) : NULL;

    o->oom = o->oom || all->bad;
    if (!hides)
        return;
    memcpy(hides, all->s, all->len);
    s->hides = hides;
    s->hidden = all->len / sizeof *hides;
}

struct og_origins *og_origins_new(const struct og_policy *policy)
{
    struct og_origins *o = calloc(1, sizeof *o);

    if (!o)
        return NULL;
    og_arena_init(&o->room, ROOM_MOST);
    og_buf_init(&o->hides, 0);
    o->policy = policy;
    o->end = &o->first;
    return o;
}

static void index_settings(struct og_origins *o, struct told_rule *t)
{
    size_t i = 0;

    t->by_index = take(o, (t->count + 1) * sizeof *t->by_index);
    for (struct told_setting *s = t->first; s && t->by_index; s = s->next)
        t->by_index[i++] = s;
}

bool og_origins_finish(struct og_origins *o)
{
    size_t i = 0;

    o->by_index = take(o, (o->count + 1) * sizeof *o->by_index);
    for (struct told_rule *t = o->first; t && o->by_index; t = t->next) {
        o->by_index[i++] = t;
        index_settings(o, t);
    }
    o->policy = NULL;
    if (!o->oom)
        return true;
    og_origins_free(o);
    return false;
}

void og_origins_free(struct og_origins *o)
{
    if (!o)
        return;
    og_arena_clear(&o->room);
    og_buf_clear(&o->hides);
    free(o);
}

bool og_origins_rule(const struct og_origins *o, size_t i, struct og_origin_rule *rule)
{
    if (!o || !rule || i >= o->count)
        return false;
    *rule = o->by_index[i]->is;
    return true;
}

bool og_origins_setting(const struct og_origins *o, size_t i, size_t k, struct og_origin_setting *setting)
{
    if (!o || !setting || i >= o->count || k >= o->by_index[i]->count)
        return false;
    *setting = o->by_index[i]->by_index[k]->is;
    return true;
}
