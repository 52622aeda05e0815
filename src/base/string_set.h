/*
 * A set of strings that is read-only once made.  Large sets are searched through a hash index, small sets linearly.
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "base/attributes.h"
#include "base/str.h"

struct og_string_set {
    const struct og_str *word;
    size_t count;
    /* hash table with open addressing: 1 + index of a word, 0 if free; NULL if there is no index */
    const uint32_t *slot;
    uint32_t mask; /* number of slots minus one; the number of slots is a power of two, at least twice count */
};

/* Build the index, unless the set is small.  Returns false if out of memory. */
bool og_string_set_index(struct og_string_set *words, struct og_arena *arena);

/* Returns a hash of the word; strings that differ only in the case of letters have the same hash. */
static inline uint32_t og_string_set_hash(struct og_str word)
{
    uint32_t hash = (uint32_t)word.len;

    for (size_t i = 0; i < word.len; i++)
        hash = hash * 33 + ((unsigned char)word.s[i] | 0x20u);
    return hash ^ hash >> 15;
}

static inline OG_HOT bool og_string_set_contains(const struct og_string_set *words, struct og_str word)
{
    if (words->slot) {
        for (uint32_t at = og_string_set_hash(word) & words->mask; words->slot[at]; at = (at + 1) & words->mask)
            if (og_str_same(words->word[words->slot[at] - 1], word))
                return true;
        return false;
    }
    for (size_t i = 0; i < words->count; i++)
        if (og_str_eq(words->word[i], word))
            return true;
    return false;
}

/* Search without regard to the case of ASCII letters. */
static inline bool og_string_set_contains_folded(const struct og_string_set *words, struct og_str word)
{
    if (words->slot) {
        for (uint32_t at = og_string_set_hash(word) & words->mask; words->slot[at]; at = (at + 1) & words->mask)
            if (og_str_eq_folded(words->word[words->slot[at] - 1], word))
                return true;
        return false;
    }
    for (size_t i = 0; i < words->count; i++)
        if (og_str_eq_folded(words->word[i], word))
            return true;
    return false;
}
