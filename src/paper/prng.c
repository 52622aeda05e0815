/*
 * splitmix64: every seed is suitable, a step is a few additions and multiplications, and every 64-bit number occurs
 * once per period. Not for cryptography: whoever has seen one output can compute the next.
 */
#include "paper/prng.h"

__extension__ typedef unsigned __int128 wide;

static uint64_t next_number(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

uint64_t og_paper_prng_init(uint64_t seed, struct og_str name)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    size_t i;

    for (i = 0; i < name.len; i++)
        hash = (hash ^ (unsigned char)name.s[i]) * UINT64_C(0x100000001B3);
    hash ^= next_number(&seed);
    return next_number(&hash);
}

uint64_t og_paper_prng_below(uint64_t *state, uint64_t count)
{
    return (uint64_t)(((wide)next_number(state) * count) >> 64);
}
