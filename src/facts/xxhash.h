/*
 * XXH3, compiled into who includes this: keys are short, a call would cost as much as the hash.
 * It does not read by memcpy: with FORTIFY and the stack protector that doubled the cost of a hash.
 */
#ifndef OG_FACTS_XXHASH_H
#define OG_FACTS_XXHASH_H

#define XXH_INLINE_ALL
#define XXH_FORCE_MEMORY_ACCESS 1 /* by a packed union */
#include <xxhash.h>

#endif
