/*
 * Request bodies: parses them into named fields, and writes the validator's texts for wrong fields.
 */
#pragma once

#include "base/buf.h"
#include "text/json.h"

/* A field's value in the body; kind OG_JSON_FAULT if it is absent. */
struct og_paper_field {
    enum og_json_kind kind;
    struct og_str text;
};

/* Returns the index of the key in names; -1 if the key is not in it. */
int og_paper_field_index(const char *const *names, int count, struct og_str key);
/* Read one complete value, including nested ones, into the field (NULL: skip it). Returns false on a syntax error. */
bool og_paper_field_parse(struct og_json *r, struct og_paper_field *field);

/* Read a flat object. Unknown keys are ignored; if a key is repeated, its last value counts. spill: memory of at least
 * body.len bytes for decoded texts; the fields point into spill and body. Returns false if the body is not a valid JSON
 * object; errors then has the line of the 400 answer. */
bool og_paper_fields_read(struct og_str body, char *spill, const char *const *names, int count,
                          struct og_paper_field *fields, struct og_buf *errors);

/* Append a line to the body of a 400 answer. */
void og_paper_fields_line(struct og_buf *errors, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Append the line for a body that is not an object; kind: the kind of the body's first token. */
void og_paper_fields_bad(struct og_json *r, enum og_json_kind kind, struct og_buf *errors);
/* Returns true if the field has the expected type ("string", "integer", "number", ...).  If not, appends a line and
 * returns false. */
bool og_paper_field_is(const struct og_paper_field *f, const char *name, const char *expected, struct og_buf *errors);
/* Returns the index of the field's word in the list, from 1. If the list does not have the word, appends a line and
 * returns 0. */
int og_paper_field_word(const struct og_paper_field *f, const char *name, const char *const *words,
                        struct og_buf *errors);
