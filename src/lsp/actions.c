/*
 * Code actions: the repairs of `ordergate lint --fix`, one by one and all at once.
 */
#include <stdio.h>

#include "lsp/session.h"

#define FIX_ALL     OG_LSP_FIX_ALL
#define QUICK       "quickfix"
#define ROUNDS_MOST 10 /* same as in lint --fix: repairs are repeated, since one may uncover another finding */

/* Returns true if the client asks for actions of this kind: it names no kinds, or names one with which this kind
 * begins. */
static bool is_asked(const cJSON *params, const char *kind)
{
    const cJSON *only = og_doc_get(og_doc_get(params, "context"), "only"), *item;

    if (!cJSON_IsArray(only))
        return true;
    cJSON_ArrayForEach (item, only) {
        size_t len = cJSON_IsString(item) ? strlen(item->valuestring) : sizeof FIX_ALL;

        if (len < sizeof FIX_ALL && strncmp(item->valuestring, kind, len) == 0 &&
            (len == 0 || kind[len] == '\0' || kind[len] == '.'))
            return true;
    }
    return false;
}

/* Returns a WorkspaceEdit of one document; takes ownership of the edits. */
static cJSON *workspace_edit(const struct og_lsp *s, const struct og_lsp_document *d, cJSON *edits)
{
    cJSON *made = og_doc_object(), *changes, *list, *file, *name;

    if (!s->versions) {
        changes = og_doc_object();
        og_doc_put(changes, d->uri, edits);
        og_doc_put(made, "changes", changes);
        return made;
    }
    name = og_doc_object();
    og_doc_put_text(name, "uri", d->uri);
    og_doc_put_int(name, "version", d->version);
    file = og_doc_object();
    og_doc_put(file, "textDocument", name);
    og_doc_put(file, "edits", edits);
    list = og_doc_array();
    og_lsp_add(list, file);
    og_doc_put(made, "documentChanges", list);
    return made;
}

static cJSON *action(const struct og_lsp *s, const struct og_lsp_document *d, const char *title, const char *kind,
                     cJSON *edits)
{
    cJSON *made = og_doc_object();

    og_doc_put_text(made, "title", title);
    og_doc_put_text(made, "kind", kind);
    og_doc_put(made, "edit", workspace_edit(s, d, edits));
    return made;
}

static cJSON *edit_of(const struct og_lsp *s, const struct og_lsp_document *d, const struct og_lint_edit *e)
{
    return og_lsp_text_edit(s, d->text, e->from, e->to, og_str_of(e->text));
}

/* Returns the i-th finding if it has a repair that changes this document. */
static const struct og_lint_finding *repair(const struct og_lsp_document *d, size_t i)
{
    const struct og_lint_finding *f = og_lint_at(d->report, i);

    return f && f->edit && !f->ignored ? f : NULL;
}

static void add_repairs(const struct og_lsp *s, const struct og_lsp_document *d, const cJSON *range, cJSON *to)
{
    int64_t first = 0, last = 0;

    (void)og_doc_int(og_doc_get(range, "start"), "line", &first);
    (void)og_doc_int(og_doc_get(range, "end"), "line", &last);
    for (size_t i = 0; i < og_lint_count(d->report); i++) {
        const struct og_lint_finding *f = repair(d, i);
        cJSON *made, *edits, *told;

        if (!f || f->fault.line - 1 < first || f->fault.line - 1 > last)
            continue;
        edits = og_doc_array();
        og_lsp_add(edits, edit_of(s, d, f->edit));
        made = action(s, d, f->edit->says, QUICK, edits);
        told = og_doc_array();
        og_lsp_add(told, og_lsp_diagnostic(s, d->text, &f->fault, f->width));
        og_doc_put(made, "diagnostics", told);
        og_doc_put(made, "isPreferred", cJSON_CreateTrue());
        og_lsp_add(to, made);
    }
}

static bool has_edits(const struct og_lint_report *report)
{
    size_t a, b;
    const char *text = og_lint_text(report, &a), *fixed = og_lint_fixed(report, &b);

    return a != b || memcmp(text, fixed, a) != 0;
}

/* Repair the repaired text until no repair is left. Returns the last report; NULL if the first repairs are all. */
static struct og_lint_report *repair_again(const struct og_lsp *s, const struct og_lsp_document *d)
{
    const struct og_lint_options options = og_lsp_lint_options(s);
    struct og_lint_report *last = NULL, *next;

    for (int round = 1; round < ROUNDS_MOST; round++) {
        size_t len;
        const char *fixed = og_lint_fixed(last ? last : d->report, &len);

        if (og_lint_read(fixed, len, d->path, &options, &next, NULL) != OG_OK)
            break;
        if (!has_edits(next)) {
            og_lint_free(next);
            break;
        }
        og_lint_free(last);
        last = next;
    }
    return last;
}

static void add_all(const struct og_lsp *s, const struct og_lsp_document *d, cJSON *to)
{
    struct og_lint_report *last = has_edits(d->report) ? repair_again(s, d) : NULL;
    cJSON *edits = NULL;
    size_t len;

    if (last) {
        const char *fixed = og_lint_fixed(last, &len);

        edits = og_lsp_edits(s, d->text, (struct og_str){ fixed, len });
    } else if (has_edits(d->report)) {
        edits = og_doc_array();
        for (size_t i = 0; i < og_lint_count(d->report); i++)
            if (repair(d, i))
                og_lsp_add(edits, edit_of(s, d, repair(d, i)->edit));
    }
    if (edits)
        og_lsp_add(to, action(s, d, "make all repairs of lint --fix", FIX_ALL, edits));
    og_lint_free(last);
}

cJSON *og_lsp_actions(struct og_lsp *s, const cJSON *params, struct og_lsp_failure *f)
{
    struct og_lsp_document *d = og_lsp_document_of(s, params);
    cJSON *list;

    if (!d)
        return og_lsp_fail(f, OG_LSP_INVALID_PARAMS, "the document is not open");
    og_lsp_check_document(s, d);
    list = og_doc_array();
    if (d->report && is_asked(params, QUICK))
        add_repairs(s, d, og_doc_get(params, "range"), list);
    if (d->report && is_asked(params, FIX_ALL))
        add_all(s, d, list);
    return list;
}
