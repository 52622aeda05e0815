/*
 * The schema of POST order: turns a body into a ticket, and writes the 400 texts for fields and for the structure of
 * legs.
 */
#pragma once

#include "paper/ticket.h"

/* Read a body into a ticket. spill: memory of at least len bytes for decoded texts; the ticket points into spill and
 * into the body. Returns false if the body is wrong; errors then has the 400 answer, one line for each field. */
bool og_paper_schema_read(struct og_str body, char *spill, struct og_paper_ticket *ticket, struct og_buf *errors);
/* Write the JSON Schema of the bodies that og_paper_schema_read() accepts; it may accept less: strategies have rules of
 * their own. */
void og_paper_schema_write(struct og_buf *b);
