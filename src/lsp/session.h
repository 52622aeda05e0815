/*
 * Shared by the parts of the language server: the session, its documents, and how messages are written.
 */
#pragma once

#include <limits.h>

#include "lsp/lsp.h"
#include "lsp/position.h"
#include "ordergate/policy_test.h"
#include "text/doc.h"

/* A finding as it was published: in a document, or in another file that the document reads. */
struct og_lsp_told {
    char *uri, *diagnostic; /* the diagnostic as JSON */
    struct og_lsp_told *next;
};

struct og_lsp_path {
    char *path;
    struct og_lsp_path *next;
};

struct og_lsp_document {
    char *uri, *path; /* path: the file that the URI names; "" if it names none */
    struct og_str text;
    int64_t version;
    bool stale;                    /* the document, or a file that it reads, has changed since it was checked */
    struct og_lint_report *report; /* the findings of a policy after it was checked; NULL if it could not be read */
    struct og_lsp_told *told;
    struct og_lsp_path *reads; /* every file that was opened when the document was checked; canonical paths */
    long long count[4];        /* number of results of its tests, by enum og_test_outcome */
    bool ran;                  /* the document's tests were run */
    bool slow, asked;          /* slow: the tests took long when they last ran, so they run only on demand; asked: they
                                * are to run */
    struct og_lsp_document *next;
};

struct og_lsp {
    struct og_lsp_options options;
    struct og_buf in, out;
    struct og_lsp_document *documents;
    cJSON *schema[2];                          /* schemas of policies and of tests; NULL until needed */
    bool initialized, shut_down, ended, bytes; /* bytes: positions count bytes, not UTF-16 code units */
    bool watches;                              /* the client can report that files have changed */
    bool versions, refreshes; /* versions: the client accepts edits for a version of a document; refreshes: it can be
                               * asked to reload the code lenses */
    const char *broken;       /* why the input cannot be read on */
    bool oom;
};

/* The error answer to a failed request: its code and text. */
struct og_lsp_failure {
    int code;
    char text[400];
};
enum { OG_LSP_INVALID_PARAMS = -32602, OG_LSP_FAILED = -32803 };
cJSON *og_lsp_fail(struct og_lsp_failure *f, int code, const char *text); /* returns NULL */

/* Returns the result of a request; NULL stands for the result null. Returns og_lsp_fail() for an error. */
typedef cJSON *og_lsp_request(struct og_lsp *s, const cJSON *params, struct og_lsp_failure *f);
og_lsp_request og_lsp_hover, og_lsp_complete, og_lsp_format, og_lsp_define, og_lsp_actions, og_lsp_lens, og_lsp_execute;
#define OG_LSP_FIX_ALL      "source.fixAll.ordergate"
#define OG_LSP_TEST_COMMAND "ordergate.test"

/* Write a message; takes ownership of it. */
void og_lsp_send(struct og_lsp *s, cJSON *message);
/* Write a notification; takes ownership of params. */
void og_lsp_notify(struct og_lsp *s, const char *method, cJSON *params);

/* Documents (documents.c). */
struct og_lsp_document *og_lsp_document_of(struct og_lsp *s, const cJSON *params); /* by params.textDocument.uri */
struct og_lsp_document *og_lsp_document_at(struct og_lsp *s, const char *path);    /* NULL if the file is not open */
struct og_lsp_document *og_lsp_document_named(struct og_lsp *s, const char *uri);
void og_lsp_open(struct og_lsp *s, const cJSON *params);
void og_lsp_change(struct og_lsp *s, const cJSON *params);
void og_lsp_close(struct og_lsp *s, const cJSON *params);
void og_lsp_close_all(struct og_lsp *s);
/* Mark all documents as stale that read this file; it has changed on the disk or in the editor. */
void og_lsp_touch(struct og_lsp *s, const char *path);
/* A file's text: from the editor if it is open there, else from the disk. uri is NULL if the file cannot be read. */
struct og_lsp_file {
    char *uri, *bytes;
    struct og_str text;
};
struct og_lsp_file og_lsp_file_open(struct og_lsp *s, const char *path);
void og_lsp_file_close(struct og_lsp_file *f);
char *og_lsp_path_of_uri(const char *uri);               /* returns "" if the URI does not name a file; NULL if out
                                                          * of memory */
char *og_lsp_uri_of(struct og_lsp *s, const char *path); /* returns NULL if out of memory */
/* The kind of a document: its first key shows its kind; if the key does not, the document's name does. */
enum og_lsp_kind { OG_LSP_POLICY = 0, OG_LSP_TEST, OG_LSP_OTHER };
enum og_lsp_kind og_lsp_kind_of(const struct og_lsp_document *d);
/* Returns the offset in the document of params.position. */
size_t og_lsp_offset_of(const struct og_lsp *s, const struct og_lsp_document *d, const cJSON *params);
void og_lsp_add(cJSON *array, cJSON *item); /* takes ownership of the item; both may be NULL */
cJSON *og_lsp_range(const struct og_lsp *s, struct og_str text, size_t from, size_t to);
/* Returns a TextEdit that replaces [from, to). */
cJSON *og_lsp_text_edit(const struct og_lsp *s, struct og_str text, size_t from, size_t to, struct og_str by);
/* Returns a list with one TextEdit that turns the text into `new`. It replaces the lines from the first that differs to
 * the last. */
cJSON *og_lsp_edits(const struct og_lsp *s, struct og_str text, struct og_str new);

/* A check of a document that is in progress, with its findings up to now. */
struct og_lsp_check {
    struct og_lsp *s;
    struct og_lsp_document *d;
    struct og_lsp_told *told;
};
/* Add a diagnostic for a file (uri NULL means the document); takes ownership of it. */
void og_lsp_tell(struct og_lsp_check *c, const char *uri, cJSON *made);
/* Returns the Diagnostic of a fault at its place in the text; it marks `width` bytes. */
cJSON *og_lsp_diagnostic(const struct og_lsp *s, struct og_str text, const struct og_diagnostic *fault, int width);
/* Run the tests of the document, or, if it is a policy, those in the test file beside it (tests.c). */
void og_lsp_run_tests(struct og_lsp_check *c);
/* Returns the path of the document's test file; NULL if no such file exists, or if out of memory. */
char *og_lsp_tests_of(struct og_lsp *s, const struct og_lsp_document *d);

/* Checks (diagnostics.c). */
void og_lsp_check_document(struct og_lsp *s, struct og_lsp_document *d); /* does nothing unless the document is stale */
void og_lsp_untell(struct og_lsp *s, struct og_lsp_document *d); /* withdraw the findings that were published for the
                                                                  * document */
struct og_lint_options og_lsp_lint_options(const struct og_lsp *s);

/* Returns the root of the schema of the document. */
const cJSON *og_lsp_schema(struct og_lsp *s, const struct og_lsp_document *d);
