/*
 * A hash table from names to numbers, for the ids and lists of a policy.
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

struct og_name_map_entry {
    struct og_str name; /* borrowed; len 0: free */
    uint32_t number;
};

struct og_name_map { /* zeros: empty */
    struct og_name_map_entry *entry;
    size_t size, count;
};

/* Returns the number of a name; -1 if it is not there. */
int og_name_map_find(const struct og_name_map *index, struct og_str name);
/* Add a name, which must not be empty or already there.  Returns false if out of memory. */
bool og_name_map_add(struct og_name_map *index, struct og_arena *arena, struct og_str name, size_t number);
