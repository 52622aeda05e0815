/*
 * One hash table for all open maps.  Entries are removed in the reverse sequence of their insertion: emptying a slot
 * restores the table to its earlier state, so no tombstones are needed.
 */
#include "text/duplicate_keys.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/hash.h"

#define FIRST_CAP 64

void og_seen_keys_init(struct og_seen_keys *set)
{
    memset(set, 0, sizeof *set);
}

void og_seen_keys_clear(struct og_seen_keys *set)
{
    free(set->entries);
    free(set->slots);
    og_seen_keys_init(set);
}

/* Returns the slot at which the search for a hash begins. */
static size_t first_slot(const struct og_seen_keys *set, uint64_t hash)
{
    return (size_t)hash & (set->cap * 2 - 1);
}

static size_t next_slot(const struct og_seen_keys *set, size_t slot)
{
    return (slot + 1) & (set->cap * 2 - 1);
}

static void insert_index(struct og_seen_keys *set, size_t index)
{
    size_t slot = first_slot(set, set->entries[index].hash);

    while (set->slots[slot] != 0)
        slot = next_slot(set, slot);
    set->slots[slot] = (uint32_t)index + 1;
}

static bool grow(struct og_seen_keys *set)
{
    size_t cap = set->cap ? set->cap * 2 : FIRST_CAP;
    struct og_seen_keys_entry *entries = NULL;
    uint32_t *slots;

    if (cap > UINT32_MAX / 2)
        return false;
    slots = calloc(cap * 2, sizeof *slots);
    if (slots)
        entries = realloc(set->entries, cap * sizeof *entries);
    if (!entries) {
        free(slots);
        return false;
    }
    free(set->slots);
    set->entries = entries;
    set->slots = slots;
    set->cap = cap;
    for (size_t i = 0; i < set->count; i++)
        insert_index(set, i);
    return true;
}

size_t og_seen_keys_open(struct og_seen_keys *set)
{
    size_t outer = set->first;

    set->first = set->count;
    return outer;
}

void og_seen_keys_close(struct og_seen_keys *set, size_t opened)
{
    while (set->count > set->first) {
        size_t slot = first_slot(set, set->entries[--set->count].hash);

        while (set->slots[slot] != (uint32_t)set->count + 1)
            slot = next_slot(set, slot);
        set->slots[slot] = 0;
    }
    set->first = opened;
}

enum og_seen_keys_answer og_seen_keys_add(struct og_seen_keys *set, struct og_str key)
{
    uint64_t hash = og_hash(key, set->first);

    if (set->count == set->cap && !grow(set))
        return OG_KEY_NOMEM;
    for (size_t slot = first_slot(set, hash); set->slots[slot] != 0; slot = next_slot(set, slot)) {
        size_t i = set->slots[slot] - 1;

        if (i >= set->first && set->entries[i].hash == hash && og_str_eq(set->entries[i].key, key))
            return OG_KEY_AGAIN;
    }
    set->entries[set->count] = (struct og_seen_keys_entry){ key, hash };
    insert_index(set, set->count++);
    return OG_KEY_NEW;
}
