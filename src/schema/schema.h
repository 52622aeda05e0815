/*
 * JSON Schemas, written by their parts.
 */
#ifndef OG_SCHEMA_SCHEMA_H
#define OG_SCHEMA_SCHEMA_H

#include "base/buf.h"
#include "order/order.h"

#define OG_SCHEMA_BEGIN "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"

/* A word that looks like something else is a word. */
#define OG_SCHEMA_TEXT "\"type\": [\"string\", \"number\", \"boolean\"]"

void og_schema_policy(struct og_buf *b); /* of a policy, for editors */
void og_schema_test(struct og_buf *b);   /* of a test file, for editors */
/* "enum": what an order may say under the key; false: anything. */
bool og_schema_order_words(struct og_buf *b, enum og_key key);

#endif
