/*
 * A bare parse of one line by simdjson, for comparison.
 */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parse len bytes, of which `padding` more may be read.  Returns 1 if they are well-formed. */
size_t simd_tree(const char *bytes, size_t len, size_t padding);   /* into a tree, with numbers and strings converted */
size_t simd_demand(const char *bytes, size_t len, size_t padding); /* on demand, converting every field */

#ifdef __cplusplus
}
#endif
