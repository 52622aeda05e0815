/*
 * Requests that are no orders, decided before they are sent: cancels, locates, reads.
 * It refuses to send them, and to repair: what was given is kept as given.
 * Threads: a request belongs to one thread at a time; the functions on a book may be called from any thread.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_REQUESTS_H
#define ORDERGATE_REQUESTS_H

#include "ordergate/book.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_request;

enum og_request_kind {
    OG_REQUEST_NONE = 0, /* an order, or nothing that is known */
    OG_REQUEST_CANCEL,
    OG_REQUEST_LOCATE_QUOTE,
    OG_REQUEST_LOCATE_ACCEPT,
    OG_REQUEST_LOCATE_SELL,
    OG_REQUEST_LOCATE_CANCEL,
    OG_REQUEST_READ
};

OG_API OG_MUST_USE struct og_request *og_request_new(void); /* NULL when out of memory */
OG_API void og_request_free(struct og_request *request);    /* NULL is allowed */

/* Read one JSON object; its key "op" says what it is:
 *   {"op":"cancel","clientOrderId":"a1"}
 *   {"op":"locate-quote","account":"L1","symbol":"GME","quantity":100,"quoteReqID":"q1"}
 *   {"op":"locate-accept","accountId":"L1","quoteReqID":"q1"}
 *   {"op":"locate-sell","account":"L1","quoteReqID":"s1","locateType":"Locate","quantity":100,"symbol":"GME"}
 *   {"op":"locate-cancel","accountId":"L1","quoteReqID":"q1"}
 *   {"op":"read","endpoint":"GET cash","startDate":"2026-01-02","numberOfDays":30,"limit":100}
 * The keys beside "op" are the service's own, of the body or of the path; "accountId" may stand in all of them.
 *   OG_OK      always, also for bytes that are no request: og_check_*() then refuse with what is wrong
 *   OG_ENOMEM  *request is none */
OG_API OG_MUST_USE enum og_status og_request_read(struct og_request *request, const char *bytes, size_t len);
OG_API enum og_request_kind og_request_what(const struct og_request *request);

/* Decide at the instant now_ns, as og_check() does; the book is not changed.  A request of another kind, and bytes that
 * are none, are refused by rule order-form. */
OG_API void og_check_cancel(struct og_book *book, const struct og_request *request, int64_t now_ns,
                            struct og_scratch *scratch, struct og_decision *decision);
OG_API void og_check_locate(struct og_book *book, const struct og_request *request, int64_t now_ns,
                            struct og_scratch *scratch, struct og_decision *decision);
OG_API void og_check_read(struct og_book *book, const struct og_request *request, int64_t now_ns,
                          struct og_scratch *scratch, struct og_decision *decision);

#ifdef __cplusplus
}
#endif
#endif
