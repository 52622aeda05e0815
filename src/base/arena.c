/*
 * A list of blocks, each allocated from front to back.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/attributes.h"
#include "base/grow.h"
#include "base/huge_pages.h"

#define FIRST_BLOCK 1024
#define MOST_BLOCK \
    262144 /* largest block that calloc() makes for small allocations: calloc() would map larger blocks afresh, and the
            * first use of each of their pages costs a page fault */
#define MUCH ((size_t)1 << 20) /* an arena with more bytes than this grows by huge pages */

struct og_arena_block {
    size_t size;  /* usable bytes */
    size_t pages; /* size of the block for og_huge_pages_free(); 0: calloc() made it */
    alignas(max_align_t) char bytes[];
};

_Static_assert(alignof(max_align_t) == OG_ARENA_STEP, "places count in steps");
_Static_assert(OG_HUGE_PAGE_SIZE <= (size_t)OG_ARENA_STEP << OG_ARENA_BITS,
               "of a block of pages every step has a place");

void og_arena_init(struct og_arena *a, size_t most)
{
    *a = (struct og_arena){ .most = most };
}

void og_arena_clear(struct og_arena *a)
{
    for (size_t i = 0; i < a->blocks; i++)
        if (a->block[i]->pages)
            og_huge_pages_free(a->block[i], a->block[i]->pages);
        else
            free(a->block[i]);
    free(a->block);
    og_arena_init(a, a->most);
}

/* Add a block with room for `size` bytes: twice as large as the last one, up to MOST_BLOCK, or of huge pages in a large
 * arena. */
static bool grow(struct og_arena *a, size_t size)
{
    size_t want = a->blocks ? a->block[a->blocks - 1]->size * 2 : FIRST_BLOCK;
    size_t pages = 0;
    struct og_arena_block *b;

    if (want > MOST_BLOCK)
        want = MOST_BLOCK;
    if (a->taken >= MUCH && size < MUCH) {
        pages = OG_HUGE_PAGE_SIZE;
        want = pages - sizeof *b;
    }
    if (want < size)
        want = size;
    if (!OG_GROW(a->block, a->blocks, a->room, 4))
        return false;
    b = pages ? og_huge_pages_alloc(pages, true) : calloc(1, sizeof *b + want);
    if (!b)
        return false;
    b->pages = pages;
    b->size = want;
    a->block[a->blocks++] = b;
    a->next = b->bytes;
    a->left = a->most && a->most - a->taken < want ? a->most - a->taken : want;
    return true;
}

static size_t padded(size_t size)
{
    return (size + !size + OG_ARENA_STEP - 1) & ~(size_t)(OG_ARENA_STEP - 1);
}

static OG_COLD void *take_of_new(struct og_arena *a, size_t size)
{
    if (size > SIZE_MAX / 2 || (a->most && padded(size) > a->most - a->taken))
        return NULL;
    return grow(a, padded(size)) ? og_arena_take(a, size) : NULL;
}

OG_HOT void *og_arena_take(struct og_arena *a, size_t size)
{
    const size_t whole = padded(size);
    void *p = a->next;

    if (size > a->left || whole > a->left)
        return take_of_new(a, size);
    a->next += whole;
    a->left -= whole;
    a->taken += whole;
    return p;
}

uint32_t og_arena_place(const struct og_arena *a, const void *last)
{
    const size_t block = a->blocks - 1, at = (size_t)((const char *)last - (const char *)a->block[block]);

    return block >> (32 - OG_ARENA_BITS) ? 0 : (uint32_t)(block << OG_ARENA_BITS | at / OG_ARENA_STEP);
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
