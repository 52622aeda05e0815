/*
 * A request other than an order, as the rules see it: a cancel, a locate or a read, with the text of every field. Wrong
 * types and values are recorded here, and reported by the rules.
 */
#pragma once

#include "base/endpoints.h"
#include "order/order.h"
#include "ordergate/requests.h"

enum og_request_key {
    OG_REQUEST_ORDER_ID = 0, /* clientOrderId of a cancel */
    OG_REQUEST_ACCOUNT,      /* account, in locate-quote and locate-sell */
    OG_REQUEST_ACCOUNT_ID,   /* accountId, in all other requests */
    OG_REQUEST_SYMBOL,
    OG_REQUEST_QUANTITY,
    OG_REQUEST_QUOTE_ID, /* quoteReqID */
    OG_REQUEST_LOCATE_TYPE,
    OG_REQUEST_ENDPOINT, /* "GET orders", as the names of budgets are spelled */
    OG_REQUEST_START_DATE,
    OG_REQUEST_DAYS,  /* numberOfDays */
    OG_REQUEST_LIMIT, /* limit: rows per page */
    OG_REQUEST_KEYS
};

/* When the list of orders was requested: if before the cancel came, it may lack the order to cancel. */
enum og_list_asked {
    OG_LIST_AFTER = 0, /* after the cancel came; assumed if the caller does not say otherwise */
    OG_LIST_BEFORE     /* before the cancel came */
};

struct og_request {
    enum og_request_kind kind;
    unsigned subject;          /* OG_SUBJECT_* of rules/rule.h */
    const char *op;            /* "cancel", "locate-quote", ... */
    enum og_endpoint endpoint; /* the endpoint whose budget the request uses; OG_ENDPOINTS: not known */
    struct og_order *order;    /* the same line read as an order, for op, symbol, account and faults */
    enum og_list_asked list;   /* a caller that knows it sets it after og_request_read() */
    struct og_field field[OG_REQUEST_KEYS];
    struct og_money number[OG_REQUEST_KEYS]; /* values of the fields with valid numbers */
    struct og_arena texts;
};

/* Returns the kind of request that op names; NONE for orders and unknown ops.  *spelled (if not NULL): a static copy of
 * op. */
enum og_request_kind og_request_op(struct og_str op, const char **spelled);

static inline bool og_request_has(const struct og_request *r, enum og_request_key key)
{
    return r->field[key].status != OG_ABSENT;
}
static inline bool og_request_ok(const struct og_request *r, enum og_request_key key)
{
    return r->field[key].status == OG_VALID;
}
/* Returns the text of a field; len is 0 if it is absent, empty or of the wrong type. */
static inline struct og_str og_request_text(const struct og_request *r, enum og_request_key key)
{
    return og_request_ok(r, key) ? r->field[key].text : (struct og_str){ NULL, 0 };
}
