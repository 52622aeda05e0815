/*
 * The client's side of the wire: reads the service's documents and error bodies.  Accepts both order shapes, and lists
 * bare or in an envelope; never guesses a value that is missing.
 */
#pragma once

#include "wire/row.h"

/* Returns the list in a document: the document itself if it is an array, or its member `key` if that is an array; NULL
 * if neither is. */
const cJSON *og_wire_list(const cJSON *doc, const char *key);

/* Read the order in a reply: the object itself, or one of its members (an envelope).  Returns false if there is
 * none. */
bool og_wire_order(const cJSON *doc, struct og_order_row *row);

/* Read the borrow check's answer.  Returns false if isEasyToBorrow is not a boolean, which is an error and does not
 * mean hard. */
bool og_wire_borrow(const cJSON *doc, bool *easy);

/* Returns true if a body is JSON according to its Content-Type (NULL if there is none); the body is not looked at. */
bool og_wire_is_json(const char *content_type);

/* Append what an error body says, as one line for people: of plain text its lines joined by "; ", of JSON its message
 * and detail, or its title and errors.  Each part is cut to 500 bytes; control characters become blanks. */
void og_wire_error_text(const char *content_type, const char *bytes, size_t len, struct og_buf *to);
