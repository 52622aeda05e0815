/*
 * A reproducible generator of random numbers, whose seed is a number and a name.
 */
#pragma once

#include <stdint.h>

#include "base/str.h"

/* Returns the initial state for a seed and a name. */
uint64_t og_paper_prng_init(uint64_t seed, struct og_str name);
/* Returns the next number in [0, count). */
uint64_t og_paper_prng_below(uint64_t *state, uint64_t count);
