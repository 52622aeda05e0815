/*
 * The endpoints of the service as a table: method, path, budget, and whether a call may be repeated.
 */
#ifndef OG_BROKER_ENDPOINTS_H
#define OG_BROKER_ENDPOINTS_H

#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* In the order of the service's document.  The numbers are indices in the file of shared budgets: if they change, its
 * format must change (broker/budget.c). */
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
    const char *name; /* such as "POST order"; the name used for budgets */
    const char *method;
    const char *path; /* %A: account, %X: the other variable (id, symbol, date); both percent-encoded */
    /* requests a second and burst as documented; where the service's document has none, those of similar endpoints */
    int rate, burst;
    /* may be repeated after a lost answer: a read, or a cancel, which changes nothing the second time */
    bool repeatable;
};

extern const struct og_endpoint_spec og_endpoints[OG_ENDPOINTS];

/* Append a path variable, percent-encoded except for bytes that are always safe. */
void og_endpoint_segment(struct og_str s, struct og_buf *to);
/* Append the path of a call with its variables encoded; a variable of dots only cannot become "..". */
void og_endpoint_path(enum og_endpoint call, struct og_str account, struct og_str other, struct og_buf *to);

#endif
