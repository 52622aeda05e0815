/*
 * Finds duplicate keys in nested maps while a document is read, in linear time. The reader of the document decides
 * what a duplicate means.
 */
#pragma once

#include <stdint.h>

#include "base/str.h"

struct og_seen_keys_entry {
    struct og_str key; /* not copied: the text must stay valid while its map is open */
    uint64_t hash;
};

struct og_seen_keys {
    struct og_seen_keys_entry *entries; /* in the sequence in which keys came: the innermost map's are last */
    uint32_t *slots;                    /* hash table with open addressing: 1 + index of an entry; 0 if free */
    size_t count, cap;                  /* cap: capacity of entries; the number of slots is twice cap, a power of two */
    size_t first;                       /* index of the innermost map's first entry */
};

enum og_seen_keys_answer { OG_KEY_NEW, OG_KEY_AGAIN, OG_KEY_NOMEM };

void og_seen_keys_init(struct og_seen_keys *set);
void og_seen_keys_clear(struct og_seen_keys *set);

/* Open a map; pass the result to og_seen_keys_close(). */
size_t og_seen_keys_open(struct og_seen_keys *set);
void og_seen_keys_close(struct og_seen_keys *set, size_t opened);
enum og_seen_keys_answer og_seen_keys_add(struct og_seen_keys *set, struct og_str key);
