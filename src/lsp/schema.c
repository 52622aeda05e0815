/*
 * Walks a JSON Schema; only the parts of the language that this library's schemas use are implemented.
 */
#include "lsp/schema.h"

#include <stdlib.h>

#include "lsp/session.h"
#include "ordergate/rules.h"

#define REF "#/$defs/"

static const cJSON *definition(const cJSON *root, const char *name)
{
    return og_doc_get(og_doc_get(root, "$defs"), name);
}

/* Add a schema, the schemas it refers to, and its alternatives; each only once. */
static void add(const cJSON *root, const cJSON *node, struct og_lsp_nodes *to)
{
    static const char *const lists[] = { "anyOf", "oneOf", "allOf" };
    const cJSON *item;
    struct og_str ref;

    for (size_t i = 0; i < to->count; i++)
        if (to->node[i] == node)
            return;
    if (!cJSON_IsObject(node) || to->count == OG_LSP_NODES_MOST)
        return;
    to->node[to->count++] = node;
    if (og_doc_str(node, "$ref", &ref) && ref.len > strlen(REF))
        add(root, definition(root, ref.s + strlen(REF)), to);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        cJSON_ArrayForEach (item, og_doc_get(node, lists[i]))
            add(root, item, to);
}

void og_lsp_nodes_of_key(const cJSON *root, const struct og_lsp_nodes *from, struct og_str key, struct og_lsp_nodes *to)
{
    char name[100];

    to->count = 0;
    if (key.len >= sizeof name)
        return;
    memcpy(name, key.s, key.len);
    name[key.len] = '\0';
    for (size_t i = 0; i < from->count; i++) {
        const cJSON *own = og_doc_get(og_doc_get(from->node[i], "properties"), name);

        add(root, own ? own : og_doc_get(from->node[i], "additionalProperties"), to);
    }
}

static void of_item(const cJSON *root, const struct og_lsp_nodes *from, struct og_lsp_nodes *to)
{
    to->count = 0;
    for (size_t i = 0; i < from->count; i++)
        add(root, og_doc_get(from->node[i], "items"), to);
}

void og_lsp_nodes_at(const cJSON *root, const struct og_lsp_place *place, struct og_lsp_nodes *to)
{
    to->count = 0;
    add(root, root, to);
    for (size_t i = 0; i < place->depth; i++) {
        const struct og_lsp_step *step = &place->step[i];
        struct og_lsp_nodes from = *to;

        if (step->kind == OG_LSP_BLOCK_ITEM || step->kind == OG_LSP_FLOW_ITEM)
            of_item(root, &from, to);
        else if (step->kind != OG_LSP_FLOW_MAP)
            og_lsp_nodes_of_key(root, &from, step->key, to);
    }
}

const char *og_lsp_description(const struct og_lsp_nodes *nodes)
{
    struct og_str text;

    for (size_t i = 0; i < nodes->count; i++)
        if (og_doc_str(nodes->node[i], "description", &text))
            return text.s;
    return NULL;
}

bool og_lsp_is_expression(const cJSON *root, const struct og_lsp_nodes *nodes)
{
    const cJSON *expression = definition(root, "expression");

    for (size_t i = 0; expression && i < nodes->count; i++)
        if (nodes->node[i] == expression)
            return true;
    return false;
}

const cJSON *og_lsp_schema(struct og_lsp *s, const struct og_lsp_document *d)
{
    bool test = og_lsp_kind_of(d) == OG_LSP_TEST;
    cJSON **schema = &s->schema[test];
    char *text = *schema ? NULL : og_schema(test ? "test" : "policy");

    if (text && og_doc_read(text, strlen(text), "schema", schema, NULL) != OG_OK)
        *schema = NULL;
    s->oom = s->oom || !*schema;
    free(text);
    return *schema;
}
