/*
 * The keys seen in the maps that are open while a document is read, for finding duplicates without going quadratic.
 * It refuses nothing: the reader decides what a duplicate means.
 */
#ifndef OG_TEXT_DUPLICATE_KEYS_H
#define OG_TEXT_DUPLICATE_KEYS_H

#include "base/str.h"

#include <stdint.h>

struct og_seen_keys_entry {
    struct og_str key; /* borrowed while its map is open */
    uint64_t hash;
};

struct og_seen_keys {
    struct og_seen_keys_entry *entries; /* in order of arrival; the innermost map's are the last */
    uint32_t *slots;                    /* open addressing: 1 + index of an entry, 0 for empty */
    size_t count, cap;                  /* slots: a power of two, twice cap */
    size_t first;                       /* where the innermost open map's entries begin */
};

enum og_seen_keys_answer { OG_KEY_NEW, OG_KEY_AGAIN, OG_KEY_NOMEM };

void og_seen_keys_init(struct og_seen_keys *set);
void og_seen_keys_clear(struct og_seen_keys *set);

/* Open a map; the answer goes to og_seen_keys_close(). */
size_t og_seen_keys_open(struct og_seen_keys *set);
void og_seen_keys_close(struct og_seen_keys *set, size_t opened);
enum og_seen_keys_answer og_seen_keys_add(struct og_seen_keys *set, struct og_str key);

#endif
