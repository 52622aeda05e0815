/*
 * Internal interface of the control calls.
 *   control.c           dispatch; market, clock, settings, keys, faults, log of requests
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

og_control_handler og_control_put_account, og_control_put_positions, og_control_post_reset;

/* Read a member that is a number, in millionths. If the member is absent, *to is unchanged and the result is true. */
bool og_control_dec(const cJSON *doc, const char *key, int64_t *to);
