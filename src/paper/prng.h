/*
 * Chance that can be repeated: numbers that follow from a seed and a name, and from nothing else.
 */
#ifndef OG_PAPER_PRNG_H
#define OG_PAPER_PRNG_H

#include "base/str.h"

#include <stdint.h>

/* Where the numbers of that name begin. */
uint64_t og_paper_prng_init(uint64_t seed, struct og_str name);
/* The next one, from 0 up to but without count. */
uint64_t og_paper_prng_below(uint64_t *state, uint64_t count);

#endif
