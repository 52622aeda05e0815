/*
 * The client's direction of the wire: documents and error bodies of the service, taken as tolerantly as the
 * notes demand (both order shapes, lists bare or in an envelope), and never guessed at.
 */
#ifndef OG_WIRE_READ_H
#define OG_WIRE_READ_H

#include "wire/row.h"

/* The list that a document carries: itself when it is an array, else its member key; NULL when neither is an array. */
const cJSON *og_wire_list(const cJSON *doc, const char *key);

/* The order of a reply: the object itself or one member of it (an envelope).  false: no order in it. */
bool og_wire_order(const cJSON *doc, struct og_order_row *row);

/* The service folds the case of account ids (matrix A13). */
bool og_wire_same_account(struct og_str a, struct og_str b);

/* The borrow check's answer; false when isEasyToBorrow is not a boolean (an error, never "hard"). */
bool og_wire_borrow(const cJSON *doc, bool *easy);

/* Whether a body is JSON, by its Content-Type (NULL: none) and never by trying. */
bool og_wire_is_json(const char *content_type);

/* What an error body says to people, one line: plain text with its lines joined by "; ", of JSON its message and
 * detail, or its title and errors.  A part has at most 500 bytes, control characters as blanks. */
void og_wire_error_text(const char *content_type, const char *bytes, size_t len, struct og_buf *to);

#endif
