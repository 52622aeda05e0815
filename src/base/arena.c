/*
 * Blocks in a chain, handed out front to back, freed whole.
 * It refuses more than its limit.
 */
#include "base/arena.h"

#include "base/pages.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/banned.h"

#define FIRST_BLOCK 1024
#define MOST_BLOCK  65536
#define MUCH        ((size_t)1 << 20) /* an arena that holds so much grows by large pages */

struct og_arena_block {
    struct og_arena_block *before;
    size_t used, size;
    size_t pages; /* bytes of og_pages_take(); 0: malloc's */
    alignas(max_align_t) char bytes[];
};

void og_arena_init(struct og_arena *a, size_t most)
{
    *a = (struct og_arena){ .most = most };
}

void og_arena_clear(struct og_arena *a)
{
    for (struct og_arena_block *b = a->last, *before; b; b = before) {
        before = b->before;
        if (b->pages)
            og_pages_free(b, b->pages);
        else
            free(b);
    }
    og_arena_init(a, a->most);
}

/* A new block with room for size, twice as large as the one before it. */
static struct og_arena_block *grow(struct og_arena *a, size_t size)
{
    size_t want = a->last ? a->last->size * 2 : FIRST_BLOCK;
    size_t pages = 0;
    struct og_arena_block *b;

    if (want > MOST_BLOCK)
        want = MOST_BLOCK;
    if (a->taken >= MUCH && size < MUCH) {
        pages = OG_PAGES_SIZE;
        want = pages - sizeof *b;
    }
    if (want < size)
        want = size;
    b = pages ? og_pages_take(pages, true) : calloc(1, sizeof *b + want);
    if (!b)
        return NULL;
    b->before = a->last;
    b->pages = pages;
    b->size = want;
    return a->last = b;
}

void *og_arena_take(struct og_arena *a, size_t size)
{
    struct og_arena_block *b = a->last;
    size_t step = alignof(max_align_t), padded;
    void *p;

    if (size > SIZE_MAX / 2)
        return NULL;
    padded = size == 0 ? step : (size + step - 1) / step * step;
    if (a->most != 0 && (padded > a->most || a->taken > a->most - padded))
        return NULL;
    if (!b || b->size - b->used < padded)
        b = grow(a, padded);
    if (!b)
        return NULL;
    p = b->bytes + b->used;
    b->used += padded;
    a->taken += padded;
    return p;
}

struct og_str og_arena_copy(struct og_arena *a, struct og_str s)
{
    char *copy = s.len < SIZE_MAX ? og_arena_take(a, s.len + 1) : NULL;

    if (!copy)
        return (struct og_str){ NULL, 0 };
    if (s.len)
        memcpy(copy, s.s, s.len);
    return (struct og_str){ copy, s.len };
}
