/*
 * The documents that the client has open, and the files that their URIs mean.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/overlay.h"
#include "lsp/session.h"
#include "ordergate/file.h"
#include "text/yaml.h"

#define PREFIX "file://"

/* --- URIs --------------------------------------------------------------------------------------------------------- */

static int hex_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

char *og_lsp_path_of_uri(const char *uri)
{
    const char *from = strncasecmp(uri, PREFIX, strlen(PREFIX)) == 0 ? uri + strlen(PREFIX) : "";
    size_t len = 0;
    char *to;

    if (strncasecmp(from, "localhost/", 10) == 0)
        from += strlen("localhost");
    if (from[0] != '/') /* the URI names a file on another host, or no file */
        return strdup("");
    to = malloc(strlen(from) + 1);
    for (; to && *from; from++) {
        bool escaped = from[0] == '%' && hex_of(from[1]) >= 0 && hex_of(from[2]) >= 0;

        to[len++] = escaped ? (char)(hex_of(from[1]) * 16 + hex_of(from[2])) : *from;
        from += escaped ? 2 : 0;
        if (!to[len - 1]) { /* a NUL byte was decoded, which no path can have */
            len = 0;
            break;
        }
    }
    if (to)
        to[len] = '\0';
    return to;
}

char *og_lsp_uri_of(struct og_lsp *s, const char *path)
{
    const struct og_lsp_document *d = og_lsp_document_at(s, path);
    char real[PATH_MAX];
    struct og_buf b;

    if (d)
        return strdup(d->uri);
    og_buf_init(&b, 0);
    og_buf_text(&b, PREFIX);
    for (const char *at = og_overlay_canonical(path, real) ? real : path; *at; at++)
        og_buf_format(&b, isalnum((unsigned char)*at) || strchr("-._~/", *at) ? "%c" : "%%%02X", (unsigned char)*at);
    if (!b.bad)
        return b.s;
    og_buf_clear(&b);
    return NULL;
}

struct og_lsp_file og_lsp_file_open(struct og_lsp *s, const char *path)
{
    const struct og_lsp_document *d = og_lsp_document_at(s, path);
    struct og_lsp_file f = { 0 };
    size_t len = 0;

    if (d) {
        f.uri = strdup(d->uri);
        f.text = d->text;
    } else if (strchr(path, '/') &&
               og_file_read(path, OG_FILE_READ, OG_YAML_MOST, &f.bytes, &len, NULL, NULL) == OG_OK) {
        f.uri = og_lsp_uri_of(s, path);
        f.text = (struct og_str){ f.bytes, len };
    }
    return f;
}

void og_lsp_file_close(struct og_lsp_file *f)
{
    free(f->uri);
    free(f->bytes);
}

/* --- open documents ----------------------------------------------------------------------------------------------- */

struct og_lsp_document *og_lsp_document_named(struct og_lsp *s, const char *uri)
{
    struct og_lsp_document *d = s->documents;

    while (d && strcmp(d->uri, uri) != 0)
        d = d->next;
    return d;
}

struct og_lsp_document *og_lsp_document_of(struct og_lsp *s, const cJSON *params)
{
    struct og_str uri;

    return og_doc_str(og_doc_get(params, "textDocument"), "uri", &uri) ? og_lsp_document_named(s, uri.s) : NULL;
}

struct og_lsp_document *og_lsp_document_at(struct og_lsp *s, const char *path)
{
    char real[PATH_MAX], own[PATH_MAX];

    for (struct og_lsp_document *d = s->documents; d; d = d->next)
        if (strcmp(d->path, path) == 0)
            return d;
    if (og_overlay_canonical(path, real))
        for (struct og_lsp_document *d = s->documents; d; d = d->next)
            if (d->path[0] && og_overlay_canonical(d->path, own) && strcmp(own, real) == 0)
                return d;
    return NULL;
}

void og_lsp_touch(struct og_lsp *s, const char *path)
{
    char real[PATH_MAX];

    if (!og_overlay_canonical(path, real))
        return;
    for (struct og_lsp_document *d = s->documents; d; d = d->next)
        for (const struct og_lsp_path *read = d->reads; read; read = read->next)
            d->stale = d->stale || strcmp(read->path, real) == 0;
}

/* Replace the document's text by the text that the client sent. */
static void take_text(struct og_lsp *s, struct og_lsp_document *d, struct og_str text)
{
    char *copy = malloc(text.len + 1);

    if (!copy) {
        s->oom = true;
        return;
    }
    memcpy(copy, text.s, text.len);
    copy[text.len] = '\0';
    free((char *)d->text.s);
    d->text = (struct og_str){ copy, text.len };
    d->stale = true;
    if (d->path[0]) {
        s->oom = !og_overlay_set(d->path, text.s, text.len) || s->oom;
        og_lsp_touch(s, d->path);
    }
}

static void forget(struct og_lsp_document *d)
{
    og_lint_free(d->report);
    for (struct og_lsp_path *r = d->reads, *next; r; r = next) {
        next = r->next;
        free(r->path);
        free(r);
    }
    free(d->uri);
    free(d->path);
    free((char *)d->text.s);
    free(d);
}

static struct og_lsp_document *new_document(struct og_lsp *s, const char *uri)
{
    struct og_lsp_document *d = calloc(1, sizeof *d);

    if (d && (d->uri = strdup(uri)) && (d->path = og_lsp_path_of_uri(uri))) {
        d->next = s->documents;
        s->documents = d;
        return d;
    }
    if (d)
        forget(d);
    s->oom = true;
    return NULL;
}

void og_lsp_open(struct og_lsp *s, const cJSON *params)
{
    const cJSON *item = og_doc_get(params, "textDocument");
    struct og_lsp_document *d;
    struct og_str uri, text;

    if (!og_doc_str(item, "uri", &uri) || !og_doc_str(item, "text", &text))
        return;
    d = og_lsp_document_named(s, uri.s);
    if (!d)
        d = new_document(s, uri.s);
    if (!d)
        return;
    (void)og_doc_int(item, "version", &d->version);
    d->asked = true;
    take_text(s, d, text);
}

void og_lsp_change(struct og_lsp *s, const cJSON *params)
{
    const cJSON *changes = og_doc_get(params, "contentChanges"), *change;
    struct og_lsp_document *d = og_lsp_document_of(s, params);
    struct og_str text;

    if (!d)
        return;
    (void)og_doc_int(og_doc_get(params, "textDocument"), "version", &d->version);
    cJSON_ArrayForEach (change, changes)
        /* a change with a range does not have the whole text */
        if (og_doc_str(change, "text", &text) && !og_doc_get(change, "range"))
            take_text(s, d, text);
}

static void close_document(struct og_lsp *s, struct og_lsp_document *d)
{
    struct og_lsp_document **link = &s->documents;

    while (*link != d)
        link = &(*link)->next;
    *link = d->next;
    if (d->path[0]) {
        (void)og_overlay_set(d->path, NULL, 0);
        og_lsp_touch(s, d->path);
    }
    og_lsp_untell(s, d);
    forget(d);
}

void og_lsp_close(struct og_lsp *s, const cJSON *params)
{
    struct og_lsp_document *d = og_lsp_document_of(s, params);

    if (d)
        close_document(s, d);
}

void og_lsp_close_all(struct og_lsp *s)
{
    while (s->documents)
        close_document(s, s->documents);
}

/* Returns true if a line of the text begins with the word. */
static bool has_line(struct og_str text, const char *word)
{
    for (size_t at = 0; at < text.len; at = og_lsp_line_end(text, at) + 1)
        if (text.len - at >= strlen(word) && memcmp(text.s + at, word, strlen(word)) == 0)
            return true;
    return false;
}

static bool ends_in(const char *path, const char *end)
{
    size_t a = strlen(path), b = strlen(end);

    return a >= b && strcmp(path + a - b, end) == 0;
}

enum og_lsp_kind og_lsp_kind_of(const struct og_lsp_document *d)
{
    if (has_line(d->text, "ordergate-test:"))
        return OG_LSP_TEST;
    if (has_line(d->text, "ordergate:"))
        return OG_LSP_POLICY;
    if (ends_in(d->path, "_test.yaml") || ends_in(d->path, "_test.yml"))
        return OG_LSP_TEST;
    return ends_in(d->path, ".yaml") || ends_in(d->path, ".yml") ? OG_LSP_POLICY : OG_LSP_OTHER;
}

/* --- positions and edits ------------------------------------------------------------------------------------------ */

size_t og_lsp_offset_of(const struct og_lsp *s, const struct og_lsp_document *d, const cJSON *params)
{
    const cJSON *position = og_doc_get(params, "position");
    struct og_lsp_position at = { 0, 0 };

    (void)og_doc_int(position, "line", &at.line);
    (void)og_doc_int(position, "character", &at.character);
    return og_lsp_offset(d->text, at, s->bytes);
}

static cJSON *position(const struct og_lsp *s, struct og_str text, size_t offset)
{
    struct og_lsp_position at = og_lsp_position_of(text, offset, s->bytes);
    cJSON *made = og_doc_object();

    og_doc_put_int(made, "line", at.line);
    og_doc_put_int(made, "character", at.character);
    return made;
}

cJSON *og_lsp_range(const struct og_lsp *s, struct og_str text, size_t from, size_t to)
{
    cJSON *range = og_doc_object();

    og_doc_put(range, "start", position(s, text, from));
    og_doc_put(range, "end", position(s, text, to));
    return range;
}

cJSON *og_lsp_text_edit(const struct og_lsp *s, struct og_str text, size_t from, size_t to, struct og_str by)
{
    cJSON *edit = og_doc_object();

    og_doc_put(edit, "range", og_lsp_range(s, text, from, to));
    og_doc_put_str(edit, "newText", by.s ? by : OG_STR(""));
    return edit;
}

void og_lsp_add(cJSON *array, cJSON *item)
{
    if (!item || !array || !cJSON_AddItemToArray(array, item))
        cJSON_Delete(item);
}

/* Returns the offset of the beginning of a line. */
static size_t line_start(struct og_str text, size_t at)
{
    while (at > 0 && text.s[at - 1] != '\n')
        at--;
    return at;
}

cJSON *og_lsp_edits(const struct og_lsp *s, struct og_str text, struct og_str new)
{
    size_t from = 0, tail = 0, most = text.len < new.len ? text.len : new.len;
    cJSON *edits = og_doc_array();

    while (from < most && text.s[from] == new.s[from])
        from++;
    if (from == text.len && from == new.len)
        return edits;
    from = line_start(text, from);
    while (tail < most - from && text.s[text.len - 1 - tail] == new.s[new.len - 1 - tail])
        tail++;
    while (tail > 0 && tail < text.len && text.s[text.len - tail - 1] != '\n') /* move the start of the unchanged end to
                                                                                * the beginning of a line */
        tail--;
    og_lsp_add(edits, og_lsp_text_edit(s, text, from, text.len - tail,
                                       (struct og_str){ new.s + from, new.len - tail - from }));
    return edits;
}
