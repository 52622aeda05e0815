/*
 * An open-addressing hash table with borrowed keys.  Entries are never removed: ids stay used and symbols stay known.
 */
#include "paper/hash_map.h"

#include <stdlib.h>

#include "base/hash.h"

static struct og_paper_slot *slot_of(const struct og_paper_map *map, uint64_t hash, struct og_str key)
{
    size_t i = hash & (map->cap - 1);

    while (map->slots[i].value && (map->slots[i].hash != hash || !og_str_eq(map->slots[i].key, key)))
        i = (i + 1) & (map->cap - 1);
    return &map->slots[i];
}

static bool grow(struct og_paper_map *map)
{
    struct og_paper_map bigger = { NULL, map->cap ? map->cap * 2 : 64, map->count };
    size_t i;

    bigger.slots = calloc(bigger.cap, sizeof *bigger.slots);
    if (!bigger.slots)
        return false;
    for (i = 0; i < map->cap; i++)
        if (map->slots[i].value)
            *slot_of(&bigger, map->slots[i].hash, map->slots[i].key) = map->slots[i];
    free(map->slots);
    *map = bigger;
    return true;
}

void *og_paper_map_get(const struct og_paper_map *map, struct og_str key)
{
    return map->cap ? slot_of(map, og_hash(key, 0), key)->value : NULL;
}

bool og_paper_map_put(struct og_paper_map *map, struct og_str key, void *value)
{
    struct og_paper_slot *slot;
    uint64_t hash = og_hash(key, 0);

    if ((map->count + 1) * 4 > map->cap * 3 && !grow(map))
        return false;
    slot = slot_of(map, hash, key);
    if (!slot->value)
        map->count++;
    *slot = (struct og_paper_slot){ hash, key, value };
    return true;
}

void og_paper_map_clear(struct og_paper_map *map)
{
    free(map->slots);
    *map = (struct og_paper_map){ NULL, 0, 0 };
}
