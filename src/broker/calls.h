/*
 * The endpoints we call, as data: method, path, budget.
 */
#ifndef OG_BROKER_CALLS_H
#define OG_BROKER_CALLS_H

#include "base/buf.h"
#include "base/str.h"

#include <stdint.h>

enum og_call {
    OG_CALL_ACCOUNTS = 0,
    OG_CALL_ACCOUNT,
    OG_CALL_POSITIONS,
    OG_CALL_ORDERS,
    OG_CALL_ORDER,
    OG_CALL_ROUTES,
    OG_CALL_BORROW,
    OG_CALL_INVENTORY,
    OG_CALL_POST,
    OG_CALL_CANCEL,
    OG_CALLS
};

struct og_call_spec {
    const char *name;   /* "POST order", as budgets are spelled */
    const char *method;
    const char *path;   /* %A: account, %X: the other variable (id, symbol); both percent-encoded */
    int rate, burst;    /* a second, of service.md; rate 0: not shown there */
};

extern const struct og_call_spec og_calls[OG_CALLS];

/* The path of a call, encoded; a segment of dots alone does not become a step up. */
void og_call_path(enum og_call call, struct og_str account, struct og_str other, struct og_buf *to);

#endif
