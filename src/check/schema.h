/*
 * JSON Schemas, written by their parts.
 */
#ifndef OG_CHECK_SCHEMA_H
#define OG_CHECK_SCHEMA_H

#include "base/buf.h"

#define OG_SCHEMA_BEGIN "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"

void og_schema_policy(struct og_buf *b); /* of a policy, for editors */

#endif
