/*
 * A hash table with open addressing, never more than half full.  Names cannot be removed.
 */
#include "base/name_map.h"

#include "base/hash.h"

#define FIRST 64

static size_t slot_of(const struct og_name_map *index, struct og_str name)
{
    size_t at = (size_t)og_hash(name, 0) & (index->size - 1);

    while (index->entry[at].name.len && !og_str_eq(index->entry[at].name, name))
        at = (at + 1) & (index->size - 1);
    return at;
}

int og_name_map_find(const struct og_name_map *index, struct og_str name)
{
    const struct og_name_map_entry *e = index->size ? &index->entry[slot_of(index, name)] : NULL;

    return e && e->name.len ? (int)e->number : -1;
}

static bool grow(struct og_name_map *index, struct og_arena *arena)
{
    struct og_name_map more = { .size = index->size ? 2 * index->size : FIRST, .count = index->count };

    more.entry = og_arena_take(arena, more.size * sizeof *more.entry);
    if (!more.entry)
        return false;
    for (size_t i = 0; i < index->size; i++)
        if (index->entry[i].name.len)
            more.entry[slot_of(&more, index->entry[i].name)] = index->entry[i];
    *index = more;
    return true;
}

bool og_name_map_add(struct og_name_map *index, struct og_arena *arena, struct og_str name, size_t number)
{
    if (2 * (index->count + 1) > index->size && !grow(index, arena))
        return false;
    index->entry[slot_of(index, name)] = (struct og_name_map_entry){ name, (uint32_t)number };
    index->count++;
    return true;
}
