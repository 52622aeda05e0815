/*
 * The body of an HTML form: application/x-www-form-urlencoded.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

#define OG_SERVE_FORM_TYPE "application/x-www-form-urlencoded"

/* A field that a form may have. */
struct og_serve_field {
    const char *name;
    char *to; /* gets the value, ended by a NUL; "" if the form does not have the field */
    size_t size;
};

/* Read a form. Returns NULL, or what is wrong with it: a field that is not among these, a field that is given twice or
 * is too long, a bad escape, or text that is not UTF-8 or has control characters. */
const char *og_serve_form_read(struct og_str body, const struct og_serve_field *fields, size_t count);
/* Returns true if this Content-Type says that the body is a form; parameters of the type are ignored. */
bool og_serve_form_type(struct og_str content_type);
