/*
 * simdjson's bare parse of one line, for comparison.
 */
#ifndef TESTS_BENCH_SIMD_H
#define TESTS_BENCH_SIMD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parse len bytes, of which padding more may be read.  1: well-formed. */
size_t simd_tree(const char *bytes, size_t len, size_t padding);   /* to a tree, numbers and strings converted */
size_t simd_demand(const char *bytes, size_t len, size_t padding); /* walking over every field, each converted */

#ifdef __cplusplus
}
#endif
#endif
