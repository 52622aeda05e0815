/*
 * A fuzz target: one function for arbitrary bytes, with the name that libFuzzer expects.  It returns 0, and traps if
 * a promise is broken.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Like assert(), but never compiled out. */
#define DEMAND(truth)                                                             \
    do {                                                                          \
        if (!(truth)) {                                                           \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #truth); \
            abort();                                                              \
        }                                                                         \
    } while (0)
