/*
 * Checks policies as `ordergate lint` does, runs their tests (tests.c), and publishes the findings. A finding in
 * another file, such as a layer of the policy, is published for that file.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/overlay.h"
#include "base/time.h"
#include "lsp/session.h"
#include "ordergate/file.h"
#include "text/yaml.h"

/* --- publishing --------------------------------------------------------------------------------------------------- */

static void free_told(struct og_lsp_told *told)
{
    for (struct og_lsp_told *next; told; told = next) {
        next = told->next;
        free(told->uri);
        free(told->diagnostic);
        free(told);
    }
}

/* Returns true if the list up to `end` already has this diagnostic for this file. */
static bool has(const cJSON *list, const char *diagnostic)
{
    const cJSON *item;

    cJSON_ArrayForEach (item, list)
        if (strcmp(item->valuestring, diagnostic) == 0)
            return true;
    return false;
}

/* Publish the findings about one file, from the checks of all open documents. */
static void publish(struct og_lsp *s, const char *uri)
{
    cJSON *params = og_doc_object(), *list = og_doc_array();

    for (const struct og_lsp_document *d = s->documents; d; d = d->next) {
        if (strcmp(d->uri, uri) == 0)
            og_doc_put_int(params, "version", d->version);
        for (const struct og_lsp_told *t = d->told; t; t = t->next)
            if (strcmp(t->uri, uri) == 0 && !has(list, t->diagnostic))
                og_lsp_add(list, cJSON_CreateRaw(t->diagnostic));
    }
    og_doc_put_text(params, "uri", uri);
    og_doc_put(params, "diagnostics", list);
    og_lsp_notify(s, "textDocument/publishDiagnostics", params);
}

static bool names(const struct og_lsp_told *from, const struct og_lsp_told *to, const char *uri)
{
    for (; from != to; from = from->next)
        if (strcmp(from->uri, uri) == 0)
            return true;
    return false;
}

/* Publish each file that is named in the old list or in the new list. */
static void publish_all(struct og_lsp *s, const char *own, const struct og_lsp_told *old, const struct og_lsp_told *new)
{
    if (own)
        publish(s, own);
    for (const struct og_lsp_told *t = old; t; t = t->next)
        if ((!own || strcmp(t->uri, own) != 0) && !names(old, t, t->uri))
            publish(s, t->uri);
    for (const struct og_lsp_told *t = new; t; t = t->next)
        if ((!own || strcmp(t->uri, own) != 0) && !names(new, t, t->uri) && !names(old, NULL, t->uri))
            publish(s, t->uri);
}

void og_lsp_untell(struct og_lsp *s, struct og_lsp_document *d)
{
    struct og_lsp_told *old = d->told;

    d->told = NULL;
    publish_all(s, d->uri, old, NULL);
    free_told(old);
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

cJSON *og_lsp_diagnostic(const struct og_lsp *s, struct og_str text, const struct og_diagnostic *fault, int width)
{
    size_t from = fault->line > 0 ? og_lsp_offset_of_place(text, fault->line, fault->col) : 0;
    size_t end = fault->line > 0 ? og_lsp_line_end(text, from) : from;
    size_t to = width > 0 && from + (size_t)width < end ? from + (size_t)width : end;
    cJSON *made = og_doc_object();

    og_doc_put(made, "range", og_lsp_range(s, text, from, to));
    og_doc_put_int(made, "severity", fault->severity == OG_ERROR ? 1 : 2);
    og_doc_put_text(made, "code", fault->code);
    og_doc_put_text(made, "source", "ordergate");
    og_doc_put_text(made, "message", fault->text);
    return made;
}

void og_lsp_tell(struct og_lsp_check *c, const char *uri, cJSON *made)
{
    struct og_lsp_told *told = calloc(1, sizeof *told), **end = &c->told;
    struct og_buf b;

    og_buf_init(&b, 0);
    if (told && og_doc_text(made, &b) && (told->uri = strdup(uri ? uri : c->d->uri))) {
        told->diagnostic = b.s;
        while (*end)
            end = &(*end)->next;
        *end = told;
    } else {
        c->s->oom = true;
        og_buf_clear(&b);
        free(told);
    }
    cJSON_Delete(made);
}

/* Add an order that shows the finding, as related information at the same place. */
static void add_witness(const char *uri, const struct og_lint_finding *found, cJSON *made)
{
    cJSON *list = og_doc_array(), *info = og_doc_object(), *at = og_doc_object();
    const struct og_lint_witness *w = found->witness;
    struct og_buf b;

    og_buf_init(&b, 0);
    og_buf_format(&b, "witness: %s at %s, %s", w->order, w->at, w->shows);
    og_doc_put_text(at, "uri", uri);
    og_doc_put(at, "range", cJSON_Duplicate(og_doc_get(made, "range"), true));
    og_doc_put(info, "location", at);
    og_doc_put_str(info, "message", (struct og_str){ b.s, b.len });
    og_lsp_add(list, info);
    og_doc_put(made, "relatedInformation", list);
    og_buf_clear(&b);
}

static void tell_finding(struct og_lsp_check *c, const struct og_lsp_file *f, const struct og_lint_finding *found)
{
    const char *uri = f->uri ? f->uri : c->d->uri; /* a finding without a file is published for the document */
    cJSON *made = og_lsp_diagnostic(c->s, f->text, &found->fault, found->width);

    if (found->witness)
        add_witness(uri, found, made);
    og_lsp_tell(c, uri, made);
}

static void tell_findings(struct og_lsp_check *c)
{
    const struct og_lint_finding *found;
    const char *name = NULL;
    struct og_lsp_file f = { 0 };

    for (size_t i = 0; (found = og_lint_at(c->d->report, i)); i++) {
        if (!name || strcmp(name, found->fault.file) != 0) { /* findings are sorted by file: look the file up once for
                                                              * all its findings */
            og_lsp_file_close(&f);
            name = found->fault.file;
            f = og_lsp_file_open(c->s, name);
        }
        if (!found->ignored)
            tell_finding(c, &f, found);
    }
    og_lsp_file_close(&f);
}

/* Publish the error because of which the document cannot be checked at all. */
static void tell_error(struct og_lsp_check *c, const struct og_error *err)
{
    const struct og_diagnostic fault = { .severity = OG_ERROR, .code = "policy-unusable", .text = err->text };

    og_lsp_tell(c, NULL, og_lsp_diagnostic(c->s, c->d->text, &fault, 0));
}

/* --- checks ------------------------------------------------------------------------------------------------------- */

struct og_lint_options og_lsp_lint_options(const struct og_lsp *s)
{
    struct og_lint_options options = s->options.lint;

    if (options.now == 0)
        options.now = og_time_now();
    return options;
}

static void check_policy(struct og_lsp_check *c)
{
    const struct og_lint_options options = og_lsp_lint_options(c->s);
    struct og_error err = { 0 };

    og_lint_free(c->d->report);
    c->d->report = NULL;
    if (og_lint(c->d->path, &options, &c->d->report, &err) == OG_OK)
        tell_findings(c);
    else
        tell_error(c, &err);
}

static void hear_path(void *with, const char *path)
{
    struct og_lsp_check *c = with;
    struct og_lsp_path *made = calloc(1, sizeof *made);
    char real[PATH_MAX];

    if (made && og_overlay_canonical(path, real) && (made->path = strdup(real))) {
        made->next = c->d->reads;
        c->d->reads = made;
    } else {
        free(made);
    }
}

static void forget_reads(struct og_lsp_document *d)
{
    for (struct og_lsp_path *next; d->reads; d->reads = next) {
        next = d->reads->next;
        free(d->reads->path);
        free(d->reads);
    }
}

void og_lsp_check_document(struct og_lsp *s, struct og_lsp_document *d)
{
    struct og_lsp_check c = { .s = s, .d = d };
    struct og_lsp_told *old = d->told;

    if (!d->stale)
        return;
    d->stale = false;
    if (d->path[0]) {
        forget_reads(d);
        og_file_listen(hear_path, &c);
        if (og_lsp_kind_of(d) == OG_LSP_POLICY)
            check_policy(&c);
        if (og_lsp_kind_of(d) != OG_LSP_OTHER)
            og_lsp_run_tests(&c);
        og_file_listen(NULL, NULL);
    }
    d->told = c.told;
    publish_all(s, d->uri, old, d->told);
    free_told(old);
}
