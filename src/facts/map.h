/*
 * From text to an entry: an open hash that only grows.  Entries are the caller's and begin with their key.
 * It refuses to own anything but its slots, and asking allocates nothing.
 */
#ifndef OG_FACTS_MAP_H
#define OG_FACTS_MAP_H

#include "base/str.h"

#include <stdint.h>

struct og_facts_slot {
    uint64_t hash;
    struct og_str *entry; /* the key is the first member of the entry; NULL: free */
};

struct og_facts_map {
    struct og_facts_slot *slot;
    size_t cap, count; /* cap is a power of two, or 0 */
};

void *og_facts_map_get(const struct og_facts_map *m, struct og_str key); /* NULL: none */
/* The same in two steps, for a key that several maps are asked for. */
uint64_t og_facts_map_hash(struct og_str key);
void *og_facts_map_find(const struct og_facts_map *m, struct og_str key, uint64_t hash);
/* The key will be asked for: the larger maps are beyond the processor's caches. */
void og_facts_map_expect(const struct og_facts_map *m, uint64_t hash);
/* It was expected, some time ago: now size bytes of its entry will be needed. */
void og_facts_map_fetch(const struct og_facts_map *m, uint64_t hash, size_t size);
/* entry begins with its key, which is not in the map yet; its hash.  false: out of memory, nothing changed. */
bool og_facts_map_put(struct og_facts_map *m, void *entry, uint64_t hash);
/* The bytes of its next table, when that is large and not far; 0. */
size_t og_facts_map_wants(const struct og_facts_map *m);
/* Every entry once, in no order: start with *at 0; NULL at the end. */
void *og_facts_map_next(const struct og_facts_map *m, size_t *at);
void og_facts_map_clear(struct og_facts_map *m);

#endif
