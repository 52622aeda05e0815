/*
 * A basket: orders that are decided and reserved either all or none. Each order is decided as if the orders before it
 * in the basket were accepted; if one is refused, all are refused, and the book stays as it was. What happens
 * afterwards is not all or none: each accepted order is sent, fills or is rejected as if it were in no basket. Passing
 * NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and returns an
 * empty value. Threads: a basket belongs to one thread at a time.
 */
#ifndef ORDERGATE_BASKET_H
#define ORDERGATE_BASKET_H

#include "ordergate/book.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum number of orders in a basket. */
#define OG_BASKET_MOST 64

struct og_basket;

/* Make an empty basket. Returns NULL if memory ran out. */
OG_API OG_MUST_USE struct og_basket *og_basket_new(void);
OG_API void og_basket_free(struct og_basket *basket); /* NULL is allowed */

/* Read a line {"op":"basket","orders":[...]}: 1 to OG_BASKET_MOST orders, each in the shape of og_order_read(). The
 * bytes are copied.
 *   OG_OK      also for bytes that are not a basket: it then has no orders, and og_check() of og_basket_line() says
 *              what is wrong. An element that is not an order becomes an order that og_check() refuses.
 *   OG_ENOMEM  the basket is empty */
OG_API OG_MUST_USE enum og_status og_basket_read(struct og_basket *basket, const char *bytes, size_t len);
OG_API size_t og_basket_count(const struct og_basket *basket); /* 0 if the bytes were not a basket */
/* Returns the orders, in their sequence; they are valid until the basket is read again or freed, and may be edited.
 * Returns NULL if the basket has no orders. */
OG_API struct og_order *const *og_basket_orders(const struct og_basket *basket);
/* Returns the line itself, read as og_order_read() reads it; valid until the basket is read again or freed. */
OG_API const struct og_order *og_basket_line(const struct og_basket *basket);

/* Decide the orders as one basket and, if all are accepted, reserve all. scratch[i], decisions[i] and tickets[i] belong
 * to orders[i]; texts that the decisions share live in scratch[0]. If an order is refused, no order has a ticket and
 * every decision refuses. An order that is refused only because of another one then names that order (reason
 * basket-refused). An order that replaces another one, has the id of an earlier order of the basket, or is for another
 * account than the first order, is refused (reason basket-order).
 *   OG_EINVAL  count is 0, or more than OG_BASKET_MOST: no decision accepts
 *   OG_ENOMEM  nothing is reserved: no decision accepts, and those after the order concerned are empty */
OG_API OG_MUST_USE enum og_status og_reserve_basket(struct og_book *book, struct og_order *const *orders, size_t count,
                                                    int64_t now_ns, struct og_scratch *const *scratch,
                                                    struct og_decision *decisions, og_ticket *tickets);
/* Decide as og_reserve_basket() does, without changing the book. */
OG_API OG_MUST_USE enum og_status og_check_basket(struct og_book *book, struct og_order *const *orders, size_t count,
                                                  int64_t now_ns, struct og_scratch *const *scratch,
                                                  struct og_decision *decisions);

#ifdef __cplusplus
}
#endif
#endif
