/*
 * Generation numbers: a cache keeps the generation of the data it was computed from, and is stale if that has changed.
 */
#pragma once

#include <stdint.h>

uint64_t og_next_generation(void); /* never the same twice, never 0; any thread */
