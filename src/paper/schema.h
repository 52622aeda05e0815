/*
 * The body of POST order, bytes to a ticket, with the 400 texts of the schema and of multi-leg structure.
 */
#ifndef OG_PAPER_SCHEMA_H
#define OG_PAPER_SCHEMA_H

#include "paper/ticket.h"

/* spill is memory of at least len bytes that must outlive the ticket, as must the body.
 * false: fault holds the 400 body, a line a field. */
bool og_paper_schema_read(struct og_str body, char *spill, struct og_paper_ticket *ticket, struct og_buf *fault);

#endif
