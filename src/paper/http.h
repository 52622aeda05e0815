/*
 * A request and its answer, independent of the transport that carries them.
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "serve/head.h"

struct og_paper;

struct og_paper_request {
    enum og_serve_method method;
    struct og_str path; /* without the query; percent-decoded except "%2F" and "%25" */
    struct og_str query;
    struct og_str key, secret; /* .s is NULL if the header is absent */
    struct og_str content_type, body;
    struct og_str host, origin; /* .s is NULL if the header is absent */
    struct og_str accept;
};

/* What a fault does to an answer. */
enum og_paper_fault_action {
    OG_PAPER_FAULT_NONE,
    OG_PAPER_FAULT_DROP,
    OG_PAPER_FAULT_HANG,
    OG_PAPER_FAULT_RESET,
    OG_PAPER_FAULT_TRUNCATE,
    OG_PAPER_FAULT_DELAY
};

struct og_paper_reply {
    int status;
    const char *content_type; /* NULL if the answer has no body */
    const char *allow;        /* NULL if the answer has no Allow header */
    bool page;                /* the answer is for a browser: it gets the header fields of a page */
    bool no_store;            /* the answer is an account document, which must not be cached */
    struct og_buf *body;      /* the caller owns it; empty at the start */
    enum og_paper_fault_action action;
    int64_t delay_ns;
};

#define OG_JSON_TYPE "application/json; charset=utf-8"
#define OG_TEXT_TYPE "text/plain; charset=utf-8"

/* Answer a request.  When this returns, everything that the request changes is done and stored.  Returns false if the
 * database failed. */
bool og_paper_serve(struct og_paper *p, const struct og_paper_request *request, struct og_paper_reply *reply);

/* og_reply_...(): set the status and the body of an answer. A handler calls one of them as its last action, so that
 * nothing can fail afterwards. If it calls none, the answer is 200 with the JSON that the handler wrote. */
void og_reply_text(struct og_paper_reply *reply, int status, const char *text);
void og_reply_json(struct og_paper_reply *reply, int status);
void og_reply_refusal(struct og_paper_reply *reply, int status, const char *code, const char *message,
                      const char *detail);
