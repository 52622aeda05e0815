/*
 * An arena: memory that is freed whole.  One for each policy, facts document and long-lived set.
 * It refuses to free a part.
 */
#ifndef OG_BASE_ARENA_H
#define OG_BASE_ARENA_H

#include "base/str.h"

#include <stddef.h>
#include <stdint.h>

struct og_arena_block;

struct og_arena {
    char *next;                    /* what is handed out next, of the last block */
    size_t left;                   /* so many bytes, of the block and of the limit */
    struct og_arena_block **block; /* all of them, oldest first */
    size_t blocks, room;
    size_t most;  /* limit in bytes, 0 for none */
    size_t taken; /* bytes handed out */
};

void og_arena_init(struct og_arena *a, size_t most);
void og_arena_clear(struct og_arena *a); /* frees all; usable again */

/* Zeroed, aligned for any type; NULL when out of memory or past the limit. */
void *og_arena_take(struct og_arena *a, size_t size);
/* A NUL-terminated copy; {NULL, 0} on failure. */
struct og_str og_arena_copy(struct og_arena *a, struct og_str s);

/* Where the thing that was taken last begins, in half the bytes of a pointer: which block, and how far in it.  0:
 * beyond the first 2^15 blocks (which are 64 GiB). */
#define OG_ARENA_STEP 16
#define OG_ARENA_BITS 17 /* of the steps of a block; a larger block has one thing alone */
uint32_t og_arena_place(const struct og_arena *a, const void *last);
static inline void *og_arena_at(const struct og_arena *a, uint32_t place)
{
    return (char *)a->block[place >> OG_ARENA_BITS] + (size_t)(place & ((1u << OG_ARENA_BITS) - 1)) * OG_ARENA_STEP;
}

#endif
