/*
 * A hash map from texts to pointers, from which nothing is removed: a used id stays used, a known name stays known.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

struct og_map_slot {
    uint64_t hash;
    struct og_str key;
    const void *value; /* NULL if the slot is free */
};

struct og_map { /* zeros: empty */
    struct og_map_slot *slot;
    size_t cap, count;
};

/* Returns the value of a key; NULL if the key is not in the map. */
void *og_map_get(const struct og_map *map, struct og_str key);
/* Set the value (not NULL) of a key; the key is borrowed and must outlive the map. The slots are in `arena`, which must
 * be the same at each call, or on the heap if arena is NULL. Returns false if out of memory. */
bool og_map_put(struct og_map *map, struct og_arena *arena, struct og_str key, const void *value);
/* Free the slots of a map on the heap. */
void og_map_clear(struct og_map *map);
