/*
 * XXH3, compiled inline: keys are short, so a call would cost as much as the hash.  It reads without memcpy, which
 * FORTIFY and the stack protector make twice as slow.
 */
#pragma once

#define XXH_INLINE_ALL
#define XXH_FORCE_MEMORY_ACCESS 1 /* read through a packed struct or union instead of memcpy */
#include <xxhash.h>
