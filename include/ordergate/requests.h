/*
 * Requests other than orders, decided before they are sent: cancels, locates, reads.
 * They are only decided here, not sent; values are kept as given, not repaired.
 * Threads: a request belongs to one thread at a time; the functions on a book may be called from any thread.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_REQUESTS_H
#define ORDERGATE_REQUESTS_H

#include "ordergate/book.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_request;

enum og_request_kind {
    OG_REQUEST_NONE = 0, /* an order, or not a known request */
    OG_REQUEST_CANCEL,
    OG_REQUEST_LOCATE_QUOTE,
    OG_REQUEST_LOCATE_ACCEPT,
    OG_REQUEST_LOCATE_SELL,
    OG_REQUEST_LOCATE_CANCEL,
    OG_REQUEST_READ
};

OG_API OG_MUST_USE struct og_request *og_request_new(void); /* returns NULL if memory ran out */
OG_API void og_request_free(struct og_request *request);    /* NULL is allowed */

/* Read one JSON object; its key "op" says what it is:
 *   {"op":"cancel","clientOrderId":"a1"}
 *   {"op":"locate-quote","account":"L1","symbol":"GME","quantity":100,"quoteReqID":"q1"}
 *   {"op":"locate-accept","accountId":"L1","quoteReqID":"q1"}
 *   {"op":"locate-sell","account":"L1","quoteReqID":"s1","locateType":"Locate","quantity":100,"symbol":"GME"}
 *   {"op":"locate-cancel","accountId":"L1","quoteReqID":"q1"}
 *   {"op":"read","endpoint":"GET cash","startDate":"2026-01-02","numberOfDays":30,"limit":100}
 * The other keys are those of the service, from the body or the path; "accountId" is allowed in all of them.
 *   OG_OK      also for bytes that are not a request: og_check_*() then refuse and say what is wrong
 *   OG_ENOMEM  the kind of *request is OG_REQUEST_NONE */
OG_API OG_MUST_USE enum og_status og_request_read(struct og_request *request, const char *bytes, size_t len);
OG_API enum og_request_kind og_request_what(const struct og_request *request);

/* Say that the list of orders was requested before this cancel came, after og_request_read(). Another program may have
 * made the order since: an id that the list lacks is then an unsure finding, which refuses no cancel. Without this
 * call, the list counts as complete. NULL: nothing is done. */
OG_API void og_request_list_is_older(struct og_request *request);

/* Decide at the instant now_ns, as og_check() does; the book is not changed. Rule order-form refuses bytes that are not
 * a request, and a request of another kind than the function decides. */
OG_API void og_check_cancel(struct og_book *book, const struct og_request *request, int64_t now_ns,
                            struct og_scratch *scratch, struct og_decision *decision);
OG_API void og_check_locate(struct og_book *book, const struct og_request *request, int64_t now_ns,
                            struct og_scratch *scratch, struct og_decision *decision);
OG_API void og_check_read(struct og_book *book, const struct og_request *request, int64_t now_ns,
                          struct og_scratch *scratch, struct og_decision *decision);

/* Decide an order that has `replaces` as og_check() does, but as if the order that it replaces were canceled without a
 * further fill: no rule counts the old order, and bp is as high as its cancel may make it. The book is unchanged
 * afterwards, and nothing is reserved. Call this before the old order is canceled: an order that is refused here would
 * be refused after the cancel too. An order that is accepted here must still be decided by og_reserve(), once the
 * broker shows the old order as Canceled. Returns false if the order was decided with the old order still counted, as
 * og_check() does: because two reservations have the old order's id, or memory ran out. */
OG_API bool og_check_replacement(struct og_book *book, const struct og_order *order, int64_t now_ns,
                                 struct og_scratch *scratch, struct og_decision *decision);

/* Returns true if the order has `replaces`, and the facts of its account show the order that is to be replaced, neither
 * ended nor rejected. A program that passes the order on to a sender may then decide it by og_check_replacement(), as
 * the sender does before it cancels the old order; otherwise og_check() says what is wrong. May be called from any
 * thread; `scratch` is used by one thread at a time. */
OG_API bool og_replaced_works(struct og_book *book, const struct og_order *order, int64_t now_ns,
                              struct og_scratch *scratch);

/* Decide an order as og_check() does, but as if the orders with these clientOrderIds were canceled, as
 * og_check_replacement() does for the one order that is replaced. This shows whether the decision depends on these
 * orders. Returns false if not all of them could be left out, for the reasons of og_check_replacement(), or if `ids` or
 * `count` (at most OG_WITHOUT_MOST) is not valid. */
#define OG_WITHOUT_MOST 16
OG_API bool og_check_without(struct og_book *book, const struct og_order *order, const char *const *ids, int count,
                             int64_t now_ns, struct og_scratch *scratch, struct og_decision *decision);

/* Decide an order as og_check() does, but count each order only once. (Documents that were requested before the broker
 * was seen to have an order, or its fills, may nevertheless show them; og_check() then counts both the document and the
 * order's ticket.) If og_check() refuses an order that this function accepts, documents that are requested from now on
 * will show whether it can be accepted; it must not be sent because of this decision alone. Orders of unknown outcome
 * (og_ticket_unknown()) count as in og_check(), and so do orders whose tickets are above *up_to; if *up_to is 0, it is
 * set to the newest ticket. Returns false, without a decision, if no order may count twice. May be called from any
 * thread; `scratch` is used by one thread at a time. */
OG_API bool og_check_once(struct og_book *book, const struct og_order *order, int64_t now_ns,
                          struct og_scratch *scratch, struct og_decision *decision, og_ticket *up_to);

#ifdef __cplusplus
}
#endif
#endif
