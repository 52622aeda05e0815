/*
 * Memory in huge pages, for tables that grow with every order: a page fault for each 4 KiB would cost more than the use
 * of the memory.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define OG_HUGE_PAGE_SIZE ((size_t)2 << 20) /* size and alignment of a huge page */

/* Returns zeroed memory, with the size rounded up to a multiple of OG_HUGE_PAGE_SIZE; NULL if out of memory. large: ask
 * the system for huge pages; the first access to a huge page then zeroes all of it. */
void *og_huge_pages_alloc(size_t size, bool large);
void og_huge_pages_free(void *pages, size_t size);

/* Map and touch a region of that size in advance, for og_huge_pages_alloc(large), unless `count` such regions are ready
 * already: on virtual machines the first touch of memory takes longer than its use.  Returns true if it made a region:
 * then another call may make another. May be called by any thread; the process keeps at most OG_HUGE_PAGES_READY
 * regions. */
#define OG_HUGE_PAGES_READY 8
bool og_huge_pages_prefault(size_t size, int count);

/* Call before and after fork(): these hold the lock, so that the child's copy is consistent. */
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
