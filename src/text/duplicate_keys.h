/*
 * Detection of duplicate keys in nested maps while a document is read, in linear time.  What a duplicate means is up to
 * the reader.
 */
#pragma once

#include <stdint.h>

#include "base/str.h"

struct og_seen_keys_entry {
    struct og_str key; /* borrowed while its map is open */
    uint64_t hash;
};

struct og_seen_keys {
    struct og_seen_keys_entry *entries; /* in order of arrival, so those of the innermost map are last */
    uint32_t *slots;                    /* open addressing: 1 + index of an entry, 0 if empty */
    size_t count, cap;                  /* capacity of entries; slots has twice as many, a power of two */
    size_t first;                       /* index of the innermost map's first entry */
};

enum og_seen_keys_answer { OG_KEY_NEW, OG_KEY_AGAIN, OG_KEY_NOMEM };

void og_seen_keys_init(struct og_seen_keys *set);
void og_seen_keys_clear(struct og_seen_keys *set);

/* Open a map; pass the result to og_seen_keys_close(). */
size_t og_seen_keys_open(struct og_seen_keys *set);
void og_seen_keys_close(struct og_seen_keys *set, size_t opened);
enum og_seen_keys_answer og_seen_keys_add(struct og_seen_keys *set, struct og_str key);
