/*
 * Hashes for tables whose keys come from outside.  The hashes are keyed by a secret of the process, so that nobody can
 * choose keys that collide.  A hash differs from run to run: no output may depend on a hash or on the order of a table.
 */
#pragma once

#include <stdint.h>

#include "base/str.h"

__extension__ typedef unsigned __int128 og_hash_wide;

/* Returns a hash of two values: folds the 128 bits of their product into 64, as foldhash does.  Each value must have
 * been combined with a secret before, so that nobody can make one of the two values 0. */
static inline uint64_t og_hash_fold(uint64_t a, uint64_t b)
{
    const og_hash_wide product = (og_hash_wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t og_hash_secret(void); /* the secret of the process, never 0; may be called by any thread */

/* Returns SipHash-1-3 of a text; each salt gives an independent function. May be called by any thread. */
uint64_t og_hash(struct og_str text, uint64_t salt);
