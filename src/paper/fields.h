/*
 * A request body, bytes to named fields, and the validator's words for what is wrong with one.
 */
#ifndef OG_PAPER_FIELDS_H
#define OG_PAPER_FIELDS_H

#include "base/buf.h"
#include "text/json.h"

/* One field as it stood in the body; kind OG_JSON_FAULT: absent. */
struct og_paper_field {
    enum og_json_kind kind;
    struct og_str text;
};

/* -1: none of the names. */
int og_paper_field_index(const char *const *names, int count, struct og_str key);
/* Read a value whole, nested ones too; field NULL drops it.  false: fault. */
bool og_paper_field_parse(struct og_json *r, struct og_paper_field *field);

/* A flat body: unknown keys are ignored, the last of equal keys counts.  spill is memory of at least body.len bytes
 * that must outlive the fields, as must the body.  false: fault holds the line of a 400. */
bool og_paper_fields_read(struct og_str body, char *spill, const char *const *names, int count,
                          struct og_paper_field *fields, struct og_buf *fault);

/* One more line of a 400. */
void og_paper_fields_line(struct og_buf *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The line of bytes that are no object; kind is that of the first token. */
void og_paper_fields_bad(struct og_json *r, enum og_json_kind kind, struct og_buf *fault);
/* "string", "integer", "number", ...; false with a line when it is not that. */
bool og_paper_field_is(const struct og_paper_field *f, const char *name, const char *expected, struct og_buf *fault);
/* The index of a word from 1; 0 with a line when it is none of them. */
int og_paper_field_word(const struct og_paper_field *f, const char *name, const char *const *words,
                        struct og_buf *fault);

#endif
