/*
 * Checks documents as `ordergate lint` and `ordergate test` do, and publishes what they find.  A finding in another
 * file, such as a layer of the policy, is published for that file.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/overlay.h"
#include "base/time.h"
#include "lsp/session.h"
#include "ordergate/file.h"
#include "text/yaml.h"

struct checked {
    struct og_lsp *s;
    struct og_lsp_document *d;
    struct og_lsp_told *told;
};

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

/* Returns true if the list up to `end` has this diagnostic for this file: another document told it. */
static bool has(const cJSON *list, const char *diagnostic)
{
    const cJSON *item;

    cJSON_ArrayForEach (item, list)
        if (strcmp(item->valuestring, diagnostic) == 0)
            return true;
    return false;
}

/* Publish what all documents have found in a file. */
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

/* Publish each file that is named in the old list or in the new one. */
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

/* A file in which findings are: the document, or another file, whose text is read. */
struct file {
    char *uri, *bytes;
    struct og_str text;
};

static struct file open_file(const struct checked *c, const char *path)
{
    const struct og_lsp_document *d = og_lsp_document_at(c->s, path);
    struct file f = { 0 };
    size_t len = 0;

    if (d) {
        f.uri = strdup(d->uri);
        f.text = d->text;
    } else if (strchr(path, '/') &&
               og_file_read(path, OG_FILE_READ, OG_YAML_MOST, &f.bytes, &len, NULL, NULL) == OG_OK) {
        f.uri = og_lsp_uri_of(c->s, path);
        f.text = (struct og_str){ f.bytes, len };
    } else {
        f.uri = strdup(c->d->uri); /* no file, or one that cannot be read: the document names it */
        f.text = (struct og_str){ 0 };
    }
    return f;
}

static void close_file(struct file *f)
{
    free(f->uri);
    free(f->bytes);
}

/* Returns the diagnostic for a place of the file, whose width is in bytes. */
static cJSON *diagnostic(const struct checked *c, const struct file *f, const struct og_diagnostic *fault, int width)
{
    size_t from = fault->line > 0 ? og_lsp_offset_of_place(f->text, fault->line, fault->col) : 0;
    size_t end = og_lsp_line_end(f->text, from),
           to = width > 0 && from + (size_t)width < end ? from + (size_t)width : end;
    cJSON *made = og_doc_object();

    og_doc_put(made, "range", og_lsp_range(c->s, f->text, from, fault->line > 0 ? to : from));
    og_doc_put_int(made, "severity", fault->severity == OG_ERROR ? 1 : 2);
    og_doc_put_text(made, "code", fault->code);
    og_doc_put_text(made, "source", "ordergate");
    og_doc_put_text(made, "message", fault->text);
    return made;
}

static void tell(struct checked *c, const char *uri, cJSON *made)
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

/* An order that shows the finding, as related information at the same place. */
static void add_witness(const struct checked *c, const struct file *f, const struct og_lint_finding *found, cJSON *made)
{
    cJSON *list = og_doc_array(), *info = og_doc_object(), *at = og_doc_object();
    const struct og_lint_witness *w = found->witness;
    struct og_buf b;

    (void)c;
    og_buf_init(&b, 0);
    og_buf_format(&b, "witness: %s at %s, %s", w->order, w->at, w->shows);
    og_doc_put_text(at, "uri", f->uri);
    og_doc_put(at, "range", cJSON_Duplicate(og_doc_get(made, "range"), true));
    og_doc_put(info, "location", at);
    og_doc_put_str(info, "message", (struct og_str){ b.s, b.len });
    og_lsp_add(list, info);
    og_doc_put(made, "relatedInformation", list);
    og_buf_clear(&b);
}

static void tell_findings(struct checked *c)
{
    const struct og_lint_finding *found;
    const char *name = NULL;
    struct file f = { 0 };

    for (size_t i = 0; (found = og_lint_at(c->d->report, i)); i++) {
        cJSON *made;

        if (found->ignored)
            continue;
        if (!name || strcmp(name, found->fault.file) != 0) { /* they are in the order of the files */
            close_file(&f);
            name = found->fault.file;
            f = open_file(c, name);
        }
        made = diagnostic(c, &f, &found->fault, found->width);
        if (found->witness)
            add_witness(c, &f, found, made);
        tell(c, f.uri, made);
    }
    close_file(&f);
}

/* The document cannot be checked at all. */
static void tell_error(struct checked *c, const char *code, const struct og_error *err)
{
    const struct file f = { .uri = c->d->uri, .text = c->d->text };
    const struct og_diagnostic fault = { .severity = OG_ERROR, .code = code, .text = err->text };

    tell(c, f.uri, diagnostic(c, &f, &fault, 0));
}

/* --- policies and tests ------------------------------------------------------------------------------------------- */

struct og_lint_options og_lsp_lint_options(const struct og_lsp *s)
{
    struct og_lint_options options = s->options.lint;

    if (options.now == 0)
        options.now = og_time_now();
    return options;
}

static void check_policy(struct checked *c)
{
    const struct og_lint_options options = og_lsp_lint_options(c->s);
    struct og_error err = { 0 };

    og_lint_free(c->d->report);
    c->d->report = NULL;
    if (og_lint(c->d->path, &options, &c->d->report, &err) == OG_OK)
        tell_findings(c);
    else
        tell_error(c, "policy-unusable", &err);
}

static void hear_fault(void *with, const struct og_diagnostic *fault)
{
    struct checked *c = with;
    struct file f = open_file(c, fault->file);
    size_t from = og_lsp_offset_of_place(f.text, fault->line, fault->col), to = from;

    while (to < f.text.len && !strchr(" \t\r\n,:{}[]#", f.text.s[to]))
        to++;
    tell(c, f.uri, diagnostic(c, &f, fault, to > from ? (int)(to - from) : 1));
    close_file(&f);
}

static void check_test(struct checked *c)
{
    struct og_policy_test *test = NULL;
    struct og_error err = { 0 };
    enum og_status status = og_policy_test_load(c->d->path, &test, hear_fault, c, &err);

    if (status != OG_OK && !c->told)
        tell_error(c, "test-unusable", &err);
    og_policy_test_free(test);
}

static void hear_path(void *with, const char *path)
{
    struct checked *c = with;
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

void og_lsp_check(struct og_lsp *s, struct og_lsp_document *d)
{
    struct checked c = { .s = s, .d = d };
    struct og_lsp_told *old = d->told;

    if (!d->stale)
        return;
    d->stale = false;
    if (d->path[0]) {
        forget_reads(d);
        og_file_listen(hear_path, &c);
        if (og_lsp_kind_of(d) == OG_LSP_TEST)
            check_test(&c);
        else if (og_lsp_kind_of(d) == OG_LSP_POLICY)
            check_policy(&c);
        og_file_listen(NULL, NULL);
    }
    d->told = c.told;
    publish_all(s, d->uri, old, d->told);
    free_told(old);
}
