/*
 * Memory in huge pages, for tables that grow with every order: a page fault for each 4 KiB costs more than the use.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define OG_HUGE_PAGE_SIZE ((size_t)2 << 20) /* size and alignment of a huge page */

/* Returns zeroed memory of OG_HUGE_PAGE_SIZE bytes or a multiple (size is rounded up); NULL if out of memory. large:
 * ask the system for huge pages, which are filled whole when first touched. */
void *og_huge_pages_alloc(size_t size, bool large);
void og_huge_pages_free(void *pages, size_t size);

/* Map and touch a region of that size in advance, unless `count` such regions are ready already for
 * og_huge_pages_alloc(large): on virtual machines the first touch of memory takes longer than its use.  Returns true if
 * there may be more to make. Any thread; the process keeps at most OG_HUGE_PAGES_READY. */
#define OG_HUGE_PAGES_READY 8
bool og_huge_pages_prefault(size_t size, int count);

/* Around fork(): holds the lock, so that the child's copy is consistent. */
void og_huge_pages_lock(void);
void og_huge_pages_unlock(void);

/* A FIFO slab: allocations of any size, freed in about the order they were made.  A chunk of OG_HUGE_PAGE_SIZE is freed
 * when all of its allocations are. */
struct og_slab_chunk;
struct og_slab {
    struct og_slab_chunk *newest;
};
void *og_slab_alloc(struct og_slab *s, size_t size); /* not zeroed, aligned for any type; NULL if out of memory */
void og_slab_free(struct og_slab *s, void *p);       /* NULL is allowed */
void og_slab_clear(struct og_slab *s);
