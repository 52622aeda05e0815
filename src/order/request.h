/*
 * A request that is no order, as the rules see it: a cancel, a locate call, a read; every field with what was given.
 * It refuses judgement, as the order does.
 */
#ifndef OG_ORDER_REQUEST_H
#define OG_ORDER_REQUEST_H

#include "order/order.h"
#include "ordergate/requests.h"

enum og_request_key {
    OG_REQUEST_ORDER_ID = 0, /* clientOrderId, of a cancel */
    OG_REQUEST_ACCOUNT,      /* account: quote and sell */
    OG_REQUEST_ACCOUNT_ID,   /* accountId: all others */
    OG_REQUEST_SYMBOL,
    OG_REQUEST_QUANTITY,
    OG_REQUEST_QUOTE_ID, /* quoteReqID */
    OG_REQUEST_LOCATE_TYPE,
    OG_REQUEST_ENDPOINT, /* "GET orders", as budgets are spelled */
    OG_REQUEST_START_DATE,
    OG_REQUEST_DAYS,  /* numberOfDays */
    OG_REQUEST_LIMIT, /* rows a page */
    OG_REQUEST_KEYS
};

struct og_request {
    enum og_request_kind kind;
    unsigned subject;       /* OG_SUBJECT_* of rules/rule.h */
    const char *op;         /* "cancel", "locate-quote", ... */
    const char *endpoint;   /* whose budget it takes from; NULL: not known */
    struct og_order *order; /* the line as any line is read: op, symbol, whose it is; faults */
    struct og_field field[OG_REQUEST_KEYS];
    struct og_money number[OG_REQUEST_KEYS]; /* of valid numbers */
    struct og_arena texts;
};

/* What an op asks for: NONE for an order and for what is none.  *spelled, where not NULL: the op, static. */
enum og_request_kind og_request_op(struct og_str op, const char **spelled);

static inline bool og_request_has(const struct og_request *r, enum og_request_key key)
{
    return r->field[key].status != OG_ABSENT;
}
static inline bool og_request_ok(const struct og_request *r, enum og_request_key key)
{
    return r->field[key].status == OG_VALID;
}
/* The text of a string; len 0 when it is absent, empty or no string. */
static inline struct og_str og_request_text(const struct og_request *r, enum og_request_key key)
{
    return og_request_ok(r, key) ? r->field[key].text : (struct og_str){ NULL, 0 };
}

#endif
