/*
 * A language server for policies and their tests (LSP 3.17): it takes bytes and returns bytes. Findings come from the
 * function that `ordergate lint` uses. Of a file that is open in the editor, the editor's text is read instead of the
 * file (base/overlay.h), also if it is a layer of another policy. A process has one session, on one thread.
 */
#pragma once

#include "base/str.h"
#include "ordergate/lint.h"

#define OG_LSP_HEAD_MOST 4096 /* maximum number of bytes before the body of a message */
#define OG_LSP_MESSAGE_MOST \
    (((size_t)6 * 16 + 1) << 20) /* maximum length of a body in bytes: enough for a document of 16 MiB in which each
                                  * byte is escaped */

struct og_lsp_options {
    struct og_lint_options lint; /* if its `now` is 0, each run uses the clock */
};

struct og_lsp;

struct og_lsp *og_lsp_new(const struct og_lsp_options *options); /* returns NULL if out of memory */
void og_lsp_free(struct og_lsp *s);
/* Take bytes from the client, and answer each message that is complete.  Returns false when the session has ended. */
bool og_lsp_feed(struct og_lsp *s, const char *bytes, size_t len);
/* Call when no input waits: checks the documents that have changed, and publishes the findings. */
void og_lsp_settle(struct og_lsp *s);
/* Returns the bytes that must be written to the client. Call og_lsp_written() after they are written. */
struct og_str og_lsp_output(const struct og_lsp *s);
void og_lsp_written(struct og_lsp *s);
/* Returns the exit code after the end of the session or of the input, as LSP defines it: 0 after a request `shutdown`,
 * 1 without such a request. Returns 4 if the input cannot be read, and sets *why to the reason. */
int og_lsp_exit_code(const struct og_lsp *s, const char **why);
