/*
 * From a hash to entries: an open table that only grows.  Entries are in an arena of the caller's; those of most maps
 * begin with their key, a text.
 * It refuses to own anything but its slots, and asking allocates nothing.
 */
#ifndef OG_FACTS_MAP_H
#define OG_FACTS_MAP_H

#include "base/arena.h"
#include "base/str.h"

#include <stdint.h>

/* Eight bytes, for of some maps there is one for every order. */
struct og_facts_slot {
    uint32_t hash;  /* its lower half: the table is found in by these bits too */
    uint32_t place; /* of the entry in the arena; 0: free */
};

struct og_facts_map {
    struct og_facts_slot *slot;
    size_t cap, count; /* cap is a power of two, or 0 */
    struct og_arena *arena;
};

void og_facts_map_init(struct og_facts_map *m, struct og_arena *arena);
/* Entries that begin with their key. */
void *og_facts_map_get(const struct og_facts_map *m, struct og_str key); /* NULL: none */
/* The same in two steps, for a key that several maps are asked for. */
uint64_t og_facts_map_hash(struct og_str key);
void *og_facts_map_find(const struct og_facts_map *m, struct og_str key, uint64_t hash);

/* Entries that begin with anything: those that may have this hash, one after the other.  *at begins where
 * og_facts_map_first() says, and at the end (NULL) it is where another one goes. */
static inline size_t og_facts_map_first(const struct og_facts_map *m, uint64_t hash)
{
    return hash & (m->cap - 1);
}
static inline void *og_facts_map_walk(const struct og_facts_map *m, uint64_t hash, size_t *at)
{
    if (!m->count)
        return NULL;
    for (; m->slot[*at].place; *at = (*at + 1) & (m->cap - 1))
        if (m->slot[*at].hash == (uint32_t)hash) {
            const uint32_t place = m->slot[*at].place;

            *at = (*at + 1) & (m->cap - 1);
            return og_arena_at(m->arena, place);
        }
    return NULL;
}

/* The key will be asked for: the larger maps are beyond the processor's caches. */
void og_facts_map_expect(const struct og_facts_map *m, uint64_t hash);
/* It was expected, some time ago: now size bytes of its entry will be needed. */
void og_facts_map_fetch(const struct og_facts_map *m, uint64_t hash, size_t size);
/* A new entry of so many bytes, zeroed, whose key is not in the map yet; its hash; where a walk ended, or its first.
 * NULL: out of memory, nothing changed. */
void *og_facts_map_add(struct og_facts_map *m, uint64_t hash, size_t at, size_t size);
/* The bytes of its next table, when that is large and not far; 0. */
size_t og_facts_map_wants(const struct og_facts_map *m);
/* Every entry once, in no order: start with *at 0; NULL at the end. */
void *og_facts_map_next(const struct og_facts_map *m, size_t *at);
void og_facts_map_clear(struct og_facts_map *m);

#endif
