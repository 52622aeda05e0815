/*
 * The schemas of policies and of tests (schema/schema.h), looked up by the place in a document.
 */
#pragma once

#include "lsp/place.h"
#include "text/doc.h"

#define OG_LSP_NODES_MOST 200

/* All parts of a schema that may describe one value: the schema itself, the schemas it refers to, and its
 * alternatives. */
struct og_lsp_nodes {
    const cJSON *node[OG_LSP_NODES_MOST];
    size_t count;
};

/* Find the schemas that apply at a place: at a key, those of the map that has the key; at a value, those of the
 * value. */
void og_lsp_nodes_at(const cJSON *root, const struct og_lsp_place *place, struct og_lsp_nodes *to);
/* Find the schemas of a key's value in the maps described by `from`. */
void og_lsp_nodes_of_key(const cJSON *root, const struct og_lsp_nodes *from, struct og_str key,
                         struct og_lsp_nodes *to);
/* Returns the first description; NULL if there is none. */
const char *og_lsp_description(const struct og_lsp_nodes *nodes);
/* Returns true if the values are expressions. */
bool og_lsp_is_expression(const cJSON *root, const struct og_lsp_nodes *nodes);
