/*
 * A counter of the process that never repeats a value.
 */
#include "base/generation.h"

#include <stdatomic.h>

uint64_t og_next_generation(void)
{
    static atomic_uint_fast64_t last;

    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}
