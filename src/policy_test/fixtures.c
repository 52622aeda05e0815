/*
 * The facts and the order of a decision, merged from all levels of the test file. The order becomes a line of JSON, the
 * facts one document. Facts without a time get the time of the decision.
 */
#include "policy_test/fixtures.h"

#include <stdlib.h>

#include "base/error.h"
#include "facts/facts_book.h"
#include "policy/policy_file.h"

static enum og_status no_memory(struct og_error *err)
{
    return og_fail(err, OG_ENOMEM, "out of memory");
}

static enum og_status fail_at_node(struct og_policy_test *t, const struct og_yaml *node, enum og_status status,
                                   struct og_error *err, const char *what)
{
    return og_fail_at(err, status, t->source.name, node->line, node->col, "%s", what);
}

/* Read a facts file when it is first named, and keep it. */
static enum og_status facts_file(struct og_policy_test *t, const struct og_yaml *node, const cJSON **json,
                                 struct og_error *err)
{
    const char *name = og_test_path(t, node->text.s, true);
    struct og_test_facts_file *doc = t->docs;
    struct og_policy_file source = { 0 };
    struct og_error own = { 0 };
    enum og_opening opening;
    enum og_status status;
    char why[200];

    *json = NULL;
    while (doc && name && strcmp(doc->name, name) != 0)
        doc = doc->next;
    if (doc) {
        *json = doc->json;
        return OG_OK;
    }
    doc = name ? og_arena_take(&t->arena, sizeof *doc) : NULL;
    if (!doc)
        return no_memory(err);
    opening = og_policy_file_open(name, NULL, &t->arena, &source);
    if (opening == OG_OPEN_NO_MEMORY)
        return no_memory(err);
    if (opening != OG_OPEN_OK)
        return og_fail_at(err, OG_EIO, t->source.name, node->line, node->col, "facts file '%s' %s", name,
                          og_opening_text(opening, &source, why, sizeof why));
    status = og_doc_read(source.bytes.s, source.bytes.len, name, &doc->json, &own);
    if (status == OG_ESYNTAX)
        return og_fail_at(err, OG_EFACTS, name, own.line, own.col, "%s", own.text);
    if (status)
        return no_memory(err);
    doc->name = name;
    doc->next = t->docs;
    t->docs = doc;
    *json = doc->json;
    return OG_OK;
}

/* Merge the facts of a level over those of the levels around it. */
static enum og_status merge_facts(struct og_policy_test *t, const struct og_yaml *node, cJSON *base,
                                  struct og_error *err)
{
    const struct og_yaml *file = node->kind == OG_YAML_SCALAR ? node : og_yaml_get(node, "file");
    enum og_status status;
    const cJSON *json;
    cJSON *over;

    if (file) {
        status = facts_file(t, file, &json, err);
        if (status)
            return status;
        if (!cJSON_IsObject(json))
            return fail_at_node(t, file, OG_EFACTS, err, "this facts file is not a JSON object");
        over = cJSON_Duplicate(json, true);
        if (!over || !og_test_merge_patch(base, over))
            return no_memory(err);
    }
    if (node->kind == OG_YAML_SCALAR)
        return OG_OK;
    over = og_test_json(node);
    cJSON_DeleteItemFromObjectCaseSensitive(over, "file");
    return over && og_test_merge_patch(base, over) ? OG_OK : no_memory(err);
}

/* For each cell of the row whose column is a path that begins with `head`, set the value at that path in base. */
static enum og_status merge_cells(struct og_policy_test *t, const struct og_test_fixtures *g, const char *head,
                                  cJSON *base, bool *any, struct og_error *err)
{
    const struct og_yaml *column = g->columns ? g->columns->first : NULL;

    for (const struct og_yaml *cell = column ? g->row->first : NULL; cell; cell = cell->next, column = column->next) {
        struct og_str rest;

        if (!og_str_is(og_test_path_head(column->text, &rest), head) || !rest.len)
            continue;
        *any = true;
        if (!og_test_set_path(base, rest, og_test_json(cell)))
            return fail_at_node(t, cell, OG_EFACTS, err,
                                "the value of this cell cannot be set at the path of its column");
    }
    return OG_OK;
}

static enum og_status write_json(cJSON *json, struct og_buf *to, struct og_error *err)
{
    og_buf_reset(to);
    return og_doc_text(json, to) ? OG_OK : no_memory(err);
}

static bool is_dated(const cJSON *facts)
{
    const cJSON *item;

    cJSON_ArrayForEach (item, facts)
        if (strcmp(item->string ? item->string : "", "asOf") == 0 || og_doc_get(item, "asOf"))
            return true;
    return false;
}

static void note_undated(struct og_test_fixtures *g, const cJSON *json)
{
    struct og_facts_key key;

    g->named = g->fresh = 0;
    for (size_t i = 0; i < 32 && og_facts_key_at(i, &key); i++) {
        const cJSON *facts = og_doc_get(json, key.name);

        if (!facts || !key.aged)
            continue;
        g->named |= 1u << i;
        if (!og_doc_get(json, "asOf") && !og_doc_get(og_doc_get(json, "ages"), key.name) && !is_dated(facts))
            g->fresh |= 1u << i;
    }
}

bool og_test_write_ages(unsigned fresh, int64_t now, struct og_buf *to)
{
    const char *between = "";
    struct og_facts_key key;

    og_buf_reset(to);
    og_buf_text(to, "{\"ages\":{");
    for (size_t i = 0; i < 32 && og_facts_key_at(i, &key); i++)
        if (fresh >> i & 1) {
            og_buf_format(to, "%s\"%s\":\"%s\"", between, key.name, og_time_text(now).s);
            between = ",";
        }
    og_buf_text(to, "}}");
    return !to->bad;
}

enum og_status og_test_write_facts(struct og_policy_test *t, struct og_test_fixtures *g, int64_t now, struct og_buf *to,
                                   struct og_error *err)
{
    cJSON *json = og_doc_object();
    enum og_status status = json ? OG_OK : no_memory(err);
    bool any = false;

    og_buf_reset(to);
    for (size_t i = 0; i < g->count && !status; i++) {
        if (!g->level[i]->facts)
            continue;
        any = true;
        status = merge_facts(t, g->level[i]->facts, json, err);
    }
    if (!status)
        status = merge_cells(t, g, "facts", json, &any, err);
    note_undated(g, json);
    if (!status && any && !og_doc_get(json, "asOf"))
        og_doc_put_text(json, "asOf", og_time_text(now).s);
    if (!status && any)
        status = write_json(json, to, err);
    cJSON_Delete(json);
    return status;
}

/* Returns the order if it is written as a line of JSON, which is used unchanged. */
static const struct og_yaml *line_of(const struct og_test_fixtures *g)
{
    const struct og_yaml *innermost = NULL;

    for (size_t i = 0; i < g->count; i++)
        if (g->level[i]->order)
            innermost = g->level[i]->order;
    return innermost && innermost->kind == OG_YAML_SCALAR ? innermost : NULL;
}

static enum og_status merge_orders(struct og_policy_test *t, const struct og_test_fixtures *g, bool request,
                                   cJSON *base, struct og_error *err)
{
    enum og_status status = OG_OK;
    bool any;

    for (size_t i = 0; i < g->count && !status; i++) {
        const struct og_yaml *node = request ? g->level[i]->request : g->level[i]->order;

        if (node && node->kind == OG_YAML_SCALAR)
            status = fail_at_node(
                t, node, OG_EINVAL, err,
                "an order given as a line of JSON cannot be combined with other keys: write it as a mapping");
        else if (node && !og_test_merge_patch(base, og_test_json(node)))
            status = no_memory(err);
    }
    return status ? status : merge_cells(t, g, request ? "request" : "order", base, &any, err);
}

enum og_status og_test_write_order(struct og_policy_test *t, const struct og_test_fixtures *g, struct og_buf *to,
                                   struct og_error *err)
{
    const struct og_yaml *line = line_of(g);
    bool request = false;
    cJSON *json;
    enum og_status status;

    og_buf_reset(to);
    for (size_t i = 0; i < g->count; i++)
        request = request || g->level[i]->request;
    for (const struct og_yaml *n = g->columns ? g->columns->first : NULL; n; n = n->next)
        request = request || strncmp(n->text.s, "request.", 8) == 0;
    if (line && !request && !g->row) {
        og_buf_str(to, line->text);
        return to->bad ? no_memory(err) : OG_OK;
    }
    json = og_doc_object();
    status = json ? merge_orders(t, g, request, json, err) : no_memory(err);
    if (!status)
        status = write_json(json, to, err);
    cJSON_Delete(json);
    return status;
}

/* Returns the child of a node that the next part of a path names, and advances *path past that part. */
static const struct og_yaml *step_into(const struct og_yaml *node, const char **path)
{
    const struct og_yaml *child = node->first;
    char *end;

    if (node->kind == OG_YAML_LIST && **path == '[') {
        for (long n = strtol(*path + 1, &end, 10); child && n > 0; n--)
            child = child->next;
        *path = *end == ']' ? end + 1 : end;
        return child;
    }
    for (; node->kind == OG_YAML_MAP && child; child = child->next) {
        size_t len = child->key.len;

        if (len && strncmp(*path, child->key.s, len) == 0 && strchr(".[:", (*path)[len])) {
            *path += len;
            return child;
        }
    }
    return NULL;
}

/* Returns how many characters of a path could be followed from the node; *at: the node where that ended. */
static size_t follow_path(const struct og_yaml *node, const char *path, const struct og_yaml **at)
{
    const struct og_yaml *child;
    const char *rest = path;

    while ((child = step_into(node, &rest))) {
        rest += *rest == '.';
        node = child;
    }
    *at = node;
    return (size_t)(rest - path);
}

const struct og_yaml *og_test_facts_node(const struct og_test_fixtures *g, const char *path)
{
    const struct og_yaml *column = g->columns ? g->columns->first : NULL, *found = NULL, *at;
    size_t most = 0, far;
    struct og_str rest;

    for (size_t i = 0; i < g->count; i++)
        if (g->level[i]->facts && (far = follow_path(g->level[i]->facts, path, &at)) >= most) {
            most = far;
            found = at;
        }
    for (const struct og_yaml *cell = column ? g->row->first : NULL; cell; cell = cell->next, column = column->next)
        if (og_str_is(og_test_path_head(column->text, &rest), "facts") && rest.len >= most &&
            strncmp(path, rest.s, rest.len) == 0) {
            (void)follow_path(cell, path + rest.len + (path[rest.len] == '.'), &at);
            most = rest.len;
            found = at;
        }
    return found;
}
