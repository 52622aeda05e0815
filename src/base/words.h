/*
 * A list of words, asked whether it has one; long lists are asked through an index.
 * It refuses to change once made.
 */
#ifndef OG_BASE_WORDS_H
#define OG_BASE_WORDS_H

#include "base/arena.h"
#include "base/str.h"

#include <stdint.h>

struct og_words {
    const struct og_str *word;
    size_t count;
    const uint32_t *slot; /* open addressing: 1 + index of a word, 0 for none; NULL: no index */
    uint32_t mask;        /* slots less one: a power of two, twice count at least */
};

/* Index them; few words are left as they are.  false: out of memory. */
bool og_words_index(struct og_words *words, struct og_arena *arena);

/* Of words that differ in case alone it is the same. */
static inline uint32_t og_words_hash(struct og_str word)
{
    uint32_t hash = (uint32_t)word.len;

    for (size_t i = 0; i < word.len; i++)
        hash = hash * 33 + ((unsigned char)word.s[i] | 0x20u);
    return hash ^ hash >> 15;
}

static inline bool og_words_have(const struct og_words *words, struct og_str word)
{
    if (words->slot) {
        for (uint32_t at = og_words_hash(word) & words->mask; words->slot[at]; at = (at + 1) & words->mask)
            if (og_str_eq(words->word[words->slot[at] - 1], word))
                return true;
        return false;
    }
    for (size_t i = 0; i < words->count; i++)
        if (og_str_eq(words->word[i], word))
            return true;
    return false;
}

/* The same, a to z being A to Z. */
static inline bool og_words_same_letters(struct og_str a, struct og_str b)
{
    bool same = a.len == b.len;

    for (size_t i = 0; same && i < a.len; i++) {
        const unsigned char x = (unsigned char)a.s[i], y = (unsigned char)b.s[i], small = x | 0x20u;

        same = x == y || (small == (y | 0x20u) && small >= 'a' && small <= 'z');
    }
    return same;
}
static inline bool og_words_have_letters(const struct og_words *words, struct og_str word)
{
    if (words->slot) {
        for (uint32_t at = og_words_hash(word) & words->mask; words->slot[at]; at = (at + 1) & words->mask)
            if (og_words_same_letters(words->word[words->slot[at] - 1], word))
                return true;
        return false;
    }
    for (size_t i = 0; i < words->count; i++)
        if (og_words_same_letters(words->word[i], word))
            return true;
    return false;
}

#endif
