/*
 * Ids made by the gate: 26 characters of Crockford's base 32, sorted by time (runs, orders), or made from the name of a
 * batch and the terms of one of its orders, so that the same order of the same batch always gets the same id.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define OG_IDENT_LEN 26

struct og_ident_maker {
    int64_t last_ms;
    unsigned char random[10];
};

struct og_ident {
    char s[OG_IDENT_LEN + 1];
};

/* Make an id that is greater than every earlier id of this maker. Returns false if no random bytes can be had, or if no
 * greater id is left within this millisecond. */
bool og_ident_new(struct og_ident_maker *m, int64_t now_ns, struct og_ident *out);

/* The first characters of the ids that og_ident_of_terms() makes. Ids that start with a time have them only after the
 * year 10000. */
#define OG_IDENT_OF_BATCH "7ZZZ"

/* Make the id of an order of a batch from the batch's name, the order's terms, and which of the run's orders with
 * these terms it is (from 1). Returns false if their digest cannot be made. */
bool og_ident_of_terms(const char *batch, unsigned nth, struct og_str terms, struct og_ident *out);
/* Make the id that earlier versions gave to a line of a batch: from the batch's name, the file's index (from 0; -1 for
 * lines that a program gave), the line's number in its file (from 1) and the line's bytes. Returns false if their
 * digest cannot be made. */
bool og_ident_of_place(const char *batch, int file, long long line, struct og_str bytes, struct og_ident *out);
