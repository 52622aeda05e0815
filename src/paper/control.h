/*
 * The control calls inside: one call on its way, and what their files share.
 *   control.c           the market, the clock, settings, keys, faults, what was asked so far; which call it is
 *   control_account.c   accounts and positions
 */
#ifndef OG_PAPER_CONTROL_H
#define OG_PAPER_CONTROL_H

#include "paper/call.h"
#include "text/doc.h"

struct og_control_call {
    struct og_paper *p;
    const struct og_paper_request *request;
    struct og_paper_reply *reply;
    const cJSON *doc;   /* of the body; NULL: none */
    struct og_str item; /* behind the call's name in the path */
};

typedef void og_control_handler(struct og_control_call *call);

og_control_handler og_control_put_account, og_control_put_positions, og_control_post_reset;

void og_control_good(struct og_control_call *call);
void og_control_bad(struct og_control_call *call, const char *reason); /* 400 */
/* A number member as millionths; absent is fine and leaves *to alone. */
bool og_control_dec(const cJSON *doc, const char *key, int64_t *to);

#endif
