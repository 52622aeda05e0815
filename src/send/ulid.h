/*
 * Ids made by the gate: 26 characters of Crockford's base 32, sorted by time (runs, orders), or made from the name of a
 * batch and one of its lines, so that the same line of the same batch always gets the same id.
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

/* Make the id of a line of a batch from the batch's name, the file's index (from 0), the line's number (from 1) and
 * its bytes. Returns false if their digest cannot be made. */
bool og_ident_of_line(const char *batch, int file, long long line, struct og_str bytes, struct og_ident *out);
