/*
 * Open addressing with linear probing, at most three quarters full.
 */
#include "base/map.h"

#include <stdlib.h>

#include "base/hash.h"

#define FIRST_CAP 64

static struct og_map_slot *slot_of(const struct og_map *map, uint64_t hash, struct og_str key)
{
    size_t i = hash & (map->cap - 1);

    while (map->slot[i].value && (map->slot[i].hash != hash || !og_str_eq(map->slot[i].key, key)))
        i = (i + 1) & (map->cap - 1);
    return &map->slot[i];
}

static bool grow(struct og_map *map, struct og_arena *arena)
{
    struct og_map more = { .cap = map->cap ? map->cap * 2 : FIRST_CAP, .count = map->count };

    more.slot = arena ? og_arena_take(arena, more.cap * sizeof *more.slot) : calloc(more.cap, sizeof *more.slot);
    if (!more.slot)
        return false;
    for (size_t i = 0; i < map->cap; i++)
        if (map->slot[i].value)
            *slot_of(&more, map->slot[i].hash, map->slot[i].key) = map->slot[i];
    if (!arena)
        free(map->slot);
    *map = more;
    return true;
}

void *og_map_get(const struct og_map *map, struct og_str key)
{
    return map->cap ? (void *)(uintptr_t)slot_of(map, og_hash(key, 0), key)->value : NULL;
}

bool og_map_put(struct og_map *map, struct og_arena *arena, struct og_str key, const void *value)
{
    struct og_map_slot *slot;
    uint64_t hash = og_hash(key, 0);

    if ((map->count + 1) * 4 > map->cap * 3 && !grow(map, arena))
        return false;
    slot = slot_of(map, hash, key);
    map->count += !slot->value;
    *slot = (struct og_map_slot){ hash, key, value };
    return true;
}

void og_map_clear(struct og_map *map)
{
    free(map->slot);
    *map = (struct og_map){ 0 };
}
