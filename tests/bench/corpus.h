/*
 * A seeded corpus of mixed orders, and facts of the account they are for.  The same seed gives the same bytes on
 * every machine, since neither the clock nor the C library's random numbers are used.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CORPUS_SEED  UINT64_C(20260115)
#define CORPUS_CLOCK "2026-01-15T15:00:00Z" /* 10:00 in New York; the time of the facts */

struct corpus {
    char *bytes; /* lines with their newlines, followed by CORPUS_PADDING zeros, which simdjson needs */
    size_t len;
    size_t *start; /* offset of each line, and one more: the end of the last line */
    size_t orders;
};
#define CORPUS_PADDING 64

/* Of a hundred orders about 58 are stock, 24 single options, 14 spreads, and 4 are wrong in one of 18 ways.  Ends
 * the program if memory runs out. */
void corpus_make(struct corpus *c, uint64_t seed, size_t orders);
void corpus_free(struct corpus *c);
/* Returns the facts document, which the caller frees. */
char *corpus_facts(size_t *len);
