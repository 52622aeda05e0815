/*
 * The keys seen in the maps that are open while a document is read, for finding duplicates without going quadratic.
 * It refuses nothing: the reader decides what a duplicate means.
 */
#ifndef OG_TEXT_KEYSET_H
#define OG_TEXT_KEYSET_H

#include "base/str.h"

#include <stdint.h>

struct og_keyset_entry {
    struct og_str key; /* borrowed while its map is open */
    uint64_t hash;
};

struct og_keyset {
    struct og_keyset_entry *entries; /* in order of arrival; the innermost map's are the last */
    uint32_t *slots;                 /* open addressing: 1 + index of an entry, 0 for empty */
    size_t count, cap;               /* slots: a power of two, twice cap */
    size_t first;                    /* where the innermost open map's entries begin */
};

enum og_keyset_answer { OG_KEY_NEW, OG_KEY_AGAIN, OG_KEY_NOMEM };

void og_keyset_init(struct og_keyset *set);
void og_keyset_clear(struct og_keyset *set);

/* Open a map; the answer goes to og_keyset_close(). */
size_t og_keyset_open(struct og_keyset *set);
void og_keyset_close(struct og_keyset *set, size_t opened);
enum og_keyset_answer og_keyset_add(struct og_keyset *set, struct og_str key);

#endif
