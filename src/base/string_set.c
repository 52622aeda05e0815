/*
 * Builds the hash index of a string set. A small set needs no index to be searched as fast.
 */
#include "base/string_set.h"

#define FEW 4

bool og_string_set_index(struct og_string_set *words, struct og_arena *arena)
{
    uint32_t *slot, mask = 15;

    if (words->count <= FEW || words->count > UINT32_MAX / 4)
        return true;
    while (mask < 2 * words->count)
        mask = 2 * mask + 1;
    slot = og_arena_take(arena, (mask + (size_t)1) * sizeof *slot);
    if (!slot)
        return false;
    for (uint32_t i = 0; i < words->count; i++) {
        uint32_t at = og_string_set_hash(words->word[i]) & mask;

        while (slot[at])
            at = (at + 1) & mask;
        slot[at] = i + 1;
    }
    words->slot = slot;
    words->mask = mask;
    return true;
}
