/*
 * Decoding of the service's documents into the structs of ordergate/broker.h, by the tables of wire/documents.h. A row
 * is rejected if it lacks a figure that must not be taken for zero; unknown fields are ignored.
 */
#pragma once

#include "wire/documents.h"

/* Which value could not be decoded, such as 'shares' of row 3. */
struct og_decode_error {
    const char *key; /* name of the key; NULL if memory ran out */
    size_t row;      /* from 1; 0 means the document itself */
};

/* Decode one object into a zeroed struct, whose texts belong to the tree. Returns false if a field cannot be decoded,
 * which fault->key then names; or if memory ran out. */
bool og_decode_row(enum og_document what, const cJSON *object, struct og_arena *arena, void *row,
                   struct og_decode_error *fault);
/* Decode an array into rows in the arena. Returns false in the same cases as og_decode_row(); fault->row is then the
 * number of the row. */
bool og_decode_rows(enum og_document what, const cJSON *list, struct og_arena *arena, const void **rows, size_t *count,
                    struct og_decode_error *fault);
