/*
 * The schema of POST order: body to ticket, with the 400 texts for fields and for the structure of legs.
 */
#pragma once

#include "paper/ticket.h"

/* spill: memory of at least len bytes for decoded texts; it and the body must outlive the ticket.  Returns false if the
 * body is bad; errors then holds the 400 answer, one line a field. */
bool og_paper_schema_read(struct og_str body, char *spill, struct og_paper_ticket *ticket, struct og_buf *errors);
