/*
 * Seeded text: what the makers of corpora write with.  The same seed gives the same bytes on every machine, since
 * neither the clock nor the C library's random numbers are used.
 */
#pragma once

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

/* A price in cents, as dollars: printf("%s" CENT, CENTS(cents)). */
#define CENT     "%" PRIu64 ".%02" PRIu64
#define CENTS(x) (x) / 100, (x) % 100

struct maker {
    uint64_t state; /* the seed at first */
    char *bytes;    /* what was written; the caller frees it */
    size_t len, room;
    size_t number; /* number of the order, or of the row */
};

/* Returns a random number from 0 to n - 1; n is at least 1. */
uint64_t below(struct maker *m, uint64_t n);
/* Returns p; ends the program if it is NULL, because memory ran out. */
void *need(void *p);
/* Append text of less than 1024 bytes. */
void put(struct maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
