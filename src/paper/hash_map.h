/*
 * A hash map from texts to pointers that only grows.  Keys are borrowed and must outlive it.
 */
#pragma once

#include <stdint.h>

#include "base/str.h"

struct og_paper_slot {
    uint64_t hash;
    struct og_str key;
    void *value; /* NULL: the slot is free */
};

struct og_paper_map {
    struct og_paper_slot *slots;
    size_t cap, count;
};

void *og_paper_map_get(const struct og_paper_map *map, struct og_str key);
bool og_paper_map_put(struct og_paper_map *map, struct og_str key, void *value); /* Returns false if out of memory. */
void og_paper_map_clear(struct og_paper_map *map);
