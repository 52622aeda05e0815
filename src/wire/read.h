/*
 * The client's side of the wire: reads the service's documents and error bodies. Accepts orders in the shape of REST
 * and in that of the WebSocket, and lists with or without an envelope; never guesses a missing value.
 */
#pragma once

#include "wire/row.h"

/* Returns the list in a document: the document itself if it is an array, or its member `key` if that is an array; NULL
 * if neither is. */
const cJSON *og_wire_list(const cJSON *doc, const char *key);

/* Read the order in a reply: the object itself, or one of its members (an envelope).  Returns false if there is
 * none. */
bool og_wire_order(const cJSON *doc, struct og_order_row *row);

/* Read the answer of a borrow check. Returns false if isEasyToBorrow is not a boolean; this is an error, and does not
 * mean that the symbol is hard to borrow. */
bool og_wire_borrow(const cJSON *doc, bool *easy);

/* Returns true if a body is JSON according to its Content-Type (NULL if there is none); the body itself is not
 * examined. */
bool og_wire_is_json(const char *content_type);

/* Append the message of an error body as one line for people. Of plain text, its lines are joined by "; "; of JSON, its
 * message and detail, or its title and errors, are used. Each part is cut to 500 bytes; control characters become
 * blanks. */
void og_wire_error_text(const char *content_type, const char *bytes, size_t len, struct og_buf *to);
