/*
 * Open addressing with linear probing, at most five eighths full.  Entries are never deleted; facts may only mark them
 * as unused.
 */
#include "facts/map.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/attributes.h"
#include "base/hash.h"
#include "base/huge_pages.h"
#include "facts/xxhash.h"

#define FIRST_CAP 16

/* Secrets of the process, set before the first map is made. They are in this file because every decision needs them
 * several times. */
static _Atomic uint64_t secret[2];

/* Mix a hash further.  After one multiplication, consecutive ids (a-1, a-2, ...) differ by a constant, and with some
 * secrets they cluster in the table: 10 probes on average for 40,000 ids; 2 with this step. */
static inline uint64_t spread(uint64_t product)
{
    return og_hash_fold(product, UINT64_C(0x9e3779b97f4a7c15));
}

/* Returns the hash of a text of at most 16 bytes, as symbols and most ids are.  The first and the last bytes, which may
 * overlap, are each combined with a secret, so that nobody who lacks the secrets can choose texts that collide. Texts
 * of different lengths with the same halves get adjacent hashes: at most nine such texts, or sixteen of more than 16
 * bytes. */
static inline uint64_t hash_short(const char *s, size_t len, uint64_t secret_first, uint64_t secret_last)
{
    uint64_t first = 0, last = 0;
    uint32_t v, w;

    if (len >= sizeof first) {
        memcpy(&first, s, sizeof first);
        memcpy(&last, s + len - sizeof last, sizeof last);
    } else if (len >= sizeof v) {
        memcpy(&v, s, sizeof v);
        memcpy(&w, s + len - sizeof w, sizeof w);
        first = v;
        last = w;
    } else if (len) {
        first = (uint64_t)(unsigned char)s[0] << 8 | (unsigned char)s[len / 2];
        last = (unsigned char)s[len - 1];
    }
    return spread(og_hash_fold(first ^ secret_first, last ^ secret_last)) + len;
}

/* Returns the hash of a text of 17 to 32 bytes, as symbols of contracts are: the first sixteen bytes are hashed as by
 * hash_short(), and then, with the result, the last sixteen, which may overlap them. */
static inline uint64_t hash_middle(const char *s, size_t len, uint64_t secret_first, uint64_t secret_last)
{
    uint64_t word[4];

    memcpy(word, s, 16);
    memcpy(word + 2, s + len - 16, 16);
    word[0] = og_hash_fold(word[0] ^ secret_first, word[1] ^ secret_last);
    return spread(og_hash_fold(word[2] ^ secret_last, word[3] ^ word[0])) + len;
}

static OG_NOINLINE uint64_t hash_long(const char *s, size_t len, uint64_t seed)
{
    return XXH3_64bits_withSeed(s, len, seed);
}

OG_HOT uint64_t og_facts_map_hash(struct og_str key)
{
    const uint64_t first = atomic_load_explicit(&secret[0], memory_order_relaxed),
                   last = atomic_load_explicit(&secret[1], memory_order_relaxed);

    if (key.len <= 16)
        return hash_short(key.s, key.len, first, last);
    return key.len <= 32 ? hash_middle(key.s, key.len, first, last) : hash_long(key.s, key.len, first);
}

void og_facts_map_init(struct og_facts_map *m, struct og_arena *arena)
{
    atomic_store_explicit(&secret[0], og_hash_secret(), memory_order_relaxed);
    atomic_store_explicit(&secret[1], og_hash(OG_STR("map"), 0), memory_order_relaxed);
    *m = (struct og_facts_map){ .arena = arena };
}

/* Returns the number of entries up to which the map does not grow. */
static size_t limit_of(const struct og_facts_map *m)
{
    return m->cap / 8 * 5;
}

static size_t bytes_of(size_t cap)
{
    return cap * sizeof(struct og_facts_slot);
}

static struct og_facts_slot *table_new(size_t cap)
{
    return bytes_of(cap) < OG_HUGE_PAGE_SIZE ? calloc(cap, sizeof(struct og_facts_slot))
                                             : og_huge_pages_alloc(bytes_of(cap), true);
}

static void table_free(struct og_facts_map *m)
{
    if (bytes_of(m->cap) < OG_HUGE_PAGE_SIZE)
        free(m->slot);
    else
        og_huge_pages_free(m->slot, bytes_of(m->cap));
}

/* Returns the first free slot at or after a position. */
static struct og_facts_slot *free_slot(const struct og_facts_map *m, size_t at)
{
    while (m->slot[at].place)
        at = (at + 1) & (m->cap - 1);
    return &m->slot[at];
}

/* Double the table.  Entries are moved by their hashes alone: reading their keys would fetch every entry from
 * memory. */
static OG_COLD bool grow(struct og_facts_map *m)
{
    struct og_facts_map more = *m;

    more.cap = m->cap ? m->cap * 2 : FIRST_CAP;
    more.slot = more.cap - 1 > UINT32_MAX ? NULL : table_new(more.cap);
    if (!more.slot)
        return false;
    for (size_t i = 0; i < m->cap; i++)
        if (m->slot[i].place)
            *free_slot(&more, og_facts_map_first(&more, m->slot[i].hash)) = m->slot[i];
    table_free(m);
    *m = more;
    return true;
}

/* Continue a search behind an entry with the same hash and another key. */
static OG_COLD void *find_further(const struct og_facts_map *m, struct og_str key, uint64_t hash, size_t at)
{
    struct og_str *entry;

    while ((entry = og_facts_map_walk(m, hash, &at)) && !og_str_same(*entry, key))
        continue;
    return entry;
}

OG_HOT void *og_facts_map_find(const struct og_facts_map *m, struct og_str key, uint64_t hash)
{
    size_t at = og_facts_map_first(m, hash);
    struct og_str *entry = og_facts_map_walk(m, hash, &at);

    return !entry || og_str_same(*entry, key) ? entry : find_further(m, key, hash, at);
}

OG_HOT void *og_facts_map_get(const struct og_facts_map *m, struct og_str key)
{
    return og_facts_map_find(m, key, og_facts_map_hash(key));
}

OG_HOT void og_facts_map_expect(const struct og_facts_map *m, uint64_t hash)
{
    const struct og_facts_slot *first;

    if (!m->cap)
        return;
    first = &m->slot[og_facts_map_first(m, hash)];
    __builtin_prefetch(first);
    __builtin_prefetch(first + 4); /* most searches take few steps: the next slots are likely to be read soon */
}

OG_HOT void og_facts_map_fetch(const struct og_facts_map *m, uint64_t hash, size_t size)
{
    size_t first = og_facts_map_first(m, hash);
    const char *entry = og_facts_map_walk(m, hash, &first);

    for (size_t at = 0; entry && at < size; at += 64)
        __builtin_prefetch(entry + at, 1, 2);
}

void *og_facts_map_add(struct og_facts_map *m, uint64_t hash, size_t at, size_t size)
{
    uint32_t place = 0;
    void *entry;

    if (m->count >= limit_of(m)) {
        if (!grow(m))
            return NULL;
        at = og_facts_map_first(m, hash);
    }
    entry = og_arena_take(m->arena, size);
    if (entry)
        place = og_arena_place(m->arena, entry);
    if (!place)
        return NULL;
    *free_slot(m, at) = (struct og_facts_slot){ (uint32_t)hash, place };
    m->count++;
    return entry;
}

size_t og_facts_map_wants(const struct og_facts_map *m)
{
    const size_t next = bytes_of(m->cap * 2);

    return next >= OG_HUGE_PAGE_SIZE && m->count >= limit_of(m) / 4 * 3 ? next : 0;
}

void *og_facts_map_next(const struct og_facts_map *m, size_t *at)
{
    while (*at < m->cap) {
        const uint32_t place = m->slot[(*at)++].place;

        if (place)
            return og_arena_at(m->arena, place);
    }
    return NULL;
}

void og_facts_map_clear(struct og_facts_map *m)
{
    table_free(m);
    og_facts_map_init(m, m->arena);
}
