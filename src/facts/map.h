/*
 * Hash map with open addressing that only grows.  Its entries are in an arena that the caller owns; in most maps they
 * begin with their key, a string.  Look-ups never allocate.
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

/* An entry takes eight bytes, because some maps have one for every order. */
struct og_facts_slot {
    uint32_t hash;  /* lower half of the hash, from which the first position to search follows */
    uint32_t place; /* offset of the entry in the arena; 0 if free slot */
};

struct og_facts_map {
    struct og_facts_slot *slot;
    size_t cap, count; /* cap is 0 or a power of two */
    struct og_arena *arena;
};

void og_facts_map_init(struct og_facts_map *m, struct og_arena *arena);
/* For maps whose entries begin with their key. */
void *og_facts_map_get(const struct og_facts_map *m, struct og_str key); /* NULL if there is no such entry */
/* og_facts_map_get() in two steps, for a key that is looked up in several maps. */
uint64_t og_facts_map_hash(struct og_str key);
void *og_facts_map_find(const struct og_facts_map *m, struct og_str key, uint64_t hash);

/* For maps whose entries do not begin with their key: iterate over the entries that may have this hash. *at starts at
 * og_facts_map_first(). When the result is NULL, *at is the slot for a new entry. */
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

/* Prefetch the slot of a key that will be looked up: large maps do not fit into the processor's caches. */
void og_facts_map_expect(const struct og_facts_map *m, uint64_t hash);
/* Prefetch `size` bytes of the entry, some time after og_facts_map_expect(). */
void og_facts_map_fetch(const struct og_facts_map *m, uint64_t hash, size_t size);
/* Add a zeroed entry of `size` bytes, whose key must not be in the map yet. at: the position at which an iteration
 * ended, or og_facts_map_first().  Returns NULL if memory runs out; then nothing changed. */
void *og_facts_map_add(struct og_facts_map *m, uint64_t hash, size_t at, size_t size);
/* Returns the size in bytes of the next table if it will be needed soon and is big; 0 if not. */
size_t og_facts_map_wants(const struct og_facts_map *m);
/* Iterate over all entries, in no fixed sequence: start with *at 0; returns NULL after the last. */
void *og_facts_map_next(const struct og_facts_map *m, size_t *at);
void og_facts_map_clear(struct og_facts_map *m);
