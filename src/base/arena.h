/*
 * An arena: allocations that are all freed together.  Each policy, facts document and long-lived set has one.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct og_arena_block;

struct og_arena {
    char *next;                    /* the next free byte of the last block */
    size_t left;                   /* bytes left in the last block, within the limit */
    struct og_arena_block **block; /* all blocks, oldest first */
    size_t blocks, room;           /* number of blocks; capacity of block[] */
    size_t most;                   /* limit in bytes; 0 if there is none */
    size_t taken;                  /* bytes allocated */
};

void og_arena_init(struct og_arena *a, size_t most);
void og_arena_clear(struct og_arena *a); /* frees all memory of the arena, which can be used again */

/* Allocate zeroed memory, aligned for any type.  Returns NULL if out of memory or past the limit. */
void *og_arena_take(struct og_arena *a, size_t size);
/* Returns a NUL-terminated copy; {NULL, 0} on failure. */
struct og_str og_arena_copy(struct og_arena *a, struct og_str s);

/* Returns a reference to the newest allocation in half the size of a pointer: the block's index, and the offset in it
 * in steps of OG_ARENA_STEP bytes. Returns 0 after 2^15 blocks (64 GiB). */
#define OG_ARENA_STEP 16
#define OG_ARENA_BITS 17 /* bits of the offset; a larger block has only one allocation, at its beginning */
uint32_t og_arena_place(const struct og_arena *a, const void *last);
static inline void *og_arena_at(const struct og_arena *a, uint32_t place)
{
    return (char *)a->block[place >> OG_ARENA_BITS] + (size_t)(place & ((1u << OG_ARENA_BITS) - 1)) * OG_ARENA_STEP;
}
