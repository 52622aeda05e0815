/*
 * Writes JSON Schemas from templates: src/schema/NAME.json is a readable schema with holes, written "@hole@", for texts
 * that are made from tables of the program.  `tools/generate` writes the results to include/ordergate/schema.
 */
#pragma once

#include "base/buf.h"
#include "rules/rule.h"

/* The type of a text; YAML may read a plain word as a number or a bool. */
#define OG_SCHEMA_TEXT    "\"type\": [\"string\", \"number\", \"boolean\"]"
#define OG_SCHEMA_LASTING "^0*[1-9][0-9]*(ms|s|m|h)$" /* a duration greater than zero */

/* What the text in place of a hole depends on. */
struct og_schema_place {
    const struct og_rule *rule; /* the rule for which policy_rule.json is written; NULL for other documents */
    int indent;                 /* number of blanks before the hole, if a line begins with it */
};

/* Write the schema NAME: its template, with each "@hole@" replaced by its text.  An unknown name or hole is a
 * programming error: b->bad is set. */
void og_schema_write(struct og_buf *b, const char *name, const struct og_rule *rule);
/* Begin one of several items: write a comma (not before the first item), and a line end if each item has its own
 * line. */
void og_schema_next(struct og_buf *b, bool first, const struct og_schema_place *at);

/* The holes of policy.json and policy_rule.json. */
void og_schema_put_rule_settings(struct og_buf *b, const struct og_schema_place *at);
void og_schema_put_settings(struct og_buf *b, const struct og_schema_place *at);
void og_schema_put_max_ages(struct og_buf *b, const struct og_schema_place *at);
