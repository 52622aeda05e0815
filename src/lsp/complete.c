/*
 * Completes the word that is being typed: to a key or value that the schema allows there, or, in an expression, to a
 * name that the expression may use.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lsp/schema.h"
#include "lsp/session.h"
#include "ordergate/expressions.h"
#include "ordergate/rules.h"

enum { KIND_VARIABLE = 6, KIND_PROPERTY = 10, KIND_VALUE = 12 }; /* CompletionItemKind */

struct completion {
    struct og_lsp *s;
    const struct og_lsp_document *d;
    const cJSON *root;
    struct og_lsp_place place;
    size_t from, to; /* the item replaces the text between these offsets */
    cJSON *items;
};

static void add_item(struct completion *c, const char *label, int kind, const char *after, const char *about)
{
    cJSON *item;
    struct og_buf text;

    cJSON_ArrayForEach (item, c->items)
        if (strcmp(cJSON_GetStringValue(og_doc_get(item, "label")), label) == 0)
            return;
    item = og_doc_object();
    og_buf_init(&text, 0);
    og_buf_format(&text, "%s%s", label, after);
    og_doc_put_text(item, "label", label);
    og_doc_put_int(item, "kind", kind);
    if (about)
        og_doc_put_text(item, "documentation", about);
    og_doc_put(item, "textEdit",
               og_lsp_text_edit(c->s, c->d->text, c->from, c->to, (struct og_str){ text.s, text.len }));
    c->s->oom = c->s->oom || text.bad;
    og_buf_clear(&text);
    og_lsp_add(c->items, item);
}

static void add_keys(struct completion *c, const struct og_lsp_nodes *map, const char *after)
{
    for (size_t i = 0; i < map->count; i++) {
        const cJSON *properties = og_doc_get(map->node[i], "properties"), *child;

        cJSON_ArrayForEach (child, properties) {
            struct og_lsp_nodes value;

            og_lsp_nodes_of_key(c->root, map, og_str_of(child->string), &value);
            add_item(c, child->string, KIND_PROPERTY, after, og_lsp_description(&value));
        }
    }
}

static void add_value(struct completion *c, const cJSON *value)
{
    const struct og_rule *rule = cJSON_IsString(value) ? og_rules_find(value->valuestring) : NULL;

    if (cJSON_IsString(value) || og_item_is_number(value))
        add_item(c, value->valuestring, KIND_VALUE, "", rule ? og_rule_summary(rule) : NULL);
}

static void add_values(struct completion *c, const struct og_lsp_nodes *nodes)
{
    const cJSON *value;

    for (size_t i = 0; i < nodes->count; i++) {
        add_value(c, og_doc_get(nodes->node[i], "const"));
        cJSON_ArrayForEach (value, og_doc_get(nodes->node[i], "enum"))
            add_value(c, value);
    }
}

/* Add the names of the document's own lists, which are the keys below `lists`. */
static void add_lists(struct completion *c)
{
    struct og_str text = c->d->text;

    for (size_t at = 0; at < text.len; at = og_lsp_line_end(text, at) + 1) {
        size_t first = at + strspn(text.s + at, " ");
        struct og_lsp_place place;
        const struct og_lsp_step *last;
        char name[100];

        if (first == at || text.s[first] == '#')
            continue;
        og_lsp_place_find(text, first, &place);
        last = og_lsp_place_last(&place);
        if (place.at == OG_LSP_KEY && place.depth == 1 && last->key.s && og_str_is(last->key, "lists") &&
            place.to - place.from < sizeof name - 6) {
            snprintf(name, sizeof name, "lists.%.*s", (int)(place.to - place.from), text.s + place.from);
            add_item(c, name, KIND_VARIABLE, "", "a list of this policy");
        }
    }
}

static void add_names(struct completion *c, size_t offset)
{
    struct og_str word = og_lsp_word((struct og_str){ c->d->text.s, offset }, offset, "._");
    struct og_name_info name;
    struct og_buf about;

    c->from = (size_t)(word.s - c->d->text.s);
    c->to = offset;
    og_buf_init(&about, 0);
    for (size_t i = 0; og_expression_name(i, &name); i++) {
        og_buf_reset(&about);
        og_buf_format(&about, "%s (%s%s%s)", name.help, name.type, name.unit[0] ? ", " : "", name.unit);
        add_item(c, name.name, KIND_VARIABLE, "", about.bad ? NULL : about.s);
    }
    og_buf_clear(&about);
    add_lists(c);
}

/* Returns true if the offset is between braces of a message: "{order.symbol} is not ...". */
static bool in_braces(const struct completion *c, size_t offset)
{
    const struct og_lsp_step *last = og_lsp_place_last(&c->place);
    size_t at = offset;

    if (!last || !last->key.s || !og_str_is(last->key, "message"))
        return false;
    while (at > c->place.from && !strchr("{}", c->d->text.s[at - 1]))
        at--;
    return at > c->place.from && c->d->text.s[at - 1] == '{';
}

/* Returns true if a word at this place may be an item of a list. A word on a line of its own under a key may also begin
 * a map. */
static bool is_item(const struct og_lsp_step *last)
{
    return last && (last->kind == OG_LSP_BLOCK_ITEM || last->kind == OG_LSP_FLOW_ITEM);
}

static void complete(struct completion *c, size_t offset)
{
    struct og_lsp_nodes nodes;
    const struct og_lsp_step *last = c->place.depth ? &c->place.step[c->place.depth - 1] : NULL;
    const char *after = c->place.at == OG_LSP_KEY ? "" : ": ";

    og_lsp_nodes_at(c->root, &c->place, &nodes);
    c->from = c->place.from;
    c->to = c->place.to;
    if (c->place.at != OG_LSP_KEY && (og_lsp_is_expression(c->root, &nodes) || in_braces(c, offset))) {
        add_names(c, offset);
        return;
    }
    if (c->place.at != OG_LSP_VALUE)
        add_keys(c, &nodes, after);
    if (c->place.at == OG_LSP_VALUE || (c->place.at == OG_LSP_EITHER && is_item(last)))
        add_values(c, &nodes);
}

cJSON *og_lsp_complete(struct og_lsp *s, const cJSON *params, struct og_lsp_failure *f)
{
    struct completion c = { .s = s, .d = og_lsp_document_of(s, params) };
    size_t offset;
    cJSON *result;

    if (!c.d)
        return og_lsp_fail(f, OG_LSP_INVALID_PARAMS, "the document is not open");
    offset = og_lsp_offset_of(s, c.d, params);
    c.root = og_lsp_schema(s, c.d);
    c.items = og_doc_array();
    og_lsp_place_find(c.d->text, offset, &c.place);
    if (c.place.at != OG_LSP_NOWHERE && c.root)
        complete(&c, offset);
    result = og_doc_object();
    og_doc_put(result, "isIncomplete", cJSON_CreateFalse());
    og_doc_put(result, "items", c.items);
    return result;
}
