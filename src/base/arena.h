/*
 * An arena: memory that is freed whole.  One for each policy, facts document and long-lived set.
 * It refuses to free a part.
 */
#ifndef OG_BASE_ARENA_H
#define OG_BASE_ARENA_H

#include "base/str.h"

#include <stddef.h>

struct og_arena_block;

struct og_arena {
    struct og_arena_block *last;
    size_t most;  /* limit in bytes, 0 for none */
    size_t taken; /* bytes handed out */
};

void og_arena_init(struct og_arena *a, size_t most);
void og_arena_clear(struct og_arena *a); /* frees all; usable again */

/* Zeroed, aligned for any type; NULL when out of memory or past the limit. */
void *og_arena_take(struct og_arena *a, size_t size);
/* A NUL-terminated copy; {NULL, 0} on failure. */
struct og_str og_arena_copy(struct og_arena *a, struct og_str s);

#endif
