/*
 * Bodies of multipart/form-data (RFC 7578), as far as the one call that takes a form uses them.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* Read the boundary from a Content-Type.  Returns false if it is not multipart/form-data. */
bool og_paper_multipart_boundary(struct og_str content_type, struct og_str *boundary);
/* Returns the value of the first field of this name, in place; .s is NULL if the form has none. */
struct og_str og_paper_multipart_field(struct og_str body, struct og_str boundary, const char *name);
