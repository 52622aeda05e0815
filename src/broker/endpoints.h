/*
 * The endpoints of the service, as data: method, path, budget, and whether asking twice does harm.
 */
#ifndef OG_BROKER_ENDPOINTS_H
#define OG_BROKER_ENDPOINTS_H

#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* In the order of service.md "Endpoints".  The numbers are the places of the shared budgets: a change of them needs
 * another format there (broker/budget.c). */
enum og_endpoint {
    OG_ENDPOINT_ACCOUNTS = 0,
    OG_ENDPOINT_ACCOUNT,
    OG_ENDPOINT_PNL,
    OG_ENDPOINT_POSITIONS,
    OG_ENDPOINT_CLOSED,
    OG_ENDPOINT_CASH,
    OG_ENDPOINT_ROUTES,
    OG_ENDPOINT_ORDERS,
    OG_ENDPOINT_ORDER,
    OG_ENDPOINT_HISTORY,
    OG_ENDPOINT_HISTORY_PAGES,
    OG_ENDPOINT_POST,
    OG_ENDPOINT_CANCEL,
    OG_ENDPOINT_CANCEL_ALL,
    OG_ENDPOINT_BORROW,
    OG_ENDPOINT_LOCATE_QUOTE,
    OG_ENDPOINT_LOCATE_ACCEPT,
    OG_ENDPOINT_LOCATE_SELL,
    OG_ENDPOINT_LOCATE_CANCEL,
    OG_ENDPOINT_LOCATES,
    OG_ENDPOINT_INVENTORY,
    OG_ENDPOINTS
};

struct og_endpoint_spec {
    const char *name; /* "POST order", as budgets are spelled */
    const char *method;
    const char *path; /* %A: account, %X: the other variable (id, symbol, date); both percent-encoded */
    int rate, burst;  /* a second, of service.md; where it shows none, what its neighbours have */
    bool repeatable;  /* may be asked again after a lost answer: a read, or a cancel, which changes nothing the second
                         * time */
};

extern const struct og_endpoint_spec og_endpoints[OG_ENDPOINTS];

/* A variable, percent-encoded unless it can mean nothing else. */
void og_endpoint_segment(struct og_str s, struct og_buf *to);
/* The path of a call, its variables encoded; a segment of dots alone does not become a step up. */
void og_endpoint_path(enum og_endpoint call, struct og_str account, struct og_str other, struct og_buf *to);

#endif
