/*
 * A fuzz target: one function for any bytes, by libFuzzer's name.  It returns 0, or traps when a promise is broken.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Like assert(), and never compiled out. */
#define DEMAND(truth)                                                             \
    do {                                                                          \
        if (!(truth)) {                                                           \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #truth); \
            abort();                                                              \
        }                                                                         \
    } while (0)

#endif
