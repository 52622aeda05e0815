/*
 * The endpoints of the service, as data: method, path, budget, and whether asking twice does harm.
 */
#ifndef OG_BROKER_CALLS_H
#define OG_BROKER_CALLS_H

#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* In the order of service.md "Endpoints".  The numbers are the places of the shared budgets: a change of them needs
 * another format there (broker/budget.c). */
enum og_call {
    OG_CALL_ACCOUNTS = 0,
    OG_CALL_ACCOUNT,
    OG_CALL_PNL,
    OG_CALL_POSITIONS,
    OG_CALL_CLOSED,
    OG_CALL_CASH,
    OG_CALL_ROUTES,
    OG_CALL_ORDERS,
    OG_CALL_ORDER,
    OG_CALL_HISTORY,
    OG_CALL_HISTORY_PAGES,
    OG_CALL_POST,
    OG_CALL_CANCEL,
    OG_CALL_CANCEL_ALL,
    OG_CALL_BORROW,
    OG_CALL_LOCATE_QUOTE,
    OG_CALL_LOCATE_ACCEPT,
    OG_CALL_LOCATE_SELL,
    OG_CALL_LOCATE_CANCEL,
    OG_CALL_LOCATES,
    OG_CALL_INVENTORY,
    OG_CALLS
};

struct og_call_spec {
    const char *name; /* "POST order", as budgets are spelled */
    const char *method;
    const char *path; /* %A: account, %X: the other variable (id, symbol, date); both percent-encoded */
    int rate, burst;  /* a second, of service.md; where it shows none, what its neighbours have */
    bool repeatable;  /* may be asked again after a lost answer: a read, or a cancel, which changes nothing the second
                         * time */
};

extern const struct og_call_spec og_calls[OG_CALLS];

/* A variable, percent-encoded unless it can mean nothing else. */
void og_call_segment(struct og_str s, struct og_buf *to);
/* The path of a call, its variables encoded; a segment of dots alone does not become a step up. */
void og_call_path(enum og_call call, struct og_str account, struct og_str other, struct og_buf *to);

#endif
