/*
 * Open addressing with linear steps, half full at most.
 * It refuses to delete: what facts once named may be empty, but it stays.
 */
#include "facts/map.h"

#include "base/often.h"
#include "base/pages.h"

#include <stdlib.h>

#define XXH_INLINE_ALL /* keys are short: the call would cost as much as the hash */
#include <xxhash.h>

#include "base/banned.h"

#define FIRST_CAP 16

OG_OFTEN uint64_t og_facts_map_hash(struct og_str key)
{
    return XXH3_64bits(key.s ? key.s : "", key.len);
}

/* The slot of the key, or the free one where it would go. */
static struct og_facts_slot *slot_of(const struct og_facts_map *m, struct og_str key, uint64_t hash)
{
    size_t i = hash & (m->cap - 1);

    while (m->slot[i].entry && (m->slot[i].hash != hash || !og_str_eq(*m->slot[i].entry, key)))
        i = (i + 1) & (m->cap - 1);
    return &m->slot[i];
}

/* Hashes alone say where entries go: looking at their keys would fetch every entry from memory. */
static struct og_facts_slot *free_slot(const struct og_facts_map *m, uint64_t hash)
{
    size_t i = hash & (m->cap - 1);

    while (m->slot[i].entry)
        i = (i + 1) & (m->cap - 1);
    return &m->slot[i];
}

static size_t bytes_of(size_t cap)
{
    return cap * sizeof(struct og_facts_slot);
}

static struct og_facts_slot *table_new(size_t cap)
{
    return bytes_of(cap) < OG_PAGES_SIZE ? calloc(cap, sizeof(struct og_facts_slot)) : og_pages_take(bytes_of(cap), true);
}

static void table_free(struct og_facts_map *m)
{
    if (bytes_of(m->cap) < OG_PAGES_SIZE)
        free(m->slot);
    else
        og_pages_free(m->slot, bytes_of(m->cap));
}

static bool grow(struct og_facts_map *m)
{
    struct og_facts_map more = { .cap = m->cap ? m->cap * 2 : FIRST_CAP, .count = m->count };

    more.slot = table_new(more.cap);
    if (!more.slot)
        return false;
    for (size_t i = 0; i < m->cap; i++)
        if (m->slot[i].entry)
            *free_slot(&more, m->slot[i].hash) = m->slot[i];
    table_free(m);
    *m = more;
    return true;
}

OG_OFTEN void *og_facts_map_find(const struct og_facts_map *m, struct og_str key, uint64_t hash)
{
    return m->count ? slot_of(m, key, hash)->entry : NULL;
}

OG_OFTEN void *og_facts_map_get(const struct og_facts_map *m, struct og_str key)
{
    return og_facts_map_find(m, key, og_facts_map_hash(key));
}

OG_OFTEN void og_facts_map_expect(const struct og_facts_map *m, uint64_t hash)
{
    if (m->cap)
        __builtin_prefetch(&m->slot[hash & (m->cap - 1)]);
}

OG_OFTEN void og_facts_map_fetch(const struct og_facts_map *m, uint64_t hash, size_t size)
{
    size_t i = hash & (m->cap - 1);

    if (!m->count)
        return;
    while (m->slot[i].entry && m->slot[i].hash != hash)
        i = (i + 1) & (m->cap - 1);
    for (size_t at = 0; m->slot[i].entry && at < size; at += 64)
        __builtin_prefetch((const char *)m->slot[i].entry + at, 1, 2);
}

bool og_facts_map_put(struct og_facts_map *m, void *entry, uint64_t hash)
{
    struct og_str *key = entry;

    if (m->count >= m->cap / 2 && !grow(m))
        return false;
    *free_slot(m, hash) = (struct og_facts_slot){ hash, key };
    m->count++;
    return true;
}

size_t og_facts_map_wants(const struct og_facts_map *m)
{
    const size_t next = bytes_of(m->cap * 2);

    return next >= OG_PAGES_SIZE && m->count >= m->cap / 8 * 3 ? next : 0;
}

void *og_facts_map_next(const struct og_facts_map *m, size_t *at)
{
    while (*at < m->cap) {
        struct og_str *entry = m->slot[(*at)++].entry;

        if (entry)
            return entry;
    }
    return NULL;
}

void og_facts_map_clear(struct og_facts_map *m)
{
    table_free(m);
    *m = (struct og_facts_map){ 0 };
}
