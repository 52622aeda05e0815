/*
 * Memory in large pages, for what grows by the order: a page fault for every 4 KiB would cost more than filling them.
 * It refuses small things: those are malloc's.
 */
#ifndef OG_BASE_PAGES_H
#define OG_BASE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#define OG_PAGES_SIZE ((size_t)2 << 20) /* and so aligned */

/* Zeroed, OG_PAGES_SIZE bytes or a multiple (size is rounded up).  large: ask the system for large pages, which
 * are filled whole when they are first touched.  NULL: out of memory. */
void *og_pages_take(size_t size, bool large);
void og_pages_free(void *pages, size_t size);

/* Have count large regions of that size at hand for og_pages_take(), touched already: on many a machine the system
 * takes longer to give memory that was never touched than it takes to use it.  One call makes one of them; true: there
 * may be more to make.  Any thread; at most OG_PAGES_READY are kept for the process. */
#define OG_PAGES_READY 8
bool og_pages_make_ready(size_t size, int count);

/* Around a fork(): nobody else is in the middle of anything here. */
void og_pages_hold(void);
void og_pages_let_go(void);

/* Things of many sizes that leave in about the order they came: memory comes back when all of OG_PAGES_SIZE left. */
struct og_slab_chunk;
struct og_slab {
    struct og_slab_chunk *newest;
};
void *og_slab_take(struct og_slab *s, size_t size); /* not zeroed, aligned for any type; NULL: out of memory */
void og_slab_free(struct og_slab *s, void *p);      /* NULL is allowed */
void og_slab_clear(struct og_slab *s);

#endif
