/*
 * The strict JSON reader: a pull parser of tokens, stricter than RFC 8259.  Rejected are: lone surrogates, NUL in a
 * string, bytes that are not UTF-8, nesting deeper than OG_JSON_DEPTH, and bytes after the value.  Numbers stay text.
 * Duplicate keys are not detected; the caller knows its keys.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

#define OG_JSON_DEPTH 32

enum og_json_kind {
    OG_JSON_FAULT = 0, /* r->fault says what is wrong; r->fault_at where, in bytes from the start */
    OG_JSON_END,       /* the value is complete, and only white space follows */
    OG_JSON_OBJECT,
    OG_JSON_OBJECT_END,
    OG_JSON_ARRAY,
    OG_JSON_ARRAY_END,
    OG_JSON_KEY,    /* r->text is the decoded key; the next token is its value */
    OG_JSON_STRING, /* r->text is the decoded string */
    OG_JSON_NUMBER, /* r->text is the number as written */
    OG_JSON_TRUE,
    OG_JSON_FALSE,
    OG_JSON_NULL
};

struct og_json {
    /* a part of the input if the string had no escapes; in `spill` if it had escapes; valid until og_json_clear() */
    struct og_str text;
    const char *fault; /* constant text in lower case: "lone surrogate", "nesting deeper than 32", ... */
    size_t fault_at;
    size_t token_at; /* offset in bytes of the token that was returned last */
    /* private */
    const char *start, *at, *end;
    char *spill; /* the caller's memory for strings that had escapes; the length of the input always suffices */
    size_t spill_len, spill_cap;
    uint32_t in_object; /* bit d is set if the container at depth d is an object, not an array */
    int depth;
    int expect;
};

/* bytes and spill must outlive the reader; spill_cap >= len is always enough. */
void og_json_init(struct og_json *r, const char *bytes, size_t len, char *spill, size_t spill_cap);
enum og_json_kind og_json_next(struct og_json *r);
/* Inside an object: continue at `to`, since the caller itself has parsed the members before it. */
void og_json_passed(struct og_json *r, const char *to);
/* Skip the value whose first token was returned last; a scalar has no more tokens.  Returns false on a syntax error. */
bool og_json_skip(struct og_json *r, enum og_json_kind first);
/* Returns the type of a value in the service's words: "object", "array", "string", "integer" (if its value is whole,
 * such as 1e2), "number", "boolean", "null". */
const char *og_json_type_name(enum og_json_kind kind, struct og_str number);

/* Set *line and *col (from 1; col counts bytes) to the place of an offset. */
void og_json_place(const char *bytes, size_t len, size_t at, int *line, int *col);
