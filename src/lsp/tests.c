/*
 * Test files: publishes their faults and the expectations that were not met, and makes the code lens that counts
 * results. A policy shows the results of the test file beside it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/time.h"
#include "lsp/session.h"

/* Tests that took longer run only when a document is opened or saved, or on demand. */
#define SLOW_NS 1000000000

struct run {
    struct og_lsp_check *c;
    const char *path; /* of the test file */
    bool told;        /* a fault of another file was published in this one */
};

static bool ends_in(const char *path, const char *end)
{
    size_t a = strlen(path), b = strlen(end);

    return a >= b && strcmp(path + a - b, end) == 0;
}

char *og_lsp_tests_of(struct og_lsp *s, const struct og_lsp_document *d)
{
    static const char *const endings[] = { ".yaml", ".yml" };
    struct og_buf b;

    if (og_lsp_kind_of(d) == OG_LSP_TEST)
        return strdup(d->path);
    for (size_t i = 0; i < 2; i++)
        if (ends_in(d->path, endings[i])) {
            og_buf_init(&b, 0);
            og_buf_format(&b, "%.*s_test%s", (int)(strlen(d->path) - strlen(endings[i])), d->path, endings[i]);
            if (!b.bad && (access(b.s, F_OK) == 0 || og_lsp_document_at(s, b.s)))
                return b.s;
            og_buf_clear(&b);
        }
    return NULL;
}

static void put_counts(const struct og_lsp_document *d, char *to, size_t size)
{
    if (d->ran)
        snprintf(to, size, "%lld passed, %lld failed", d->count[OG_TEST_PASSED],
                 d->count[OG_TEST_FAILED] + d->count[OG_TEST_UNUSABLE]);
    else
        snprintf(to, size, "%s", d->slow ? "run the tests" : "the tests cannot be run");
}

/* Publish a fault at a place of the test file. */
static void tell(struct run *r, int line, int col, const char *code, const char *text)
{
    const struct og_diagnostic fault = { .severity = OG_ERROR, .line = line, .col = col, .code = code, .text = text };
    struct og_lsp_file f = og_lsp_file_open(r->c->s, r->path);
    size_t from = og_lsp_offset_of_place(f.text, line, col), to = from;

    while (to < f.text.len && !strchr(" \t\r\n,:{}[]#", f.text.s[to]))
        to++;
    og_lsp_tell(r->c, f.uri, og_lsp_diagnostic(r->c->s, f.text, &fault, to > from ? (int)(to - from) : 1));
    og_lsp_file_close(&f);
}

/* Ignore the faults of the policy, which its own check publishes; publish once, at the test file, that its tests cannot
 * run. */
static void hear_fault(void *with, const struct og_diagnostic *fault)
{
    struct run *r = with;
    struct og_buf text;

    if (fault->severity != OG_ERROR)
        return;
    if (strcmp(fault->file, r->path) == 0) {
        tell(r, fault->line, fault->col, fault->code, fault->text);
        return;
    }
    og_buf_init(&text, 0);
    og_buf_format(&text, "the policy cannot be used: %s:%d:%d: %s", fault->file, fault->line, fault->col, fault->text);
    if (!r->told && !text.bad && og_lsp_kind_of(r->c->d) == OG_LSP_TEST)
        tell(r, 1, 1, "policy-unusable", text.s);
    r->told = true;
    og_buf_clear(&text);
}

static void hear_result(void *with, const struct og_policy_test_result *result)
{
    struct run *r = with;
    struct og_buf text;

    r->c->d->count[result->outcome]++;
    og_buf_init(&text, 0);
    for (size_t i = 0; i < result->miss_count; i++) {
        const struct og_policy_test_miss *miss = &result->misses[i];

        og_buf_reset(&text);
        og_buf_format(&text, "%s%s%s: %s: expected %s, seen %s", result->name, result->part[0] ? " / " : "",
                      result->part, miss->what, miss->expected, miss->seen);
        tell(r, miss->line, miss->col, "test-failed", text.bad ? miss->what : text.s);
    }
    if (result->outcome == OG_TEST_UNUSABLE)
        tell(r, result->line, result->col, "test-unusable", result->why);
    og_buf_clear(&text);
}

/* Run the tests, unless they took long last time and were not demanded. */
static void run(struct run *r, struct og_policy_test *test, struct og_error *err)
{
    const struct og_policy_test_options options = { 0 };
    struct og_lsp_document *d = r->c->d;
    uint64_t begun = og_time_up();

    if (d->slow && !d->asked)
        return;
    d->ran = true;
    if (og_policy_test_run(test, &options, hear_result, r, err) != OG_OK)
        tell(r, 1, 1, "test-unusable", err->text);
    d->slow = og_time_up() - begun > SLOW_NS;
}

/* Ask the client to reload the code lenses. */
static void refresh(struct og_lsp *s)
{
    cJSON *message = og_doc_object();

    og_doc_put_text(message, "id", "lens");
    og_doc_put_text(message, "method", "workspace/codeLens/refresh");
    og_lsp_send(s, message);
}

void og_lsp_run_tests(struct og_lsp_check *c)
{
    char *path = og_lsp_tests_of(c->s, c->d);
    struct run r = { .c = c, .path = path };
    struct og_policy_test *test = NULL;
    struct og_error err = { 0 };
    enum og_status status;
    char before[100], after[100];

    put_counts(c->d, before, sizeof before);
    memset(c->d->count, 0, sizeof c->d->count);
    c->d->ran = false;
    if (!path)
        return;
    status = og_policy_test_load(path, &test, hear_fault, &r, &err);
    if (status == OG_OK)
        run(&r, test, &err);
    else if (status != OG_EPOLICY)
        tell(&r, 1, 1, "test-unusable", err.text);
    c->d->asked = false;
    put_counts(c->d, after, sizeof after);
    if (c->s->refreshes && strcmp(before, after) != 0)
        refresh(c->s);
    og_policy_test_free(test);
    free(path);
}

/* --- the lens ----------------------------------------------------------------------------------------------------- */

cJSON *og_lsp_lens(struct og_lsp *s, const cJSON *params, struct og_lsp_failure *f)
{
    struct og_lsp_document *d = og_lsp_document_of(s, params);
    cJSON *list, *lens, *command, *arguments;
    char title[100];
    char *tests;

    if (!d)
        return og_lsp_fail(f, OG_LSP_INVALID_PARAMS, "the document is not open");
    list = og_doc_array();
    tests = d->path[0] && og_lsp_kind_of(d) != OG_LSP_OTHER ? og_lsp_tests_of(s, d) : NULL;
    if (!tests)
        return list;
    free(tests);
    og_lsp_check_document(s, d);
    put_counts(d, title, sizeof title);
    arguments = og_doc_array();
    og_lsp_add(arguments, cJSON_CreateString(d->uri));
    command = og_doc_object();
    og_doc_put_text(command, "title", title);
    og_doc_put_text(command, "command", OG_LSP_TEST_COMMAND);
    og_doc_put(command, "arguments", arguments);
    lens = og_doc_object();
    og_doc_put(lens, "range", og_lsp_range(s, d->text, 0, 0));
    og_doc_put(lens, "command", command);
    og_lsp_add(list, lens);
    return list;
}

/* Run the tests of a document on demand; arguments[0] is its URI. The result has the counts that the lens shows. */
cJSON *og_lsp_execute(struct og_lsp *s, const cJSON *params, struct og_lsp_failure *f)
{
    const cJSON *argument = cJSON_GetArrayItem(og_doc_get(params, "arguments"), 0);
    struct og_lsp_document *d = cJSON_IsString(argument) ? og_lsp_document_named(s, argument->valuestring) : NULL;
    struct og_str command;
    char text[100];

    if (!og_doc_str(params, "command", &command) || !og_str_is(command, OG_LSP_TEST_COMMAND))
        return og_lsp_fail(f, OG_LSP_INVALID_PARAMS, "the command is '" OG_LSP_TEST_COMMAND "'");
    if (!d || !d->path[0])
        return og_lsp_fail(f, OG_LSP_INVALID_PARAMS, "its argument is the URI of a file that is open");
    d->stale = d->asked = true;
    og_lsp_check_document(s, d);
    put_counts(d, text, sizeof text);
    return cJSON_CreateString(text);
}
