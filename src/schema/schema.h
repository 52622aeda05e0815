/*
 * JSON Schemas of policies, tests and other documents.
 */
#pragma once

#include "base/buf.h"
#include "order/order.h"

#define OG_SCHEMA_BEGIN "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"

/* A plain YAML word may look like a number or a bool. */
#define OG_SCHEMA_TEXT "\"type\": [\"string\", \"number\", \"boolean\"]"

void og_schema_policy(struct og_buf *b); /* the schema of policies */
void og_schema_test(struct og_buf *b);   /* the schema of test files */
/* Write "enum" with the words that a key of an order allows.  Returns false if it allows any value. */
bool og_schema_order_words(struct og_buf *b, enum og_key key);
