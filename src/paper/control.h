/*
 * Internal interface of the control calls.
 *   control.c           table and dispatch; what changes market, clock, settings, keys, faults; log of requests
 *   control_show.c      what shows them, in the form in which they are set
 *   control_account.c   accounts and positions
 */
#pragma once

#include "paper/call.h"
#include "text/doc.h"

struct og_control_call {
    struct og_paper *p;
    const struct og_paper_request *request;
    struct og_paper_reply *reply;
    const cJSON *doc;   /* the parsed body; NULL if there is none */
    struct og_str name; /* name of the call, as in its path */
    struct og_str item; /* the rest of the path, after the call's name */
    char reason[300];   /* memory for the text that says what is wrong */
};

/* Carries out a call and answers it; if it writes no answer, the caller answers {"ok":true}. Returns NULL; or, if the
 * call is wrong and nothing was changed, a text that says what is wrong. */
typedef const char *og_control_handler(struct og_control_call *call);

og_control_handler og_control_put_account, og_control_put_positions, og_control_post_reset, og_control_get_account,
    og_control_get_accounts, og_control_get_positions, og_control_get_all_positions;
og_control_handler og_control_get_clock, og_control_get_quote, og_control_get_quotes, og_control_get_symbol,
    og_control_get_symbols, og_control_get_settings, og_control_get_limits, og_control_get_faults,
    og_control_get_streams;

struct og_control_spec {
    enum og_serve_method method;
    const char *path; /* path below OG_PAPER_CONTROL; it may end with one variable, such as {symbol} */
    bool body;        /* the request has a body, which is JSON */
    og_control_handler *handler;
    const char *help; /* what the call does, or what its answer is, in a few words */
};
extern const struct og_control_spec og_control_calls[];
extern const size_t og_control_call_count;

/* Returns the section of settings that a call is named after. */
const struct og_paper_section *og_control_section(const struct og_control_call *call);

/* Read a member that is a number, in millionths. If the member is absent, *to is unchanged and the result is true. */
bool og_control_dec(const cJSON *doc, const char *key, int64_t *to);
