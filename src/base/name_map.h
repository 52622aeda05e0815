/*
 * Numbers by their names: ids and lists of a policy, however many there are.
 */
#ifndef OG_BASE_NAME_MAP_H
#define OG_BASE_NAME_MAP_H

#include "base/arena.h"
#include "base/str.h"

#include <stdint.h>

struct og_name_map_entry {
    struct og_str name; /* borrowed; len 0: free */
    uint32_t number;
};

struct og_name_map { /* zeros: empty */
    struct og_name_map_entry *entry;
    size_t size, count;
};

/* -1: there is none. */
int og_name_map_find(const struct og_name_map *index, struct og_str name);
/* The name is not empty and not yet there.  false: out of memory. */
bool og_name_map_add(struct og_name_map *index, struct og_arena *arena, struct og_str name, size_t number);

#endif
