/*
 * Hashes for tables of what others name: keyed by a secret of the process, so that nobody can choose names that
 * collide. A hash differs from run to run; nothing that leaves the process may depend on one, nor on the order of a
 * table.
 */
#ifndef OG_BASE_HASH_H
#define OG_BASE_HASH_H

#include "base/str.h"

#include <stdint.h>

uint64_t og_hash_secret(void); /* of the process; any thread, never 0 */

/* SipHash-1-3 of a text; salt: another function of the same text.  Any thread. */
uint64_t og_hash(struct og_str text, uint64_t salt);

#endif
