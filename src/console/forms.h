/*
 * Halt and resume on the page: a form on a page of its own each, and what is done when it is posted. They work as
 * `ordergate halt` and `ordergate resume` do for the user's flag: they write the same file and ask the same senders.
 */
#pragma once

#include "console/view.h"
#include "ordergate/emergency.h"
#include "serve/serve.h"

#define OG_CONSOLE_TOKEN     64 /* hexadecimal digits of the token */
#define OG_CONSOLE_BODY_MOST ((size_t)2048)

/* The functions of the public library that forms need, which the linking program passes in. */
struct og_console_halts {
    const char *(*name)(enum og_trading trading);                                          /* og_trading_name() */
    enum og_status (*path)(char *to, size_t size, struct og_error *err);                   /* og_halt_path() */
    enum og_status (*read)(const char *path, struct og_halt *halt, struct og_error *err);  /* og_halt_read() */
    enum og_status (*write)(const char *path, struct og_halt *halt, struct og_error *err); /* og_halt_write() */
    enum og_status (*add)(const char *path, struct og_halt *halt, struct og_halt *stands,
                          struct og_error *err); /* og_halt_add() */
    enum og_status (*ask)(const struct og_senders_question *question, og_senders_listener *heard, void *with,
                          struct og_error *err); /* og_senders_ask() */
};

struct og_console_forms {
    struct og_console_halts halts;
    const char *token;      /* what a form must have to be accepted; NULL: none is accepted */
    const char *token_path; /* the file in which the user finds the token; if token is NULL, why there is none */
};

/* Write the page with the form: of a resume, or of a halt. */
void og_console_form(const struct og_console_forms *f, bool resume, struct og_serve_reply *r);
/* Do what a posted form says, if it has the token; note in the view what was done. Blocks for up to a second while
 * senders answer. The caller has checked Host and Origin. */
void og_console_posted(const struct og_console_forms *f, bool resume, const struct og_serve_request *request,
                       struct og_console_view *v, struct og_serve_reply *r);
