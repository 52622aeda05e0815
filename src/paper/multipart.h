/*
 * Bodies of multipart/form-data (RFC 7578), as the one call that takes a form sends them.
 */
#ifndef OG_PAPER_MULTIPART_H
#define OG_PAPER_MULTIPART_H

#include "base/str.h"

#include <stdbool.h>

/* The boundary of such a body, from its Content-Type.  false: it is none. */
bool og_paper_multipart_boundary(struct og_str content_type, struct og_str *boundary);
/* The value of the first field of that name, in place; s NULL when the form has none. */
struct og_str og_paper_multipart_field(struct og_str body, struct og_str boundary, const char *name);

#endif
